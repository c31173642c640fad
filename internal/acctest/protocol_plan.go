package acctest

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Plan plans the change from a prior state to a configuration. A null prior
// state means a creation. Like Terraform, it proposes the prior value for
// computed attributes that the configuration omits.
func (p *Protocol) Plan(resource string, prior, config tftypes.Value) *tfprotov6.PlanResourceChangeResponse {
	p.t.Helper()
	resp, err := p.PlanResourceChange(p.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName:         resource,
		PriorState:       p.Dynamic(prior),
		Config:           p.Dynamic(config),
		ProposedNewState: p.Dynamic(p.propose(resource, prior, config)),
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return resp
}

func (p *Protocol) propose(resource string, prior, config tftypes.Value) tftypes.Value {
	p.t.Helper()
	if prior.IsNull() || config.IsNull() {
		return config
	}
	was, wanted := p.Attributes(prior), maps.Clone(p.Attributes(config)) // Attributes does not copy
	for _, attribute := range p.Schema.ResourceSchemas[resource].Block.Attributes {
		if attribute.Computed && wanted[attribute.Name].IsNull() {
			wanted[attribute.Name] = was[attribute.Name]
		}
	}
	return tftypes.NewValue(config.Type(), wanted)
}

// Apply plans and applies a configuration of one object, or its deletion if the
// configuration is null. It returns the new state and the diagnostics of the
// apply. The test fails if the plan fails or replaces the object.
func (p *Protocol) Apply(resource string, prior, config tftypes.Value) (tftypes.Value, []*tfprotov6.Diagnostic) {
	p.t.Helper()
	planned, private := p.Dynamic(config), []byte(nil)
	if !config.IsNull() {
		plan := p.Plan(resource, prior, config)
		p.Must(plan.Diagnostics)
		if !prior.IsNull() && len(plan.RequiresReplace) > 0 {
			p.t.Fatalf("the plan replaces the object because of %v", plan.RequiresReplace)
		}
		planned, private = plan.PlannedState, plan.PlannedPrivate
	}
	resp, err := p.ApplyResourceChange(p.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resource, PriorState: p.Dynamic(prior), PlannedState: planned, Config: p.Dynamic(config), PlannedPrivate: private,
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.Value(p.Type(resource), resp.NewState), resp.Diagnostics
}
