package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Planning is a plan in the making: what a kind may look at, and what it may
// change.
type Planning[M any] struct {
	// Config is the configuration, write-only values included.
	Config *M
	// State is the prior state; nil for a new object.
	State *M
	// Plan may be changed where the schema allows it.
	Plan *M
	// Replace names the attributes whose change needs a new object.
	Replace path.Paths
	// Provider is the configuration of the provider. It always has a clock.
	Provider *Provider
	// Diagnostics may be added to.
	Diagnostics *diag.Diagnostics
}

// ModifyPlan lets the kind complete a plan, unless the plan is to delete.
func (r *managed[M, T]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
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
