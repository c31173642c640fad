package routemodule

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(noun string) crud.Reading[model, api.RouteModule] {
	return crud.Reading[model, api.RouteModule]{
		Description: "Reads the " + noun + " module of an HTTPS edge route. Fails if no module is set.",
		Descriptions: map[string]string{
			"edge_id":  "ID of the HTTPS edge, such as `edghts_2abc`.",
			"route_id": "ID of the route that the module belongs to, such as `edghtsrt_2abc`.",
			"enabled":  "Whether the " + noun + " module is enabled.",
		},
	}
}
