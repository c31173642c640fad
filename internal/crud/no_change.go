package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PlansNoChange reports whether the plan is always the prior state if the
// proposed state is the prior state, so that the framework is not needed. This
// requires that the kind has no Plan function, no default that could replace
// null, and no plan modifier that could act on equal values.
func (r *managed[M, T]) PlansNoChange() bool {
	if r.kind.Plan != nil {
		return false
	}
	for _, attribute := range r.kind.Schema.Attributes {
		if mayAct(attribute) {
			return false
		}
	}
	return true
}

// Answers reports whether the service returns an attribute. Existing objects
// may have any value of such an attribute.
func (r *managed[M, T]) Answers(attribute string) bool {
	_, ok := r.kind.Schema.Attributes[attribute]
	return ok && !slices.Contains(r.kind.Reading.ResourceOnly, attribute)
}

// NothingToValidate reports whether the service returns all attributes, and
// none of them is a number. Terraform does not check that a number is an
// integer.
func (r *managed[M, T]) NothingToValidate() bool {
	for name, attribute := range r.kind.Schema.Attributes {
		if _, number := attribute.(schema.Int64Attribute); number || !r.Answers(name) {
			return false
		}
	}
	return true
}

// StateType returns the type of the resource's state.
func (r *managed[M, T]) StateType(ctx context.Context) tftypes.Type {
	return r.kind.Schema.Type().TerraformType(ctx)
}

// mayAct reports whether the framework may plan a change of an attribute whose
// proposed value is its prior value.
func mayAct(attribute schema.Attribute) bool {
	switch a := attribute.(type) {
	case schema.StringAttribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	case schema.BoolAttribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	case schema.Int64Attribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	case schema.ListAttribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	case schema.SetAttribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	case schema.MapAttribute:
		return a.Default != nil || actingModifier(a.PlanModifiers)
	}
	return true // nested attributes are not inspected
}

// passive lists the plan modifiers that do nothing if the plan equals the
// state.
var passive = []string{
	"attribute.keepSame",
	"listplanmodifier.useStateForUnknownModifier", "listplanmodifier.requiresReplaceIfModifier",
	"mapplanmodifier.useStateForUnknownModifier", "mapplanmodifier.requiresReplaceIfModifier",
	"setplanmodifier.useStateForUnknownModifier", "setplanmodifier.requiresReplaceIfModifier",
	"int64planmodifier.useStateForUnknownModifier", "int64planmodifier.requiresReplaceIfModifier",
	"stringplanmodifier.useStateForUnknownModifier", "stringplanmodifier.requiresReplaceIfModifier",
}

func actingModifier[P any](modifiers []P) bool {
	return slices.ContainsFunc(modifiers, func(modifier P) bool {
		name, _, _ := strings.Cut(fmt.Sprintf("%T", modifier), "[") // without type parameters
		return !slices.Contains(passive, name)
	})
}
