package crud

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Planning is a plan being made: what a kind may look at, and what it may
// change.
type Planning[M any] struct {
	// Config is the configuration, write-only values included.
	Config *M
	// State is the prior state; nil when the object is to be created.
	State *M
	// Plan may be changed where the schema allows it.
	Plan *M
	// Replace names the attributes whose change needs a new object.
	Replace path.Paths
	// Provider is what the provider block came to. It always has a clock.
	Provider *Provider
	// Diagnostics may be added to.
	Diagnostics *diag.Diagnostics
}

// PlansNothingByItself tells whether a plan in which Terraform proposes the
// prior state is that state: there is no rule for plans, and no default that a
// configuration could fall back to.
func (r *managed[M, D, T]) PlansNothingByItself() bool {
	if r.kind.Plan != nil {
		return false
	}
	for _, attribute := range r.schema.Attributes {
		if mayDefault(attribute) {
			return false
		}
	}
	return true
}

// mayDefault tells whether an attribute has a default, or holds others that may.
func mayDefault(attribute schema.Attribute) bool {
	switch attribute := attribute.(type) {
	case schema.StringAttribute:
		return attribute.Default != nil
	case schema.BoolAttribute:
		return attribute.Default != nil
	case schema.Int64Attribute:
		return attribute.Default != nil
	case schema.ListAttribute:
		return attribute.Default != nil
	case schema.SetAttribute:
		return attribute.Default != nil
	case schema.MapAttribute:
		return attribute.Default != nil
	case schema.SingleNestedAttribute: // the timeouts
		return attribute.Default != nil || slices.ContainsFunc(slices.Collect(maps.Values(attribute.Attributes)), mayDefault)
	}
	return true
}

// ModifyPlan lets the kind complete a plan, unless the plan is to delete.
func (r *managed[M, D, T]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.kind.Plan == nil || req.Plan.Raw.IsNull() {
		return
	}
	var config, plan, state M
	planning := &Planning[M]{Config: &config, Plan: &plan, Provider: r.provider, Diagnostics: &resp.Diagnostics}
	if planning.Provider == nil {
		planning.Provider = &Provider{Now: time.Now}
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if !req.State.Raw.IsNull() {
		planning.State = &state
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	r.kind.Plan(ctx, planning)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.RequiresReplace = append(resp.RequiresReplace, planning.Replace...)
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &plan)...)
}
