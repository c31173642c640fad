package api

// RouteModule is a feature of an HTTPS edge route that can be turned on and
// off.
type RouteModule struct {
	// Enabled reports whether the module is applied to traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
}

var (
	// WebsocketTCPConverter are the websocket TCP converters of HTTPS edge routes.
	WebsocketTCPConverter = routeModules[RouteModule](
		Kind{Noun: "HTTPS edge route websocket TCP converter", Path: "/edges/https/{edge_id}/routes/{route_id}/websocket_tcp_converter"},
	)
	// Compression are the compressions of HTTPS edge routes.
	Compression = routeModules[RouteModule](
		Kind{Noun: "HTTPS edge route compression", Path: "/edges/https/{edge_id}/routes/{route_id}/compression"},
	)
)
