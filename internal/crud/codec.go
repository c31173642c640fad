package crud

// This file keeps a promise: a state costs little more than its values. The framework
// takes several times as long, because it compiles a regular expression for the name of
// each attribute. It is the only reflection of this provider, and the only way between
// models and states. If BenchmarkCodec shows that the framework is as fast, remove it.

import (
	"context"
	"fmt"
	"reflect"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// decode reads a state, a plan or a configuration into a model. The framework decodes
// what does not fit, because its errors say what is wrong.
func (s *base) decode(ctx context.Context, raw tftypes.Value, model any) diag.Diagnostics {
	if decodeInto(ctx, s.kind.object, raw, reflect.ValueOf(model).Elem()) != nil {
		return tfsdk.State{Raw: raw, Schema: s.kind.Schema}.Get(ctx, model)
	}
	return nil
}

// encode writes a model into a state or a plan.
func (s *base) encode(ctx context.Context, model any, raw *tftypes.Value) diag.Diagnostics {
	value, err := encoded(ctx, s.kind.object, reflect.ValueOf(model).Elem())
	if err != nil {
		state := tfsdk.State{Raw: tftypes.NewValue(s.kind.state, nil), Schema: s.kind.Schema}
		diags := state.Set(ctx, model)
		value = state.Raw
		if diags.HasError() {
			return diags
		}
	}
	*raw = value
	return nil
}

var attrValue = reflect.TypeFor[attr.Value]()

// fieldsOf has the index of each field by its tag, for each struct type.
var fieldsOf sync.Map // reflect.Type to map[string][]int

func fields(of reflect.Type) map[string][]int {
	if known, ok := fieldsOf.Load(of); ok {
		return known.(map[string][]int) //nolint:forcetypeassert // as stored below
	}
	found := map[string][]int{}
	for _, field := range reflect.VisibleFields(of) {
		if tag := field.Tag.Get("tfsdk"); tag != "" && tag != "-" {
			found[tag] = field.Index
		}
	}
	fieldsOf.Store(of, found)
	return found
}

// decodeInto writes a value into a field of a model: an attr.Value, or a struct or a
// slice of such values.
func decodeInto(ctx context.Context, of attr.Type, from tftypes.Value, into reflect.Value) error {
	if into.Type().Implements(attrValue) {
		value, err := of.ValueFromTerraform(ctx, from)
		if err != nil {
			return err
		}
		if found := reflect.ValueOf(value); found.Type() == into.Type() {
			into.Set(found)
			return nil
		}
		return mismatch(of, into)
	}
	list, isList := of.(attr.TypeWithElementType)
	object, isObject := of.(attr.TypeWithAttributeTypes)
	switch {
	case isList && into.Kind() == reflect.Slice && from.IsKnown():
		var elements []tftypes.Value
		if err := from.As(&elements); err != nil || from.IsNull() {
			into.SetZero()
			return err
		}
		into.Set(reflect.MakeSlice(into.Type(), len(elements), len(elements)))
		for i, element := range elements {
			if err := decodeInto(ctx, list.ElementType(), element, into.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case isObject && into.Kind() == reflect.Struct && from.IsKnown() && !from.IsNull():
		var attributes map[string]tftypes.Value
		if err := from.As(&attributes); err != nil {
			return err
		}
		known, types := fields(into.Type()), object.AttributeTypes()
		if len(known) != len(types) {
			return mismatch(of, into)
		}
		for name, index := range known {
			if types[name] == nil {
				return mismatch(of, into)
			}
			if err := decodeInto(ctx, types[name], attributes[name], into.FieldByIndex(index)); err != nil {
				return err
			}
		}
		return nil
	}
	return mismatch(of, into)
}

// encoded returns the value of a field of a model.
func encoded(ctx context.Context, of attr.Type, from reflect.Value) (value tftypes.Value, err error) {
	as := of.TerraformType(ctx)
	if from.Type().Implements(attrValue) {
		held := from.Interface().(attr.Value) //nolint:forcetypeassert // as checked
		if held.IsNull() {                    // also the zero value, which does not know the type of its elements
			return tftypes.NewValue(as, nil), nil
		}
		if value, err = held.ToTerraformValue(ctx); err == nil && !value.Type().Equal(as) {
			err = mismatch(of, from)
		}
		return value, err
	}
	list, isList := of.(attr.TypeWithElementType)
	object, isObject := of.(attr.TypeWithAttributeTypes)
	switch {
	case isList && from.Kind() == reflect.Slice && from.IsNil():
		return tftypes.NewValue(as, nil), nil
	case isList && from.Kind() == reflect.Slice:
		elements := make([]tftypes.Value, from.Len())
		for i := range elements {
			if elements[i], err = encoded(ctx, list.ElementType(), from.Index(i)); err != nil {
				return value, err
			}
		}
		return tftypes.NewValue(as, elements), nil
	case isObject && from.Kind() == reflect.Struct:
		known, types := fields(from.Type()), object.AttributeTypes()
		if len(known) != len(types) {
			return value, mismatch(of, from)
		}
		attributes := make(map[string]tftypes.Value, len(types))
		for name, index := range known {
			if types[name] == nil {
				return value, mismatch(of, from)
			}
			if attributes[name], err = encoded(ctx, types[name], from.FieldByIndex(index)); err != nil {
				return value, err
			}
		}
		return tftypes.NewValue(as, attributes), nil
	}
	return value, mismatch(of, from)
}

func mismatch(of attr.Type, field reflect.Value) error {
	return fmt.Errorf("%s is not a %s", field.Type(), of)
}
