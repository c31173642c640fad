// Package httpsedgeroute defines routes of HTTPS edges:
// tunnel_https_edge_route.
package httpsedgeroute

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes HTTPS edge routes to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.HTTPSEdgeRoute]{
	Kind:        api.HTTPSEdgeRoutes.Kind,
	Subcategory: "Edges",
	Schema: schema.Schema{
		Description: "A route of an HTTPS edge. It matches requests by path. If several routes match a request, the API documentation does not " +
			"say which one is used. Its backend, IP restriction, compression module and websocket TCP converter module are separate resources: " +
			"`tunnel_https_edge_route_backend`, `tunnel_https_edge_route_ip_restriction`, `tunnel_https_edge_route_compression` and " +
			"`tunnel_https_edge_route_websocket_tcp_converter`. " +
			"Deleting the route deletes them.",
		Attributes: crud.ObjectAttributes(api.HTTPSEdgeRoutes.Kind, attributes),
	},
	Keys: append(
		[]crud.Key[*model]{{Name: "edge_id", Kind: api.HTTPSEdges.Kind, Parent: true, Of: edgeID}},
		crud.ObjectKey[model](api.HTTPSEdgeRoutes.Kind)...),
	NaturalKey: "match",
	Fill:       fill,
	Reading:    reading,
	Operations: operations(),
})

func operations() crud.Operations[*model, *api.HTTPSEdgeRoute] {
	o := crud.Collection(api.HTTPSEdgeRoutes, crud.CreateWith(body), body, edgeID)
	o.Lists = crud.InParents(api.HTTPSEdges, func(edge *api.HTTPSEdge) []crud.Item[*model, *api.HTTPSEdgeRoute] {
		items := make([]crud.Item[*model, *api.HTTPSEdgeRoute], len(edge.Routes))
		for i := range edge.Routes {
			items[i] = crud.Item[*model, *api.HTTPSEdgeRoute]{
				Model:  keys(edge.ID, edge.Routes[i].ID),
				Object: &edge.Routes[i],
			}
		}
		return items
	}, nil, edgeID, func(m *model) *types.String { return &m.ID })
	return o
}

func edgeID(m *model) *types.String { return &m.EdgeID }

type model struct {
	crud.Object
	EdgeID    types.String `tfsdk:"edge_id"`
	MatchType types.String `tfsdk:"match_type"`
	Match     types.String `tfsdk:"match"`
}

var attributes = map[string]schema.Attribute{
	"edge_id": crud.Parent(api.HTTPSEdges.Kind),
	"match_type": schema.StringAttribute{
		Required: true,
		Description: "How `match` is compared with the request path. One of `exact_path` (the same path) or `path_prefix` (all paths that " +
			"begin with `match`).\nThe API documentation does not say which route gets a request that several match. Can be updated in place.",
		Validators: attribute.UsuallyOneOf("exact_path", "path_prefix"),
	},
	"match": schema.StringAttribute{
		Required: true,
		Description: "Path to match, such as `/api/`.\nMust begin with a slash and be unique within the edge. Can be updated in place. " +
			"To exchange the paths of two or more routes, set one to an unused path and apply. Then set the intended paths, and apply again " +
			"while a path is still in use.",
		Validators:    attribute.RoutePath,
		PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
	},
}

func body(plan *model) api.HTTPSEdgeRouteBody {
	return api.HTTPSEdgeRouteBody{Details: plan.Details(), MatchType: plan.MatchType.ValueString(), Match: plan.Match.ValueString()}
}

func fill(_ *crud.Provider, answer *api.HTTPSEdgeRoute, m *model) {
	m.Object.Fill(&answer.Object)
	m.MatchType = types.StringValue(answer.MatchType)
	m.Match = types.StringValue(answer.Match)
}

// keys returns a model with the keys of a route.
func keys(edge, id string) *model {
	m := &model{EdgeID: types.StringValue(edge)}
	m.ID = types.StringValue(id)
	return m
}
