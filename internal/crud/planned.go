package crud

// This file keeps a promise: an apply never ends with Terraform's "bug in the
// provider". What was planned stays in the state, and a warning says what the
// service stored instead.

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

// A difference is an attribute of which the service stored another meaning than
// planned.
type difference struct {
	name            string
	planned, stored attr.Value
}

// keepPlanned returns a state in which every attribute that the plan knows is as
// planned, because Terraform rejects any other result of an apply. It also
// returns the differences.
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
			if !sameValue(ctx, before, now) {
				found = append(found, difference{name, before, now})
			}
		}
		state[name] = plan[name]
	}
	return tftypes.NewValue(stored.Type(), state), found, nil
}

// known returns a plan in which every attribute that is not known has the value of the
// prior state: nothing was sent, so the object is what it was.
func known(planned, prior tftypes.Value) tftypes.Value {
	plan, state := maps.Clone(membersOf(planned)), membersOf(prior) // membersOf returns the map of the value
	for name, value := range plan {
		if !value.IsFullyKnown() {
			plan[name] = state[name]
		}
	}
	return tftypes.NewValue(planned.Type(), plan)
}

// warnOfDifferences says which planned values the service stored differently.
// The summary names the object, because Terraform shows only one of several
// warnings with the same summary.
func (r *kindResource) warnOfDifferences(diags *diag.Diagnostics, model any, found []difference) {
	lines := make([]string, len(found))
	for i, d := range found {
		planned, stored := excerpts(displayed(d.planned), displayed(d.stored))
		if r.kind.Schema.Attributes[d.name].IsSensitive() {
			planned, stored = "(sensitive value)", "another value"
		}
		lines[i] = fmt.Sprintf("  %s: planned %s, stored %s", d.name, planned, stored)
	}
	diags.AddWarning(
		fmt.Sprintf("The service stored different values for the %s %s", r.kind.Noun, r.importID(model)),
		strings.Join(lines, "\n")+"\n\nThe state contains the planned values until the next refresh. After that, each plan shows these "+
			"differences as changes, and replaces the object if changing one of the attributes forces a new resource. To prevent this, set the "+
			"attributes to the stored values.",
	)
}

func displayed(value attr.Value) string {
	if value.IsNull() {
		return "no value"
	}
	return value.String()
}

// excerpts cuts two long texts to the part where they begin to differ.
func excerpts(a, b string) (string, string) {
	const before, most = 20, 120 // bytes
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(text string) string {
		if len(text) <= most {
			return text
		}
		from, to, start, end := max(0, same-before), min(len(text), max(0, same-before)+most), "", ""
		if from > 0 {
			start = "..."
		}
		if to < len(text) {
			end = "..."
		}
		return start + strings.ToValidUTF8(text[from:to], "") + end
	}
	return cut(a), cut(b)
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
	same := func(x, y attr.Value) bool { return sameValue(ctx, x, y) }
	switch a := a.(type) {
	case basetypes.StringValuableWithSemanticEquals:
		other, ok := b.(basetypes.StringValuable)
		if !ok {
			return false
		}
		equal, diags := a.StringSemanticEquals(ctx, other)
		return equal && !diags.HasError()
	case types.Object:
		b, ok := b.(types.Object)
		return ok && maps.EqualFunc(a.Attributes(), b.Attributes(), same)
	case types.Map:
		b, ok := b.(types.Map)
		return ok && maps.EqualFunc(a.Elements(), b.Elements(), same)
	case types.List:
		b, ok := b.(types.List)
		if of, unordered := a.ElementType(ctx).(interface{ SameElements(a, b types.List) bool }); ok && unordered {
			return of.SameElements(a, b)
		}
		return ok && slices.EqualFunc(a.Elements(), b.Elements(), same)
	}
	return false
}
