package crud

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// Resource returns the constructor of a kind's resource. The schemas are built
// once, because Terraform requests them many times.
func (k Kind[M, T]) Resource() func() resource.Resource {
	identity := identityschema.Schema{Attributes: map[string]identityschema.Attribute{}}
	for _, key := range k.Keys {
		identity.Attributes[key.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: key.Description}
	}
	return func() resource.Resource {
		return &managed[M, T]{service: service[M, T]{kind: &k}, identity: identity}
	}
}

type managed[M, T any] struct {
	service[M, T]
	identity identityschema.Schema
}

var (
	_ resource.ResourceWithConfigure      = &managed[any, any]{}
	_ resource.ResourceWithIdentity       = &managed[any, any]{}
	_ resource.ResourceWithImportState    = &managed[any, any]{}
	_ resource.ResourceWithModifyPlan     = &managed[any, any]{}
	_ resource.ResourceWithValidateConfig = &managed[any, any]{}
)

func (r *managed[M, T]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.kind.Type
}

func (r *managed[M, T]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.kind.Schema
}

func (r *managed[M, T]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.identity
}

func (r *managed[M, T]) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.provider, _ = req.ProviderData.(*Provider)
}

func (r *managed[M, T]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.kind.Validate == nil {
		return
	}
	var config M
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); !resp.Diagnostics.HasError() {
		r.kind.Validate(ctx, &config, &resp.Diagnostics)
	}
}

func (r *managed[M, T]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.limit(ctx)
	defer cancel()

	if r.kind.BeforeCreate != nil {
		r.kind.BeforeCreate(r.provider, &plan)
	}
	object, err := r.kind.Operations.Create(ctx, client, &plan, &config)
	if existing, ok := errors.AsType[*api.ExistsError](err); ok {
		r.exists(&resp.Diagnostics, &plan, existing)
		return
	}
	if outcome, ok := errors.AsType[*api.UnknownOutcomeError](err); ok {
		r.unknownOutcome(&resp.Diagnostics, &plan, outcome, err)
		return
	}
	if err != nil {
		r.failed(&resp.Diagnostics, "creating", err)
		return
	}
	r.applied(object, &plan)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(r.identify(ctx, &plan, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		resp.Diagnostics.AddError("The "+r.kind.Noun+" was created but could not be saved to the state",
			"The object was created, but Terraform could not save it. Import it with:\n\n"+r.howToImport(&plan))
	}
}

func (r *managed[M, T]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	// Set the identity before the request. The framework rejects a response
	// without an identity, even if the object is gone, and Terraform before
	// 1.12 does not store one.
	resp.Diagnostics.Append(r.identify(ctx, &state, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.limit(ctx)
	defer cancel()

	object, err := api.Settled(ctx, createdAt(&state), func(ctx context.Context) (*T, error) {
		return r.kind.Operations.Read(ctx, client, &state)
	})
	if api.IsGone(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		r.failed(&resp.Diagnostics, "reading", err)
		return
	}
	r.fill(object, &state)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// createdAt returns when the object of a model was created, by the service's
// clock. It returns the zero time if the model has no such attribute or value.
func createdAt[M any](model *M) time.Time {
	object, ok := any(model).(interface{ createdAt() time.Time })
	if !ok {
		return time.Time{}
	}
	return object.createdAt()
}

func (r *managed[M, T]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.limit(ctx)
	defer cancel()

	object, err := r.kind.Operations.Update(ctx, client, &plan, &state)
	if err != nil {
		r.failed(&resp.Diagnostics, "updating", err)
		return
	}
	if object != nil {
		r.applied(object, &plan)
	} else if r.kind.Observe != nil { // sets what the plan left unknown
		planned := plan
		r.kind.Observe(r.provider, &plan)
		r.settle(&planned, &plan)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(r.identify(ctx, &plan, resp.Identity)...)
}

func (r *managed[M, T]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.limit(ctx)
	defer cancel()

	err := r.kind.Operations.Delete(ctx, client, &state)
	if err == nil {
		return
	}
	if answer, ok := errors.AsType[*api.Error](err); ok && answer.Status == http.StatusConflict && r.kind.Operations.Users != nil {
		r.inUse(&resp.Diagnostics, r.kind.Operations.Users(ctx, client, &state), err)
		return
	}
	r.failed(&resp.Diagnostics, "deleting", err)
}

// applied writes the service's object into the plan that produced it.
func (r *managed[M, T]) applied(object *T, plan *M) {
	planned := *plan
	r.fill(object, plan)
	r.settle(&planned, plan)
}

func (r *managed[M, T]) settle(planned, state *M) {
	if r.kind.Settle != nil {
		r.kind.Settle(planned, state)
	}
}
