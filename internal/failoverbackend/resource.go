// Package failoverbackend is backends that send traffic to the first of their
// children that is up: tunnel_failover_backend.
package failoverbackend

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes failover backends to Terraform.
var Kind = crud.Kind[model, data, api.FailoverBackend]{
	Type: "failover_backend",
	Noun: "failover backend",
	Schema: schema.Schema{
		Description: "A failover backend: traffic goes to the first of its child backends that is up.",
		Attributes:  crud.ObjectAttributes("failover backend", attributes),
	},
	Keys:     crud.ObjectKey(func(m *model) *crud.Object { return &m.Object }, "failover backend", "bkdfo_2abc"),
	Data:     func(m *model) *data { return &m.data },
	Timeouts: func(m *model) timeouts.Value { return m.Timeouts },
	Fill:     fill,
	Reading:  reading,
	Operations: crud.Collection(
		func(client *api.Client, _ *model) api.FailoverBackends { return client.FailoverBackends() },
		func(m *model) types.String { return m.ID },
		create, update,
	),
}

type data struct {
	crud.Object
	Backends types.List `tfsdk:"backends"`
}

type model struct {
	data
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

var attributes = map[string]schema.Attribute{
	"backends": schema.ListAttribute{
		ElementType: types.StringType,
		Required:    true,
		Description: "Ids of the child backends, the preferred one first. At least one, none of them twice, and not the failover backend itself. Changed in place.",
		Validators: []validator.List{
			attribute.NoNulls, listvalidator.SizeAtLeast(1), listvalidator.UniqueValues(), listvalidator.ValueStringsAre(attribute.NotEmpty),
		},
	},
}

func create(plan, _ *model) api.FailoverBackendCreate {
	return api.FailoverBackendCreate{Details: plan.Details(), Backends: attribute.Strings(plan.Backends)}
}

func update(plan, state *model) (api.FailoverBackendUpdate, bool) {
	details, changed := plan.DetailsUpdate(&state.Object)
	backends := attribute.Strings(plan.Backends)
	changed = changed || !slices.Equal(backends, attribute.Strings(state.Backends))
	return api.FailoverBackendUpdate{DetailsUpdate: details, Backends: backends}, changed
}

func fill(answer *api.FailoverBackend, d *data) {
	d.Object.Fill(&answer.Object)
	d.Backends = attribute.ListOf(answer.Backends)
}
