package attribute

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The service may hold objects that violate what the API contract does not state, and
// Terraform validates a configuration without the object. So the validators of a [Limit]
// run only while planning, and judge only what the prior state does not have. This way,
// every object can be imported and kept, and whoever changes one element of a list does
// not have to change the others.

type priorKey struct{}

// priorParts are the values in the prior state as text, by the name of their attribute.
type priorParts map[string]map[string]bool

// WithPriorState returns a context for the validation of a plan. The attributes are nil
// if the plan creates an object.
func WithPriorState(ctx context.Context, attributes map[string]tftypes.Value) context.Context {
	return context.WithValue(ctx, priorKey{}, sync.OnceValue(func() priorParts {
		prior := priorParts{}
		for name, value := range attributes {
			prior[name] = map[string]bool{}
			_ = tftypes.Walk(value, func(at *tftypes.AttributePath, part tftypes.Value) (bool, error) {
				prior[name][part.String()] = true
				if key, ok := at.LastStep().(tftypes.ElementKeyString); ok {
					prior[name][tftypes.NewValue(tftypes.String, string(key)).String()] = true
				}
				return true, nil
			}) // the function returns no error
		}
		return prior
	}))
}

// IsNew reports whether a plan sets a known value that neither its attribute nor a part
// of it has in the prior state. It is false outside of plans.
func IsNew(ctx context.Context, at path.Path, value attr.Value) bool {
	prior, inPlan := ctx.Value(priorKey{}).(func() priorParts)
	if !inPlan || !IsKnown(value) {
		return false
	}
	whole, err := value.ToTerraformValue(ctx)
	first, _ := at.Steps().NextStep()
	name, _ := first.(path.PathStepAttributeName)
	return err == nil && !prior()[string(name)][whole.String()]
}
