package api

// RouteModule is a feature of an HTTPS edge route that can be turned on and
// off.
type RouteModule struct {
	// Enabled reports whether the module is applied to traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
}

// WebsocketTCPConverter is the module at
// /edges/https/{edge_id}/routes/{id}/websocket_tcp_converter.
func (c *Client) WebsocketTCPConverter(edgeID, routeID string) Module[RouteModule] {
	return routeModule(c, "websocket TCP converter", edgeID, routeID, "websocket_tcp_converter")
}

// Compression is the module at /edges/https/{edge_id}/routes/{id}/compression.
func (c *Client) Compression(edgeID, routeID string) Module[RouteModule] {
	return routeModule(c, "compression", edgeID, routeID, "compression")
}

func routeModule(c *Client, noun, edgeID, routeID, suffix string) Module[RouteModule] {
	return module[RouteModule](c, noun+" of route "+ShortID(routeID)+" of HTTPS edge "+ShortID(edgeID), c.HTTPSEdgeRoutes(edgeID), suffix,
		"/edges/https/{edge_id}/routes/{id}/"+suffix, edgeID, routeID)
}
