// Package failoverbackend defines backends that send traffic to the first
// available child backend: tunnel_failover_backend.
package failoverbackend

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes failover backends to Terraform.
var Kind = crud.Define(crud.Kind[model, api.FailoverBackend]{
	Type: "failover_backend",
	Noun: "failover backend",
	Schema: schema.Schema{
		Description: "A failover backend. It sends traffic to the first child backend that is available.",
		Attributes:  crud.ObjectAttributes("failover backend", attributes),
	},
	Keys:    crud.ObjectKey(func(m *model) *crud.Object { return &m.Object }, "failover backend", "bkdfo_2abc"),
	Fill:    fill,
	Reading: reading,
	Operations: crud.WithUsers(crud.Collection(
		func(client *api.Client, _ *model) *api.FailoverBackends { return client.FailoverBackends() },
		func(m *model) types.String { return m.ID },
		create, update,
	), func(ctx context.Context, client *api.Client, m *model) []string {
		return client.BackendUsers(ctx, m.ID.ValueString())
	}),
})

type model struct {
	crud.Object
	Backends types.List `tfsdk:"backends"`
}

var attributes = map[string]schema.Attribute{
	"backends": schema.ListAttribute{
		ElementType: types.StringType,
		Required:    true,
		Description: "IDs of the child backends in order of preference, such as `[tunnel_group_backend.a.id, tunnel_group_backend.b.id]`. Must not contain the failover backend itself. Can be updated in place.",
		Validators:  []validator.List{attribute.NoNulls, attribute.NoDuplicates, listvalidator.ValueStringsAre(attribute.NotEmpty)},
	},
}

func create(plan, _ *model) api.FailoverBackendCreate {
	return api.FailoverBackendCreate{Details: plan.Details(), Backends: attribute.Strings(plan.Backends)}
}

func update(plan *model) api.FailoverBackendUpdate {
	backends := append([]string{}, attribute.Strings(plan.Backends)...) // never null, because some services then keep the old list
	return api.FailoverBackendUpdate{DetailsUpdate: plan.DetailsUpdate(), Backends: backends}
}

func fill(answer *api.FailoverBackend, m *model) {
	m.Object.Fill(&answer.Object)
	m.Backends = attribute.ListOf(answer.Backends)
}
