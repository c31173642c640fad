package attribute

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// NoNulls is a validator of a list: null cannot be one of its elements.
var NoNulls validator.List = noNulls{}

type noNulls struct{}

func (noNulls) Description(context.Context) string { return "no element is null" }

func (v noNulls) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (noNulls) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			at := req.Path.AtListIndex(i)
			resp.Diagnostics.AddAttributeError(at, "Invalid Value", sentence(at.String(), errors.New("must not be null: leave the element out")))
		}
	}
}
