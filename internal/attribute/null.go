package attribute

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NoNulls validates that no element of a list or map is null, because a
// null element would be sent as an empty string.
var NoNulls noNulls

type noNulls struct{}

var (
	_ validator.List = NoNulls
	_ validator.Map  = NoNulls
)

func (noNulls) Description(context.Context) string { return "no element is null" }

func (v noNulls) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (noNulls) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			refuseNull(&resp.Diagnostics, req.Path.AtListIndex(i), "[for x in ... : x if x != null]")
		}
	}
}

func (noNulls) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for key, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			refuseNull(&resp.Diagnostics, req.Path.AtMapKey(key), "{ for k, v in ... : k => v if v != null }")
		}
	}
}

func refuseNull(diags *diag.Diagnostics, at path.Path, remedy string) {
	diags.AddAttributeError(at, invalid(at), Name(at)+" must not be null. Remove null elements, for example with "+remedy+".")
}
