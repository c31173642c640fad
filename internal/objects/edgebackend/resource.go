// Package edgebackend defines the backends that receive the traffic of edges
// and routes: tunnel_tls_edge_backend, tunnel_tcp_edge_backend and
// tunnel_https_edge_route_backend.
package edgebackend

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/edgemodule"
)

var (
	// TLS describes the backends of TLS edges to Terraform.
	TLS = ofEdge(api.TLSEdgeBackend, api.TLSEdges)
	// TCP describes the backends of TCP edges to Terraform.
	TCP = ofEdge(api.TCPEdgeBackend, api.TCPEdges)
	// HTTPSRoute describes the backends of HTTPS edge routes to Terraform.
	HTTPSRoute = edgemodule.OfRoute(
		edgemodule.Module[routeModel, api.HTTPSEdgeRoute, api.EdgeBackend]{
			Modules: api.HTTPSEdgeRouteBackend,
			Part:    func(r *api.HTTPSEdgeRoute) api.Part[api.EdgeBackend] { return r.Backend },
			Body:    func(m *routeModel) api.EdgeBackend { return m.body() },
		},
		kind(api.HTTPSEdgeRoutes.Noun, func(m *routeModel) *target { return &m.target }),
	)
)

type edgeModel struct {
	edgemodule.InEdge
	target
}

type routeModel struct {
	edgemodule.InRoute
	target
}

// target contains the attributes that both models share.
type target struct {
	Enabled   types.Bool   `tfsdk:"enabled"`
	BackendID types.String `tfsdk:"backend_id"`
}

func ofEdge(modules *api.Modules[api.EdgeBackend], edges *api.Objects[api.Edge]) *crud.Definition {
	return edgemodule.OfEdge(
		edges,
		edgemodule.Module[edgeModel, api.Edge, api.EdgeBackend]{
			Modules: modules,
			Part:    func(e *api.Edge) api.Part[api.EdgeBackend] { return e.Backend },
			Body:    func(m *edgeModel) api.EdgeBackend { return m.body() },
		},
		kind(edges.Noun, func(m *edgeModel) *target { return &m.target }),
	)
}

var backends = []*api.Kind{api.GroupBackends.Kind, api.FailoverBackends.Kind, api.HTTPResponseBackends.Kind}

// kind returns what does not depend on the parent's keys.
func kind[M any](parent string, of func(*M) *target) crud.Kind[*M, *api.EdgeBackend] {
	return crud.Kind[*M, *api.EdgeBackend]{
		Schema: schema.Schema{
			Description: "The backend that receives the traffic of " + crud.WithArticle(parent) + ". Each " + parent + " has at most one backend. " +
				"Creating the resource fails if a backend is already set: import it, unless another resource manages the same " + parent + ". " +
				"If two configurations manage it, the last write wins, " +
				"because the API replaces the backend.",
			Attributes: map[string]schema.Attribute{
				"enabled": crud.Enabled("backend"),
				"backend_id": schema.StringAttribute{
					Required: true,
					Description: "ID of the backend, such as `" + api.FailoverBackends.Example() + "` (failover backend), " +
						"`" + api.GroupBackends.Example() +
						"` (tunnel group backend) or `" + api.HTTPResponseBackends.Example() + "` (HTTP response backend).\nCan be updated in place.",
					Validators: crud.ID(backends...),
				},
			},
		},
		References: []crud.Reference[*M]{
			{Attribute: "backend_id", To: backends, Of: func(m *M) []string { return []string{of(m).BackendID.ValueString()} }},
		},
		Fill: func(_ *crud.Provider, answer *api.EdgeBackend, m *M) {
			of(m).Enabled = crud.EnabledOf(answer.Enabled)
			of(m).BackendID = types.StringValue(answer.ID())
		},
		Reading: crud.Reading[*M, *api.EdgeBackend]{
			Description: "Reads the backend of " + crud.WithArticle(parent) + ". Fails if no backend is set.",
		},
	}
}

func (t *target) body() api.EdgeBackend {
	return api.EdgeBackend{Enabled: t.Enabled.ValueBoolPointer(), BackendID: t.BackendID.ValueString()}
}
