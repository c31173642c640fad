package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Fixed returns the state of a text that cannot change after the service's answer. An
// answer that does not show it keeps the known value.
func Fixed(known types.String, answer string) types.String {
	if answer == "" && !known.IsUnknown() {
		return known
	}
	return Optional(types.StringNull(), answer)
}

// ReplaceFixed is RequiresReplace for such a text. An imported object is not replaced if
// its text is unknown, because it can be the planned one.
var ReplaceFixed = stringplanmodifier.RequiresReplaceIf(otherThanKnown, fixedForces, fixedForces)

const fixedForces = "Another value requires a new object, unless the service does not show the value of the existing one."

func otherThanKnown(_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull()
	if !resp.RequiresReplace && !req.ConfigValue.IsNull() {
		resp.Diagnostics.AddAttributeWarning(req.Path, "Cannot compare "+req.Path.String()+" with the existing object",
			"The response of the service does not contain "+req.Path.String()+", so this plan cannot tell whether the object has the configured "+
				"value. The state takes it from the configuration. If it is not the right one, replace the object: terraform apply -replace=ADDRESS.")
	}
}
