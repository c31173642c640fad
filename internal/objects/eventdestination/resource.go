// Package eventdestination defines what receives the events of event
// subscriptions: tunnel_event_destination.
package eventdestination

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes event destinations to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.EventDestination]{
	Kind:        api.EventDestinations.Kind,
	Subcategory: "Events",
	Schema:      resourceSchema,
	Keys:        crud.ObjectKey[model](api.EventDestinations.Kind),
	Fill:        fill,
	Reading: crud.Reading[*model, *api.EventDestination]{
		Description:  "Reads an event destination: it receives the events of event subscriptions.",
		ResourceOnly: targetSecret.Arguments(),
		Descriptions: map[string]string{"target": "Where the events go. Exactly one of its attributes is not null."},
		Filters:      crud.ObjectFilters[api.EventDestination](),
		Name: func(o *api.EventDestination) string {
			return crud.DisplayName(kindOf(answered(types.Object{}, o.Target)), o.Description)
		},
	},
	Validate: validate,
	Plan:     plan,
	WriteOnly: func(sent, config, state *model) {
		if sendsSecret(sent, state) || !state.Secret.IsNull() { // it replaces the plain one
			sent.SecretWO = config.SecretWO
		}
	},
	Operations: crud.Collection(api.EventDestinations, create, update),
})

type model struct {
	crud.Object
	Format          types.String `tfsdk:"format"`
	Target          types.Object `tfsdk:"target"`
	Secret          types.String `tfsdk:"secret"`
	SecretWO        types.String `tfsdk:"secret_wo"` // set in configurations only
	SecretWOVersion types.Int64  `tfsdk:"secret_wo_version"`
}

// secret returns the secret of a configuration.
func (m *model) secret() types.String {
	if m.Secret.IsNull() {
		return m.SecretWO
	}
	return m.Secret
}

// validate checks the parts of a configuration that do not depend on the state.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	targetSecret.Check(config.Secret, config.SecretWO, config.SecretWOVersion, diags)
	// Several targets, or several ways to authenticate, are an error of their own.
	if hasNoSecret(config.Target) && attribute.IsKnown(config.secret()) {
		at := path.Root("secret_wo")
		if !config.Secret.IsNull() {
			at = path.Root("secret")
		}
		diags.AddAttributeError(at, "Unexpected secret",
			at.String()+" is set, but the target has no secret: only auth.creds and datadog have one. Remove "+at.String()+", or, if "+
				"ignore_changes contains target and somebody has changed it, add "+at.String()+" there.")
	}
}

// plan checks that secrets are in their place only, and that the secret is set if a
// request needs it. A target is sent as a whole, and the service never returns its
// secret.
func plan(_ context.Context, p *crud.Planning[*model]) {
	if p.State != nil && kindOf(p.State.Target) != "" && kindOf(p.Plan.Target) == "" {
		p.Diagnostics.AddAttributeError(path.Root("target"), "Unknown kind of target",
			"The value of target is known only after apply, and another kind of target requires a new event destination, so this plan cannot "+
				"tell whether it replaces "+p.State.ID.ValueString()+". Write the kind in the configuration, such as target = { "+
				kindOf(p.State.Target)+" = ... }, or first apply the resource that produces the value (terraform apply -target=ADDRESS).")
		return
	}
	if checkPublic(p); p.Diagnostics.HasError() {
		return
	}
	secret := p.Config.secret()
	if p.State != nil && !sendsSecret(p.Plan, p.State) || !needsSecret(p.Plan.Target) {
		return
	}
	if authOf(p.Plan.Target) == "creds" && usualKeyID.MatchString(secret.ValueString()) {
		p.Diagnostics.AddError("Invalid secret",
			"The secret must be an AWS secret access key, which has 40 characters; found the ID of an access key (not shown).")
	}
	if !secret.IsNull() {
		return
	}
	why, what := "secret_wo_version changes", "Datadog API key"
	switch {
	case p.State == nil:
		why = "the event destination is new"
	case !p.Plan.Target.Equal(p.State.Target):
		why = "target changes"
	}
	if authOf(p.Plan.Target) == "creds" {
		what = "AWS secret access key"
	}
	p.Diagnostics.AddAttributeError(path.Root("target"), "Missing secret",
		"This plan sends the target to the service, because "+why+". Set secret_wo to the "+what+" of the target, and secret_wo_version to 1 "+
			"or a higher number. With Terraform before 1.11, set secret. "+
			"If ignore_changes contains secret_wo, or is all, remove it there: Terraform does not pass the value then. "+
			"An imported event destination whose target does not change does not need a secret. After an import, or if "+
			"somebody has changed the target outside of Terraform, compare target with the existing event destination."+crud.DuringDestroy)
}

// sendsSecret reports whether an update sends the write-only secret. Nobody knows
// whether the service still has it, so it is sent only if the user asks for that.
func sendsSecret(plan, state *model) bool {
	asks := !plan.SecretWOVersion.IsNull() && !plan.SecretWOVersion.Equal(state.SecretWOVersion)
	return asks || !plan.Target.Equal(state.Target)
}

func create(_ *crud.Provider, plan, config *model) api.EventDestinationCreate {
	return api.EventDestinationCreate{
		Details: plan.Details(), Format: plan.Format.ValueString(),
		Target: requested(plan.Target, config.secret()), Secret: config.secret().ValueString(),
	}
}

// update omits a target whose secret is not known: it does not change then.
func update(plan *model) api.EventDestinationUpdate {
	body := api.EventDestinationUpdate{Details: plan.Details(), Format: plan.Format.ValueString()}
	if secret := plan.secret(); !secret.IsNull() || !needsSecret(plan.Target) {
		body.Target, body.Secret = requested(plan.Target, secret), secret.ValueString()
	}
	return body
}

func fill(_ *crud.Provider, answer *api.EventDestination, m *model) {
	m.Object.Fill(&answer.Object)
	m.Format = types.StringValue(cmp.Or(answer.Format, defaultFormat))
	if target := answered(m.Target, answer.Target); !target.IsNull() || kindOf(m.Target) == "" {
		m.Target = target
	}
}
