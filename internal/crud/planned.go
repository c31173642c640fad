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
	_, ordered := planned.(types.List)
	switch {
	case ordered && len(before) == len(now) && len(now) > 0:
		for i := range before {
			found = append(found, differences(ctx, fmt.Sprintf("%s[%d]", at, i), before[i], now[i])...)
		}
	case len(was) > 0 && len(is) > 0:
		step := "%s[%q]"
		if _, object := planned.(types.Object); object {
			step = "%s.%s"
		}
		names := maps.Clone(was)
		maps.Copy(names, is)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			found = append(found, differences(ctx, fmt.Sprintf(step, at, name), was[name], is[name])...)
		}
	default:
		found = []difference{{at, planned, stored}}
	}
	return found
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
