package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
)

// OtherElements decides for setplanmodifier.RequiresReplaceIf: a set needs a new
// object where its elements change. One that is left out and an empty one have
// the same elements.
func OtherElements(_ context.Context, req planmodifier.SetRequest, resp *setplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = req.PlanValue.IsUnknown() || ChangedSet(req.PlanValue, req.StateValue) != nil
}
