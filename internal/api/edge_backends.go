package api

// EdgeBackend is the backend that gets the traffic of an edge or route.
type EdgeBackend struct {
	// Enabled reports whether the backend gets traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// BackendID is the id of the backend in a request.
	BackendID string `json:"backend_id,omitempty"`
	// Backend is the backend in a response.
	Backend *Ref `json:"backend,omitempty"`
}

// ID returns the id of the backend.
func (b *EdgeBackend) ID() string {
	if b.Backend == nil {
		return b.BackendID
	}
	return b.Backend.ID
}

var (
	// TLSEdgeBackendKind names backends of TLS edges.
	TLSEdgeBackendKind = newKind(Kind{Noun: "TLS edge backend", Path: "/edges/tls/{edge_id}/backend"})
	// TCPEdgeBackendKind names backends of TCP edges.
	TCPEdgeBackendKind = newKind(Kind{Noun: "TCP edge backend", Path: "/edges/tcp/{edge_id}/backend"})
	// HTTPSEdgeRouteBackendKind names backends of HTTPS edge routes.
	HTTPSEdgeRouteBackendKind = newKind(Kind{Noun: "HTTPS edge route backend", Path: "/edges/https/{edge_id}/routes/{route_id}/backend"})
)

// TLSEdgeBackend returns the backend of a TLS edge.
func TLSEdgeBackend(c *Client, edgeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, TLSEdgeBackendKind, TLSEdges(c), edgeID)
}

// TCPEdgeBackend returns the backend of a TCP edge.
func TCPEdgeBackend(c *Client, edgeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, TCPEdgeBackendKind, TCPEdges(c), edgeID)
}

// HTTPSEdgeRouteBackend returns the backend of a route of an HTTPS edge.
func HTTPSEdgeRouteBackend(c *Client, edgeID, routeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, HTTPSEdgeRouteBackendKind, HTTPSEdgeRoutes(c, edgeID), edgeID, routeID)
}
