package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
)

// OtherElements is a condition for setplanmodifier.RequiresReplaceIf. It
// requires a new object if the elements of a set change or are unknown. A null
// set is treated as an empty one.
func OtherElements(_ context.Context, req planmodifier.SetRequest, resp *setplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = req.PlanValue.IsUnknown() || ChangedSet(req.PlanValue, req.StateValue) != nil
}
