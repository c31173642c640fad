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

// TLSEdgeBackend is the backend at /edges/tls/{id}/backend.
func (c *Client) TLSEdgeBackend(edgeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, "backend of TLS edge "+ShortID(edgeID), c.TLSEdges(), "backend", "/edges/tls/{id}/backend", edgeID)
}

// TCPEdgeBackend is the backend at /edges/tcp/{id}/backend.
func (c *Client) TCPEdgeBackend(edgeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, "backend of TCP edge "+ShortID(edgeID), c.TCPEdges(), "backend", "/edges/tcp/{id}/backend", edgeID)
}

// HTTPSEdgeRouteBackend is the backend at
// /edges/https/{edge_id}/routes/{id}/backend.
func (c *Client) HTTPSEdgeRouteBackend(edgeID, routeID string) Module[EdgeBackend] {
	return module[EdgeBackend](c, "backend of route "+ShortID(routeID)+" of HTTPS edge "+ShortID(edgeID), c.HTTPSEdgeRoutes(edgeID), "backend",
		"/edges/https/{edge_id}/routes/{id}/backend", edgeID, routeID)
}
