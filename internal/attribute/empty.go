package attribute

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// EmptyByDefault returns an optional list or map with an empty one as its
// default, and any other attribute unchanged. Unset and empty mean the same, so both
// are empty in a state: Terraform accepts no plan that keeps a null of the state for
// an empty list of the configuration, or the other way around.
func EmptyByDefault(of schema.Attribute) schema.Attribute {
	if !of.IsOptional() || of.IsComputed() {
		return of
	}
	switch a := of.(type) {
	case schema.ListAttribute:
		a.Computed, a.Default = true, listdefault.StaticValue(types.ListValueMust(a.ElementType, []attr.Value{}))
		return a
	case schema.ListNestedAttribute:
		a.Computed, a.Default = true, listdefault.StaticValue(types.ListValueMust(a.NestedObject.Type(), []attr.Value{}))
		return a
	case schema.MapAttribute:
		a.Computed, a.Default = true, mapdefault.StaticValue(types.MapValueMust(a.ElementType, map[string]attr.Value{}))
		return a
	}
	return of
}
