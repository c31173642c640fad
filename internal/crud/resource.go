package crud

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// Resource returns the constructor of a kind's resource. The schema is made
// once: Terraform asks for it again and again.
func (k Kind[M, D, T]) Resource() func() resource.Resource {
	full := k.Schema
	full.Attributes = maps.Clone(k.Schema.Attributes)
	full.Attributes["timeouts"] = timeoutsAttribute
	identity := identityschema.Schema{Attributes: map[string]identityschema.Attribute{}}
	for _, key := range k.Keys {
		identity.Attributes[key.Name] = identityschema.StringAttribute{RequiredForImport: true, Description: key.Description}
	}
	var writeOnly []string
	for name, attribute := range full.Attributes {
		if attribute.IsWriteOnly() {
			writeOnly = append(writeOnly, name)
		}
	}
	return func() resource.Resource {
		return &managed[M, D, T]{service: service[M, D, T]{kind: &k}, schema: full, identity: identity, writeOnly: writeOnly}
	}
}

type managed[M, D, T any] struct {
	service[M, D, T]
	schema    schema.Schema
	identity  identityschema.Schema
	writeOnly []string // names of attributes
}

var (
	_ resource.ResourceWithConfigure      = &managed[any, any, any]{}
	_ resource.ResourceWithIdentity       = &managed[any, any, any]{}
	_ resource.ResourceWithImportState    = &managed[any, any, any]{}
	_ resource.ResourceWithModifyPlan     = &managed[any, any, any]{}
	_ resource.ResourceWithValidateConfig = &managed[any, any, any]{}
)

func (r *managed[M, D, T]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.kind.Type
}

func (r *managed[M, D, T]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (r *managed[M, D, T]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = r.identity
}

func (r *managed[M, D, T]) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.provider, _ = req.ProviderData.(*Provider)
}

func (r *managed[M, D, T]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.kind.Validate == nil {
		return
	}
	var config M
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); !resp.Diagnostics.HasError() {
		r.kind.Validate(ctx, &config, &resp.Diagnostics)
	}
}

func (r *managed[M, D, T]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan, config M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	client := r.client(&resp.Diagnostics)
	limit, diags := r.kind.Timeouts(&plan).Create(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.deadline(ctx, "create", limit)
	defer cancel()

	object, err := r.kind.Operations.Create(ctx, client, &plan, &config)
	if errors.Is(err, errExists) {
		r.exists(&resp.Diagnostics, &plan)
		return
	}
	if err != nil {
		if doubt, ok := errors.AsType[*api.Doubt](err); ok {
			r.doubtful(&resp.Diagnostics, &plan, doubt, err)
			resp.Diagnostics.Append(r.recordDoubtful(ctx, req.Plan.Raw, &plan, resp)...)
			return
		}
		r.failed(&resp.Diagnostics, "create", err)
		return
	}
	r.applied(object, &plan)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, createdKey, createdNow())...)
	resp.Diagnostics.Append(r.identify(ctx, &plan, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		resp.Diagnostics.AddError("Created, but not recorded",
			"The "+r.kind.Noun+" exists at the service, but the state could not be written. Import it with:\n\n"+r.howToImport(&plan))
	}
}

func (r *managed[M, D, T]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	limit, diags := r.kind.Timeouts(&state).Read(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	// Before the service is asked: the framework refuses an answer without an
	// identity, that of an object which is gone included, and older Terraform
	// keeps none.
	resp.Diagnostics.Append(r.identify(ctx, &state, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		return
	}
	answer, asked := answered[T](ctx)
	if !asked {
		created, diags := req.Private.GetKey(ctx, createdKey)
		resp.Diagnostics.Append(diags...)
		answer.object, answer.err = r.ask(ctx, client, &state, limit, created)
	}
	object, err := answer.object, answer.err
	if api.IsGone(err) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		r.failed(&resp.Diagnostics, "read", err)
		return
	}
	r.fill(object, &state)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

// ask reads the object of a state from the service.
func (r *managed[M, D, T]) ask(ctx context.Context, client *api.Client, state *M, limit time.Duration, created []byte) (*T, error) {
	ctx, cancel := r.deadline(ctx, "read", limit)
	defer cancel()
	return api.Settled(ctx, createdAt(created), func(ctx context.Context) (*T, error) {
		return r.kind.Operations.Read(ctx, client, state)
	})
}

func (r *managed[M, D, T]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan, state M
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	limit, diags := r.kind.Timeouts(&plan).Update(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.deadline(ctx, "update", limit)
	defer cancel()

	object, err := r.kind.Operations.Update(ctx, client, &plan, &state)
	if err != nil {
		r.failed(&resp.Diagnostics, "update", err)
		return
	}
	if object != nil {
		r.applied(object, &plan)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
	resp.Diagnostics.Append(r.identify(ctx, &plan, resp.Identity)...)
}

func (r *managed[M, D, T]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state M
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	client := r.client(&resp.Diagnostics)
	limit, diags := r.kind.Timeouts(&state).Delete(ctx, defaultTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.deadline(ctx, "delete", limit)
	defer cancel()

	if err := r.kind.Operations.Delete(ctx, client, &state); err != nil && !api.IsGone(err) {
		r.failed(&resp.Diagnostics, "delete", err)
	}
}

// applied writes the service's object into the plan that it came from.
func (r *managed[M, D, T]) applied(object *T, plan *M) {
	planned := *plan
	r.fill(object, plan)
	if r.kind.Settle != nil {
		r.kind.Settle(&planned, plan)
	}
}
