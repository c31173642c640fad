package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// PlansNoChange reports whether the plan for an unchanged proposal is always the
// prior state, so that the framework need not be asked: the kind has no rule of
// its own for plans, no default that could replace a null, and no plan modifier
// that could act without a difference.
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

// Answers reports whether the service answers an attribute, or may hold objects
// with any value of it.
func (r *managed[M, T]) Answers(attribute string) bool {
	_, ok := r.kind.Schema.Attributes[attribute]
	return ok && !slices.Contains(r.kind.Reading.ResourceOnly, attribute)
}

// NothingToValidate reports whether the service answers all attributes, and none is
// a number, which Terraform does not know to be whole.
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

// mayAct reports whether the framework may change the plan of an attribute whose
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
	return true // nested attributes are not looked into
}

// passive are the plan modifiers that return at once if the plan is the state.
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
