// Package routemodule defines modules of HTTPS edge routes that are enabled or
// disabled: tunnel_https_edge_route_websocket_tcp_converter and
// tunnel_https_edge_route_compression.
package routemodule

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/edgemodule"
)

var (
	// WebsocketTCPConverter describes the module that converts websocket
	// connections to TCP connections.
	WebsocketTCPConverter = kind(api.WebsocketTCPConverter, "websocket TCP converter",
		"Converts the websocket connections of an HTTPS edge route to TCP connections.",
		func(r *api.HTTPSEdgeRoute) api.Part[api.RouteModule] { return r.WebsocketTCPConverter })
	// Compression describes the module that compresses responses.
	Compression = kind(api.Compression, "compression",
		"Compresses the responses of an HTTPS edge route.",
		func(r *api.HTTPSEdgeRoute) api.Part[api.RouteModule] { return r.Compression })
)

func kind(
	modules *api.Modules[api.RouteModule], noun, description string,
	inRoute func(*api.HTTPSEdgeRoute) api.Part[api.RouteModule],
) *crud.Definition {
	return edgemodule.OfRoute(
		edgemodule.Module[model, api.HTTPSEdgeRoute, api.RouteModule]{
			Modules: modules, Part: inRoute, Body: body,
		},
		crud.Kind[*model, *api.RouteModule]{
			Schema: schema.Schema{
				Description: description + " Each route has at most one " + noun + " module. " +
					"Creating the resource fails if the module is already set: import it, unless another resource has the same `route_id`. " +
					"If two configurations manage it, the last write wins, " +
					"because the API replaces the module. Deleting the module does not change the route.",
				Attributes: map[string]schema.Attribute{"enabled": crud.Enabled(noun + " module")},
			},
			Fill:    fill,
			Reading: reading(noun),
		},
	)
}

type model struct {
	edgemodule.InRoute
	Enabled types.Bool `tfsdk:"enabled"`
}

func body(m *model) api.RouteModule {
	return api.RouteModule{Enabled: m.Enabled.ValueBoolPointer()}
}

func fill(_ *crud.Provider, answer *api.RouteModule, m *model) {
	m.Enabled = crud.EnabledOf(answer.Enabled)
}
