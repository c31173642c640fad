package api

import "cmp"

// EdgeBackend is the backend that gets the traffic of an edge or route.
type EdgeBackend struct {
	// Enabled reports whether the backend gets traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// BackendID is the id of the backend in a request.
	BackendID string `json:"backend_id,omitempty"`
	// Backend is the backend in a response.
	Backend Ref `json:"backend,omitzero"`
}

// ID returns the id of the backend, and "" if the response does not show it.
func (b *EdgeBackend) ID() string { return cmp.Or(b.Backend.ID, b.BackendID) }

var (
	// TLSEdgeBackend are the backends of TLS edges.
	TLSEdgeBackend = edgeModules[EdgeBackend](
		Kind{Noun: "TLS edge backend", Path: "/edges/tls/{edge_id}/backend"}, TLSEdges,
	)
	// TCPEdgeBackend are the backends of TCP edges.
	TCPEdgeBackend = edgeModules[EdgeBackend](
		Kind{Noun: "TCP edge backend", Path: "/edges/tcp/{edge_id}/backend"}, TCPEdges,
	)
	// HTTPSEdgeRouteBackend are the backends of HTTPS edge routes.
	HTTPSEdgeRouteBackend = routeModules[EdgeBackend](
		Kind{Noun: "HTTPS edge route backend", Path: "/edges/https/{edge_id}/routes/{route_id}/backend"},
	)
)
