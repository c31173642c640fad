package crud

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// Resource returns the constructor of a kind's resource. The schemas are built
// once, because Terraform requests them many times.
func (k *Definition) Resource() func() resource.Resource {
	identity := identityschema.Schema{Attributes: map[string]identityschema.Attribute{}}
	for _, key := range k.Keys {
		identity.Attributes[key.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: key.Description}
	}
	defaults, err := defaultsOf(k.Schema)
	if err != nil {
		panic(fmt.Sprintf("the defaults of %q: %s", k.Noun, err))
	}
	of := kindResource{
		base: base{kind: k}, identity: identity,
		defaults: defaults, nestedDefaults: nestedDefaultsOf(k.Schema),
	}
	return func() resource.Resource {
		r := of
		return &r
	}
}

type kindResource struct {
	base
	identity       identityschema.Schema
	defaults       map[string][]byte // of the schema, in MessagePack
	nestedDefaults []string          // attributes that have a default in a nested attribute
}

var (
	_ resource.ResourceWithConfigure      = &kindResource{}
	_ resource.ResourceWithIdentity       = &kindResource{}
	_ resource.ResourceWithImportState    = &kindResource{}
	_ resource.ResourceWithModifyPlan     = &kindResource{}
	_ resource.ResourceWithMoveState      = &kindResource{}
	_ resource.ResourceWithValidateConfig = &kindResource{}
)

func (r *kindResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + typeOf(r.kind.Noun)
	// Otherwise a deferred object would have a null id, and the objects that refer
	// to it would be invalid.
	resp.ResourceBehavior.ProviderDeferred.EnablePlanModification = true
}

func (r *kindResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.kind.Schema
}

func (r *kindResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.identity
}

func (r *kindResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.provider, _ = req.ProviderData.(*Provider)
}

func (r *kindResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	if r.kind.Validate == nil {
		return
	}
	config := r.kind.newModel()
	if resp.Diagnostics.Append(r.decode(ctx, req.Config.Raw, config)...); !resp.Diagnostics.HasError() {
		r.kind.Validate(ctx, config, &resp.Diagnostics)
	}
}

func (r *kindResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := r.kind.newModel()
	resp.Diagnostics.Append(r.decode(ctx, req.State.Raw, state)...)
	client := r.clientOnce(&resp.Diagnostics)
	// Set the identity before the request. The framework rejects a response
	// without an identity, even if the object is gone, and Terraform before
	// 1.12 does not store one.
	resp.Diagnostics.Append(r.identify(ctx, state, resp.Identity)...)
	if resp.Diagnostics.HasError() || client == nil {
		return
	}
	ctx, cancel := r.provider.Limit(ctx)
	defer cancel()

	imports, account := r.imports(req.State.Raw), &r.provider.run.account
	if !imports {
		account.meet(r.held(state))
	}
	object, err := r.kind.Operations.Read(ctx, client, state)
	switch {
	case api.IsGone(err) && imports:
		resp.Diagnostics.AddError(
			capital(r.kind.Noun)+" not found",
			r.notFound(state, " Only existing objects can be imported or moved. To create a new one, remove the import or the moved block, and "+
				"apply."),
		)
	case api.IsGone(err):
		if strange := account.lose(ctx, r.held(state)); strange != nil && strange.first {
			r.wrongAccount(&resp.Diagnostics, strange)
			return
		} else if strange != nil { // one error is enough, and Terraform shows many warnings as one
			resp.Diagnostics.AddWarning(wrongAccount, r.goneToo(state))
			return
		}
		r.provider.run.release(r.named(state))
		resp.State.RemoveResource(ctx)
	case err != nil:
		r.failed(&resp.Diagnostics, "reading", state, err)
	default:
		account.found.CompareAndSwap(false, !imports)
		r.kind.Fill(r.provider, object, state)
		resp.Diagnostics.Append(r.encode(ctx, state, &resp.State.Raw)...)
	}
}

func (r *kindResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	plan, state := r.kind.newModel(), r.kind.newModel()
	resp.Diagnostics.Append(r.decode(ctx, req.Plan.Raw, plan)...)
	resp.Diagnostics.Append(r.decode(ctx, req.State.Raw, state)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.provider.Limit(ctx)
	defer cancel()

	sent := r.kind.copyOf(plan)
	if r.kind.WriteOnly != nil {
		config := r.kind.newModel()
		resp.Diagnostics.Append(r.decode(ctx, req.Config.Raw, config)...)
		r.kind.WriteOnly(sent, config, state)
	}
	object, err := r.kind.Operations.Update(ctx, client, sent, state)
	if err != nil {
		if r.naturalKeyTaken(&resp.Diagnostics, req, err) {
			return
		}
		r.failed(&resp.Diagnostics, "updating", plan, err)
		return
	}
	if object != nil {
		r.provider.run.account.found.Store(true)
		resp.Diagnostics.Append(r.applied(ctx, client, object, plan, req.Plan, &resp.State)...)
	} else {
		resp.State.Raw = known(req.Plan.Raw, req.State.Raw)
	}
	resp.Diagnostics.Append(r.identify(ctx, plan, resp.Identity)...)
}

func (r *kindResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	state := r.kind.newModel()
	resp.Diagnostics.Append(r.decode(ctx, req.State.Raw, state)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.provider.Limit(ctx)
	defer cancel()

	r.provider.run.deletes.Store(time.Now().UnixNano())
	account := &r.provider.run.account
	result, err := r.kind.Operations.Delete(ctx, client, state)
	account.found.CompareAndSwap(false, err == nil && result == api.Deleted)
	if err == nil {
		r.provider.run.release(r.named(state))
	}
	if r.isUsed() && api.RefusedForAnother(err) {
		users := r.users(ctx, state)
		if answer, _ := errors.AsType[*api.Error](err); len(users) > 0 || answer.Status == http.StatusConflict {
			r.inUse(&resp.Diagnostics, users, err)
			return
		}
	}
	switch {
	case err != nil:
		r.failed(&resp.Diagnostics, "deleting", state, err)
	case result == api.AlreadyGone:
		if strange := account.lose(ctx, r.held(state)); strange != nil && strange.first {
			r.wrongAccount(&resp.Diagnostics, strange)
		} else if strange != nil {
			resp.Diagnostics.AddError(wrongAccount, r.goneToo(state))
		}
	}
}

// applied saves the service's response to a create or an update, and warns of
// the values that the service stored differently than planned. The response may
// contain only a part of the object, so the object is read before the warning.
func (r *kindResource) applied(
	ctx context.Context, client *api.Client, object any, model any, planned tfsdk.Plan, state *tfsdk.State,
) diag.Diagnostics {
	found, diags := r.saved(ctx, object, model, planned, state)
	if len(found) == 0 {
		return diags
	}
	if whole, err := r.kind.Operations.Read(ctx, client, model); err == nil {
		if found, diags = r.saved(ctx, whole, model, planned, state); len(found) == 0 {
			return diags
		}
	}
	r.warnOfDifferences(&diags, model, found)
	return diags
}

// saved writes a response into the model of its plan and into the state. It
// returns the differences from the plan.
func (r *kindResource) saved(
	ctx context.Context, object any, model any, planned tfsdk.Plan, state *tfsdk.State,
) ([]difference, diag.Diagnostics) {
	r.kind.Fill(r.provider, object, model)
	diags := r.encode(ctx, model, &state.Raw)
	if diags.HasError() {
		return nil, diags
	}
	kept, found, err := keepPlanned(ctx, r.kind.Schema, planned.Raw, state.Raw)
	if err != nil {
		diags.AddError("Error saving the "+r.kind.Noun, capital(err.Error())+".")
		return nil, diags
	}
	state.Raw = kept
	diags.Append(r.decode(ctx, state.Raw, model)...)
	return found, diags
}
