package api

// RouteModule is a feature of an HTTPS edge route that can be turned on and
// off.
type RouteModule struct {
	// Enabled reports whether the module is applied to traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
}

var (
	// WebsocketTCPConverterKind names websocket TCP converters of HTTPS edge
	// routes.
	WebsocketTCPConverterKind = newKind(
		Kind{Noun: "HTTPS edge route websocket TCP converter", Path: "/edges/https/{edge_id}/routes/{route_id}/websocket_tcp_converter"},
	)
	// CompressionKind names compressions of HTTPS edge routes.
	CompressionKind = newKind(Kind{Noun: "HTTPS edge route compression", Path: "/edges/https/{edge_id}/routes/{route_id}/compression"})
)

// WebsocketTCPConverter returns the websocket TCP converter of a route.
func WebsocketTCPConverter(c *Client, edgeID, routeID string) Module[RouteModule] {
	return module[RouteModule](c, WebsocketTCPConverterKind, HTTPSEdgeRoutes(c, edgeID), edgeID, routeID)
}

// Compression returns the compression of a route.
func Compression(c *Client, edgeID, routeID string) Module[RouteModule] {
	return module[RouteModule](c, CompressionKind, HTTPSEdgeRoutes(c, edgeID), edgeID, routeID)
}
