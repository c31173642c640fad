package attribute

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// ExactlyOne validates that exactly one attribute of an object is set.
var ExactlyOne validator.Object = exactlyOne{}

type exactlyOne struct{}

func (exactlyOne) Description(context.Context) string { return "exactly one attribute is set" }

func (v exactlyOne) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (exactlyOne) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if !IsKnown(req.ConfigValue) {
		return
	}
	members := req.ConfigValue.Attributes()
	all := slices.Sorted(maps.Keys(members))
	var set []string
	unknown := false
	for _, name := range all {
		unknown = unknown || members[name].IsUnknown()
		if IsKnown(members[name]) {
			set = append(set, name)
		}
	}
	if len(set) == 1 || len(set) == 0 && unknown {
		return
	}
	found := "none. Check the spelling: Terraform ignores names in an object that the schema does not have"
	if len(set) > 0 {
		found = strings.Join(set, " and ")
	}
	resp.Diagnostics.AddAttributeError(req.Path, invalid(req.Path),
		"Expected exactly one of "+Alternatives(all)+" in "+Name(req.Path)+"; found "+found+".")
}
