package crud

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Parent returns the attribute for the id of an object's parent.
func Parent(kind *api.Kind) schema.StringAttribute {
	return schema.StringAttribute{
		Required:      true,
		Description:   "ID of the " + kind.Noun + ", such as `" + kind.Example() + "`.\nChanging this forces a new resource to be created.",
		Validators:    ID(kind),
		PlanModifiers: []planmodifier.String{attribute.ReplaceFixed},
	}
}

// Enabled returns the attribute that turns a module on and off.
func Enabled(noun string) schema.BoolAttribute {
	return DefaultTrue("Whether the " + noun + " is enabled.\nDefaults to `true`. Can be updated in place.")
}

// DefaultTrue returns a boolean attribute whose default is true.
func DefaultTrue(description string) schema.BoolAttribute {
	return schema.BoolAttribute{Optional: true, Computed: true, Default: booldefault.StaticBool(true), Description: description}
}

// EnabledOf returns the value of Enabled for the service's response. nil means
// true.
func EnabledOf(answer *bool) types.Bool {
	return types.BoolValue(answer == nil || *answer)
}
