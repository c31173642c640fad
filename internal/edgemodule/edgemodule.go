// Package edgemodule has what the modules of edges and of routes have in common: their
// keys, and where their parents show them.
package edgemodule

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// InEdge is the key of a module of a TLS or TCP edge. Models embed it.
type InEdge struct {
	EdgeID types.String `tfsdk:"edge_id"`
}

func (k *InEdge) edge() *InEdge { return k }

// InRoute are the keys of a module of an HTTPS edge route. Models embed it.
type InRoute struct {
	EdgeID  types.String `tfsdk:"edge_id"`
	RouteID types.String `tfsdk:"route_id"`
}

func (k *InRoute) route() *InRoute { return k }

// A Module says how a module is read and written.
type Module[M, P, T any] struct {
	// Modules are the modules of the kind.
	Modules *api.Modules[T]
	// Part returns the module as the response with its parent shows it.
	Part func(*P) api.Part[T]
	// Body returns the whole desired state.
	Body func(*M) T
}

// OfEdge completes the description of modules of edges, which has all but the kind, the
// keys and the operations, and defines them.
func OfEdge[M, T any, P interface {
	*M
	edge() *InEdge
}](edges *api.Objects[api.Edge], module Module[M, api.Edge, T], k crud.Kind[*M, *T]) *crud.Definition {
	edgeID := func(m *M) *types.String { return &P(m).edge().EdgeID }
	k.Kind, k.Subcategory = module.Modules.Kind, "Edges"
	k.Schema.Attributes["edge_id"] = crud.Parent(edges.Kind)
	k.Keys = []crud.Key[*M]{{Name: "edge_id", Kind: edges.Kind, Parent: true, Of: edgeID}}
	k.Operations = crud.Module(module.Modules, module.Body, edges, func(edge *api.Edge) []crud.Item[*M, *T] {
		var keys M
		*edgeID(&keys) = types.StringValue(edge.ID)
		return crud.PartItems(&keys, module.Part(edge))
	}, edgeID)
	return crud.Define(k)
}

// OfRoute is like OfEdge, for modules of HTTPS edge routes.
func OfRoute[M, T any, P interface {
	*M
	route() *InRoute
}](module Module[M, api.HTTPSEdgeRoute, T], k crud.Kind[*M, *T]) *crud.Definition {
	edges, routes := api.HTTPSEdges, api.HTTPSEdgeRoutes.Kind
	edgeID := func(m *M) *types.String { return &P(m).route().EdgeID }
	routeID := func(m *M) *types.String { return &P(m).route().RouteID }
	k.Kind, k.Subcategory = module.Modules.Kind, "Edges"
	k.Schema.Attributes["edge_id"], k.Schema.Attributes["route_id"] = crud.Parent(edges.Kind), crud.Parent(routes)
	k.Keys = []crud.Key[*M]{
		{Name: "edge_id", Kind: edges.Kind, Parent: true, Of: edgeID},
		{Name: "route_id", Kind: routes, Of: routeID},
	}
	k.Operations = crud.Module(module.Modules, module.Body, edges, func(edge *api.HTTPSEdge) (items []crud.Item[*M, *T]) {
		for i := range edge.Routes {
			var keys M
			*edgeID(&keys), *routeID(&keys) = types.StringValue(edge.ID), types.StringValue(edge.Routes[i].ID)
			items = append(items, crud.PartItems(&keys, module.Part(&edge.Routes[i]))...)
		}
		return items
	}, edgeID, routeID)
	return crud.Define(k)
}
