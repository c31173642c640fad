package crud

// This file keeps a promise: an apply never ends with Terraform's "bug in the
// provider".

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A difference is a planned value and another value that the service stored.
type difference struct {
	path            string     // such as inbound[0].name
	planned, stored attr.Value // nil for an element that does not exist
}

// root returns the name of the attribute that path begins with.
func (d difference) root() string {
	end := strings.IndexAny(d.path+".", ".[")
	return d.path[:end]
}

// keepPlanned returns a state in which every value that the plan knows is as
// planned, because Terraform rejects any other result of an apply. It also
// returns the values of which the service stored another meaning.
func keepPlanned(ctx context.Context, of schema.Schema, planned, stored tftypes.Value) (tftypes.Value, []difference, error) {
	plan, err := of.Type().ValueFromTerraform(ctx, planned)
	if err != nil {
		return stored, nil, err
	}
	state, err := of.Type().ValueFromTerraform(ctx, stored)
	if err != nil {
		return stored, nil, err
	}
	k := keeper{ctx: ctx}
	kept, err := k.keep("", plan, state).ToTerraformValue(ctx)
	if err != nil {
		return stored, nil, err
	}
	// The plan of an attribute that nobody can configure is only a forecast.
	k.found = slices.DeleteFunc(k.found, func(d difference) bool {
		attribute := of.Attributes[d.root()]
		return attribute.IsComputed() && !attribute.IsOptional()
	})
	return kept, k.found, nil
}

type keeper struct {
	ctx   context.Context
	found []difference
}

// keep returns the planned value, with stored values where it is unknown.
func (k *keeper) keep(path string, planned, stored attr.Value) attr.Value {
	if planned.IsUnknown() {
		return stored
	}
	if !planned.IsNull() && !stored.IsNull() {
		switch p := planned.(type) {
		case types.Object:
			return k.keepObject(path, p, stored)
		case types.List:
			if len(elements(stored)) == len(p.Elements()) {
				return k.keepList(path, p, stored)
			}
		case types.Map:
			return k.keepMap(path, p, stored)
		}
	}
	if value, err := planned.ToTerraformValue(k.ctx); err != nil || !value.IsFullyKnown() {
		return stored // a collection with an unknown element, which no attribute has during an apply
	}
	if !sameValue(k.ctx, planned, stored) {
		k.found = append(k.found, difference{path, planned, stored})
	}
	return planned
}

func (k *keeper) keepObject(path string, planned types.Object, stored attr.Value) attr.Value {
	was, is := planned.Attributes(), elementsByName(stored)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		at := name
		if path != "" {
			at = path + "." + name
		}
		was[name] = k.keep(at, was[name], is[name])
	}
	return types.ObjectValueMust(planned.AttributeTypes(k.ctx), was)
}

func (k *keeper) keepList(path string, planned types.List, stored attr.Value) attr.Value {
	was, is := planned.Elements(), elements(stored)
	for i := range was {
		was[i] = k.keep(fmt.Sprintf("%s[%d]", path, i), was[i], is[i])
	}
	return types.ListValueMust(planned.ElementType(k.ctx), was)
}

func (k *keeper) keepMap(path string, planned types.Map, stored attr.Value) attr.Value {
	was, is := planned.Elements(), elementsByName(stored)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := fmt.Sprintf("%s[%q]", path, key)
		before, isPlanned := was[key]
		now, isStored := is[key]
		if isPlanned && isStored {
			was[key] = k.keep(at, before, now)
		} else {
			k.found = append(k.found, difference{at, before, now})
		}
	}
	return types.MapValueMust(planned.ElementType(k.ctx), was)
}

// sameValue reports whether two values of one type have the same meaning. The
// types of the values decide, and without such a type only equal values do.
func sameValue(ctx context.Context, a, b attr.Value) bool {
	if a.Equal(b) {
		return true
	}
	if a.IsNull() || a.IsUnknown() || b.IsNull() || b.IsUnknown() {
		return false
	}
	var same bool
	var diags diag.Diagnostics
	switch a := a.(type) {
	case basetypes.StringValuableWithSemanticEquals:
		if other, ok := b.(basetypes.StringValuable); ok {
			same, diags = a.StringSemanticEquals(ctx, other)
		}
	case basetypes.SetValuableWithSemanticEquals:
		if other, ok := b.(basetypes.SetValuable); ok {
			same, diags = a.SetSemanticEquals(ctx, other)
		}
	case basetypes.MapValuableWithSemanticEquals:
		if other, ok := b.(basetypes.MapValuable); ok {
			same, diags = a.MapSemanticEquals(ctx, other)
		}
	case basetypes.ListValuableWithSemanticEquals:
		if other, ok := b.(basetypes.ListValuable); ok {
			same, diags = a.ListSemanticEquals(ctx, other)
		}
	case types.Object:
		return maps.EqualFunc(a.Attributes(), elementsByName(b), func(x, y attr.Value) bool { return sameValue(ctx, x, y) })
	case types.Map:
		return maps.EqualFunc(a.Elements(), elementsByName(b), func(x, y attr.Value) bool { return sameValue(ctx, x, y) })
	case types.List:
		return slices.EqualFunc(a.Elements(), elements(b), func(x, y attr.Value) bool { return sameValue(ctx, x, y) })
	case types.Set:
		return within(ctx, a.Elements(), elements(b)) && within(ctx, elements(b), a.Elements())
	}
	return same && !diags.HasError()
}

// within reports whether each value has the same meaning as one of the others.
func within(ctx context.Context, values, others []attr.Value) bool {
	for _, value := range values {
		if !slices.ContainsFunc(others, func(other attr.Value) bool { return sameValue(ctx, value, other) }) {
			return false
		}
	}
	return true
}

func elements(v attr.Value) []attr.Value {
	if collection, ok := v.(interface{ Elements() []attr.Value }); ok {
		return collection.Elements()
	}
	return nil
}

func elementsByName(v attr.Value) map[string]attr.Value {
	switch v := v.(type) {
	case types.Object:
		return v.Attributes()
	case types.Map:
		return v.Elements()
	}
	return nil
}
