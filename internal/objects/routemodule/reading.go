package routemodule

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(suffix, noun string) crud.Reading[model, api.RouteModule] {
	return crud.Reading[model, api.RouteModule]{
		Description: "Reads the " + noun + " module of an HTTPS edge route. Fails if the route has none.",
		Plural:      "https_edge_route_" + suffix + "s",
		Nouns:       "HTTPS edge route " + noun + " modules",
		Words:       map[string]string{"enabled": "Whether the " + noun + " is applied to traffic."},
	}
}
