package attribute

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
)

// KeepGenerated is a plan modifier for a text that can be JSON although it has
// no format. Terraform writes a JSON object or array into generated
// configuration as jsonencode(...), which changes its formatting. The plan
// keeps the state's text if the planned text has the same content without white
// space. Any other formatting is a change.
var KeepGenerated planmodifier.String = keepGenerated{}

type keepGenerated struct{}

func (keepGenerated) Description(context.Context) string {
	return "JSON in the compact form of jsonencode is the same as JSON with other formatting."
}

func (m keepGenerated) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepGenerated) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if IsKnown(req.PlanValue) && IsKnown(req.StateValue) && isCompact(req.PlanValue.ValueString()) &&
		sameDocument(req.PlanValue.ValueString(), req.StateValue.ValueString()) {
		resp.PlanValue = req.StateValue
	}
}

// isCompact reports whether a text is JSON without white space between its
// parts.
func isCompact(text string) bool {
	var compact bytes.Buffer
	return json.Compact(&compact, []byte(text)) == nil && compact.String() == text
}
