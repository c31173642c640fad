package attribute

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// OtherElements is a condition for setplanmodifier.RequiresReplaceIf. It
// requires a new object if the elements of a set change or are unknown. A null
// set is treated as an empty one.
func OtherElements(_ context.Context, req planmodifier.SetRequest, resp *setplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = req.PlanValue.IsUnknown() || changedSet(req.PlanValue, req.StateValue) != nil
}

// KeepSameSet is KeepSame for a set of values of this type: it keeps the
// state's set if the elements of the planned set have the same meanings.
func (Type[F]) KeepSameSet() planmodifier.Set { return keepSameSet[F]{} }

type keepSameSet[F Format] struct{ keepSame[F] }

func (keepSameSet[F]) PlanModifySet(_ context.Context, req planmodifier.SetRequest, resp *planmodifier.SetResponse) {
	if contains[F](req.PlanValue, req.StateValue) && contains[F](req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// contains reports whether a set contains an element with the meaning of each
// element of another set. Both must be known.
func contains[F Format](set, other types.Set) bool {
	return IsKnown(set) && IsKnown(other) && !slices.ContainsFunc(other.Elements(), func(element attr.Value) bool {
		one, ok := element.(Value[F])
		return !ok || !slices.ContainsFunc(set.Elements(), func(element attr.Value) bool {
			two, ok := element.(Value[F])
			return ok && one.Same(two)
		})
	})
}
