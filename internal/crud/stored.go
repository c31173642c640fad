package crud

// This file keeps a promise: a state that an older version of the provider stored plans
// no change.

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// RenewState brings the attributes of a stored state, as decoded JSON, to the form that
// they have today, and reports whether that changes any. A list or map that can be
// configured is empty instead of null, also if the state lacks it because it is older
// than the attribute. A write-only attribute has no value: Terraform
// takes one for a defect of the provider.
func (r *kindResource) RenewState(attributes map[string]any) (changed bool) {
	unread := true // as after an import
	for name, value := range attributes {
		isKey := slices.ContainsFunc(r.kind.Keys, func(key Key[any]) bool { return key.Name == name })
		unread = unread && (isKey || value == nil)
	}
	if unread {
		return false
	}
	for name, of := range r.kind.Schema.Attributes {
		value := attributes[name]
		renewed := value
		switch value.(type) {
		case nil: // or not there
			renewed = emptyOf(of)
		case []any, map[string]any:
		default:
			if of.IsWriteOnly() {
				renewed = nil
			}
		}
		if (renewed == nil) != (value == nil) {
			attributes[name], changed = renewed, true
		}
	}
	return changed
}

// emptyOf returns the empty list or map of an attribute that can be configured, or nil
// for any other attribute.
func emptyOf(of schema.Attribute) any {
	kind := of.GetType().TerraformType(context.Background())
	switch {
	case !of.IsRequired() && !of.IsOptional():
	case kind.Is(tftypes.Map{}):
		return map[string]any{}
	case kind.Is(tftypes.List{}):
		return []any{}
	}
	return nil
}
