package crud

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Planning is a plan that a kind completes: what it can read, and what it can
// change.
type Planning[M any] struct {
	// Config is the configuration, including write-only values.
	Config M
	// State is the prior state; nil for a new object.
	State M
	// Plan is the planned state. It can be changed where the schema allows it.
	Plan M
	// Replace lists the attributes whose change requires a new object.
	Replace path.Paths
	// Changes reports whether the plan changes an attribute to a known value. A
	// decision that depends on the time must not cause a replacement then,
	// because Terraform plans an update again when it applies it.
	Changes bool
	// Provider is the configuration of the provider. Now is always set.
	Provider *Provider
	// Diagnostics receives errors and warnings.
	Diagnostics *diag.Diagnostics
}

// DuringDestroy ends the text of an error in the plan of a new object. Terraform
// plans the configuration before a destroy, too.
const DuringDestroy = " If this stops terraform destroy, add -refresh=false."

// ModifyPlan calls the kind's Plan function, unless the plan is to delete the
// object.
func (r *kindResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.checkAccount(ctx, req.State.Raw, &resp.Diagnostics)
	if !req.Plan.Raw.Equal(req.State.Raw) {
		if !req.State.Raw.IsNull() && !req.Plan.Raw.IsNull() && r.imports(req.State.Raw) {
			r.refuseUnread(&resp.Diagnostics)
			return
		}
		r.warnOfMissing(&resp.Diagnostics)
	}
	if r.kind.Plan != nil && !req.Plan.Raw.IsNull() {
		r.completePlan(ctx, req, resp)
	}
}

// checkAccount adds an error if the account may be the wrong one: a plan with
// -minimal-refresh reads only the objects that change.
func (r *kindResource) checkAccount(ctx context.Context, prior tftypes.Value, diags *diag.Diagnostics) {
	state := r.kind.newModel()
	if prior.IsNull() || r.provider == nil || r.provider.Client == nil || r.imports(prior) || r.decode(ctx, prior, state).HasError() {
		return
	}
	if strange := r.provider.run.account.plan(ctx, r.held(state)); strange != nil && strange.first {
		r.wrongAccount(diags, strange)
	}
}

func (r *kindResource) completePlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	config, plan, state := r.kind.newModel(), r.kind.newModel(), r.kind.newModel()
	planning := &Planning[any]{Config: config, Plan: plan, Provider: r.provider, Diagnostics: &resp.Diagnostics}
	if planning.Provider == nil {
		planning.Provider = &Provider{Now: time.Now}
	}
	resp.Diagnostics.Append(r.decode(ctx, req.Config.Raw, config)...)
	resp.Diagnostics.Append(r.decode(ctx, req.Plan.Raw, plan)...)
	if !req.State.Raw.IsNull() {
		planning.State = state
		resp.Diagnostics.Append(r.decode(ctx, req.State.Raw, state)...)
		planning.Changes = changes(req.State.Raw, req.Plan.Raw)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	r.kind.Plan(ctx, planning)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.RequiresReplace = append(resp.RequiresReplace, planning.Replace...)
	resp.Diagnostics.Append(r.encode(ctx, plan, &resp.Plan.Raw)...)
}

// changes reports whether a plan changes an attribute of a state to a known
// value.
func changes(state, plan tftypes.Value) bool {
	before := membersOf(state)
	for name, value := range membersOf(plan) {
		if value.IsFullyKnown() && !value.Equal(before[name]) {
			return true
		}
	}
	return false
}
