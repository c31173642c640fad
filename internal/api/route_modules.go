package api

// RouteModule is a feature of an HTTPS edge route that can be turned on and
// off.
type RouteModule struct {
	// Enabled reports whether the module is applied to traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
}

var (
	// WebsocketTCPConverterKind names websocket TCP converters of HTTPS edge routes,
	// and WebsocketTCPConverter returns one.
	WebsocketTCPConverterKind, WebsocketTCPConverter = routeModule[RouteModule](
		Kind{Noun: "HTTPS edge route websocket TCP converter", Path: "/edges/https/{edge_id}/routes/{route_id}/websocket_tcp_converter"},
	)
	// CompressionKind names compressions of HTTPS edge routes, and Compression returns
	// one.
	CompressionKind, Compression = routeModule[RouteModule](
		Kind{Noun: "HTTPS edge route compression", Path: "/edges/https/{edge_id}/routes/{route_id}/compression"},
	)
)
