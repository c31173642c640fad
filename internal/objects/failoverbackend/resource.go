// Package failoverbackend defines backends that send traffic to the first
// available child backend: tunnel_failover_backend.
package failoverbackend

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes failover backends to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.FailoverBackend]{
	Kind:        api.FailoverBackends.Kind,
	Subcategory: "Backends",
	Schema: schema.Schema{
		Description: "A failover backend. It sends traffic to the first child backend that is available. " +
			crud.ReplaceInUse("a backend"),
		Attributes: crud.ObjectAttributes(api.FailoverBackends.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.FailoverBackends.Kind),
	References: []crud.Reference[*model]{
		{Attribute: "backends", To: children, Of: func(m *model) []string { return attribute.Strings(m.Backends) }},
	},
	Fill:       fill,
	Reading:    reading,
	Operations: crud.Collection(api.FailoverBackends, crud.CreateWith(body), body),
})

var children = []*api.Kind{api.GroupBackends.Kind, api.FailoverBackends.Kind, api.HTTPResponseBackends.Kind}

type model struct {
	crud.Object
	Backends types.List `tfsdk:"backends"`
}

var attributes = map[string]schema.Attribute{
	"backends": schema.ListAttribute{
		ElementType: types.StringType,
		Required:    true,
		Description: "IDs of the child backends in order of preference.\nFor example `[tunnel_group_backend.a.id, tunnel_group_backend.b.id]`. " +
			"They can be failover backends, too, but none that contains this one. With `[]`, no child receives traffic. Can be updated in place.",
		Validators:    []validator.List{attribute.NoNulls, attribute.NoDuplicates, listvalidator.ValueStringsAre(crud.ID(children...)...)},
		PlanModifiers: []planmodifier.List{notItself{}},
	},
}

// notItself is a plan modifier that rejects a failover backend that contains
// itself.
type notItself struct{}

func (notItself) Description(context.Context) string {
	return "Must not contain the failover backend itself."
}

func (m notItself) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (notItself) PlanModifyList(ctx context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.State.Raw.IsNull() || req.PlanValue.Equal(req.StateValue) {
		return
	}
	var id types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	for i, backend := range attribute.Strings(req.PlanValue) {
		if backend != "" && backend == id.ValueString() {
			resp.Diagnostics.AddAttributeError(req.Path, "Failover backend contains itself", fmt.Sprintf(
				"%s must be the ID of another backend; found %q, the ID of this failover backend, which would contain itself. Remove it.",
				req.Path.AtListIndex(i),
				backend,
			))
		}
	}
}

func body(plan *model) api.FailoverBackendBody {
	backends := append([]string{}, attribute.Strings(plan.Backends)...) // never null, because some services then keep the old list
	return api.FailoverBackendBody{Details: plan.Details(), Backends: backends}
}

func fill(_ *crud.Provider, answer *api.FailoverBackend, m *model) {
	m.Object.Fill(&answer.Object)
	m.Backends = attribute.ListOf(answer.Backends)
}
