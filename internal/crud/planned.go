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
	path            string     // such as inbound[0].name or an element of acl
	planned, stored attr.Value // nil for an element that does not exist
}

// root returns the name of the top-level attribute.
func (d difference) root() string { return fieldRoot(strings.TrimPrefix(d.path, "an element of ")) }

// keepPlanned returns a state in which every attribute that the plan knows is as
// planned, because Terraform rejects any other result of an apply. It also
// returns the values of which the service stored another meaning.
func keepPlanned(ctx context.Context, of schema.Schema, planned, stored tftypes.Value) (tftypes.Value, []difference, error) {
	plan, state := membersOf(planned), membersOf(stored)
	var found []difference
	for _, name := range slices.Sorted(maps.Keys(plan)) {
		attribute := of.Attributes[name]
		if !plan[name].IsFullyKnown() {
			continue
		}
		// The plan of an attribute that nobody can configure is only a forecast.
		if attribute.IsRequired() || attribute.IsOptional() {
			before, err := attribute.GetType().ValueFromTerraform(ctx, plan[name])
			if err != nil {
				return stored, nil, err
			}
			now, err := attribute.GetType().ValueFromTerraform(ctx, state[name])
			if err != nil {
				return stored, nil, err
			}
			found = append(found, differences(ctx, name, before, now)...)
		}
		state[name] = plan[name]
	}
	return tftypes.NewValue(stored.Type(), state), found, nil
}

// differences returns the parts of two values at a path that do not have the same
// meaning. nil is an element that does not exist.
func differences(ctx context.Context, at string, planned, stored attr.Value) (found []difference) {
	if planned != nil && stored != nil && sameValue(ctx, planned, stored) {
		return nil
	}
	before, now := elements(planned), elements(stored)
	was, is := elementsByName(planned), elementsByName(stored)
	switch planned.(type) {
	case types.List:
		if len(before) > 0 && len(now) > 0 {
			return listDifferences(ctx, at, before, now)
		}
	case types.Set:
		if len(before) > 0 && len(now) > 0 {
			for _, element := range without(ctx, before, now) {
				found = append(found, difference{"an element of " + at, element, nil})
			}
			for _, element := range without(ctx, now, before) {
				found = append(found, difference{"an element of " + at, nil, element})
			}
			return found
		}
	}
	if len(was) == 0 || len(is) == 0 {
		return []difference{{at, planned, stored}}
	}
	step := "%s[%q]"
	if _, object := planned.(types.Object); object {
		step = "%s.%s"
	}
	names := maps.Clone(was)
	maps.Copy(names, is)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		found = append(found, differences(ctx, fmt.Sprintf(step, at, name), was[name], is[name])...)
	}
	return found
}

// listDifferences compares lists without the elements that are the same at their
// beginnings and ends, so that an added element is one difference.
func listDifferences(ctx context.Context, at string, before, now []attr.Value) (found []difference) {
	first := 0
	for first < min(len(before), len(now)) && sameValue(ctx, before[first], now[first]) {
		first++
	}
	for len(before) != len(now) && min(len(before), len(now)) > first && sameValue(ctx, before[len(before)-1], now[len(now)-1]) {
		before, now = before[:len(before)-1], now[:len(now)-1]
	}
	for i := first; i < max(len(before), len(now)); i++ {
		var planned, stored attr.Value
		if i < len(before) {
			planned = before[i]
		}
		if i < len(now) {
			stored = now[i]
		}
		found = append(found, differences(ctx, fmt.Sprintf("%s[%d]", at, i), planned, stored)...)
	}
	return found
}

// without returns the values that do not have the same meaning as one of the others.
func without(ctx context.Context, values, others []attr.Value) []attr.Value {
	return slices.DeleteFunc(slices.Clone(values), func(value attr.Value) bool {
		return slices.ContainsFunc(others, func(other attr.Value) bool { return sameValue(ctx, value, other) })
	})
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
		return len(without(ctx, a.Elements(), elements(b))) == 0 && len(without(ctx, elements(b), a.Elements())) == 0
	}
	return same && !diags.HasError()
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
