// Package edgebackend defines the backends that receive the traffic of edges
// and routes: tunnel_tls_edge_backend, tunnel_tcp_edge_backend and
// tunnel_https_edge_route_backend.
package edgebackend

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	// TLS describes the backends of TLS edges to Terraform.
	TLS = ofEdge(api.TLSEdgeBackend, api.TLSEdges)
	// TCP describes the backends of TCP edges to Terraform.
	TCP = ofEdge(api.TCPEdgeBackend, api.TCPEdges)
	// HTTPSRoute describes the backends of HTTPS edge routes to Terraform.
	HTTPSRoute = ofRoute()
)

type edgeModel struct {
	EdgeID types.String `tfsdk:"edge_id"`
	target
}

type routeModel struct {
	EdgeID  types.String `tfsdk:"edge_id"`
	RouteID types.String `tfsdk:"route_id"`
	target
}

// target contains the attributes that both models share.
type target struct {
	Enabled   types.Bool   `tfsdk:"enabled"`
	BackendID types.String `tfsdk:"backend_id"`
}

func ofEdge(backends *api.Modules[api.EdgeBackend], edges *api.Objects[api.Edge]) crud.Definition {
	parent := edges.Kind
	edgeID := func(m *edgeModel) *types.String { return &m.EdgeID }
	return crud.Define(crud.Kind[edgeModel, api.EdgeBackend]{
		Kind:        backends.Kind,
		Subcategory: "Edges",
		Schema:      moduleSchema(parent.Noun, map[string]schema.Attribute{"edge_id": crud.Parent(parent)}),
		Keys:        []crud.Key[edgeModel]{{Name: "edge_id", Kind: parent, Parent: true, Of: edgeID}},
		References:  references(func(m *edgeModel) *target { return &m.target }),
		Fill:        func(_ *crud.Provider, answer *api.EdgeBackend, m *edgeModel) { m.fill(answer) },
		Reading:     reading[edgeModel](parent.Noun),
		Operations: crud.Module(
			backends,
			func(m *edgeModel) bool { return !m.Enabled.IsNull() },
			func(m *edgeModel) api.EdgeBackend { return m.body() },
			edges, func(edge *api.Edge) []crud.Item[edgeModel, api.EdgeBackend] {
				return crud.PartItems(edgeModel{EdgeID: types.StringValue(edge.ID)}, edge.Backend)
			}, edgeID,
		),
	})
}

func ofRoute() crud.Definition {
	parent := api.HTTPSEdgeRoutes.Kind
	edgeID := func(m *routeModel) *types.String { return &m.EdgeID }
	routeID := func(m *routeModel) *types.String { return &m.RouteID }
	return crud.Define(crud.Kind[routeModel, api.EdgeBackend]{
		Kind:        api.HTTPSEdgeRouteBackend.Kind,
		Subcategory: "Edges",
		Schema: moduleSchema(parent.Noun, map[string]schema.Attribute{
			"edge_id":  crud.Parent(api.HTTPSEdges.Kind),
			"route_id": crud.Parent(parent),
		}),
		Keys: []crud.Key[routeModel]{
			{Name: "edge_id", Kind: api.HTTPSEdges.Kind, Parent: true, Of: edgeID},
			{Name: "route_id", Kind: parent, Of: routeID},
		},
		References: references(func(m *routeModel) *target { return &m.target }),
		Fill:       func(_ *crud.Provider, answer *api.EdgeBackend, m *routeModel) { m.fill(answer) },
		Reading:    reading[routeModel](parent.Noun),
		Operations: crud.Module(
			api.HTTPSEdgeRouteBackend,
			func(m *routeModel) bool { return !m.Enabled.IsNull() },
			func(m *routeModel) api.EdgeBackend { return m.body() },
			api.HTTPSEdges, func(edge *api.HTTPSEdge) (items []crud.Item[routeModel, api.EdgeBackend]) {
				for _, route := range edge.Routes {
					keys := routeModel{EdgeID: types.StringValue(edge.ID), RouteID: types.StringValue(route.ID)}
					items = append(items, crud.PartItems(keys, route.Backend)...)
				}
				return items
			}, edgeID, routeID,
		),
	})
}

var backends = []*api.Kind{api.GroupBackends.Kind, api.FailoverBackends.Kind, api.HTTPResponseBackends.Kind}

func references[M any](of func(*M) *target) []crud.Reference[M] {
	return []crud.Reference[M]{
		{Attribute: "backend_id", To: backends, Of: func(m *M) []string { return []string{of(m).BackendID.ValueString()} }},
	}
}

func moduleSchema(parent string, own map[string]schema.Attribute) schema.Schema {
	own["enabled"] = crud.Enabled("backend")
	own["backend_id"] = schema.StringAttribute{
		Required: true,
		Description: "ID of the backend, such as `" + api.FailoverBackends.Example() + "` (failover backend), " +
			"`" + api.GroupBackends.Example() +
			"` (tunnel group backend) or `" + api.HTTPResponseBackends.Example() + "` (HTTP response backend).\nCan be updated in place.",
		Validators: crud.ID(backends...),
	}
	return schema.Schema{
		Description: "The backend that receives the traffic of " + crud.WithArticle(parent) + ". Each " + parent + " has at most one backend. " +
			"Creating the resource fails if a backend is already set: import it, unless another resource has the same parent. " +
			"If two configurations manage it, the last write wins, " +
			"because the API replaces the backend.",
		Attributes: own,
	}
}

func reading[M any](parent string) crud.Reading[M, api.EdgeBackend] {
	return crud.Reading[M, api.EdgeBackend]{
		Description: "Reads the backend of " + crud.WithArticle(parent) + ". Fails if no backend is set.",
	}
}

func (t *target) body() api.EdgeBackend {
	return api.EdgeBackend{Enabled: t.Enabled.ValueBoolPointer(), BackendID: t.BackendID.ValueString()}
}

func (t *target) fill(answer *api.EdgeBackend) {
	t.Enabled = crud.EnabledOf(answer.Enabled)
	t.BackendID = types.StringValue(answer.ID())
}
