package routemodule

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(noun string) crud.Reading[*model, *api.RouteModule] {
	return crud.Reading[*model, *api.RouteModule]{
		Description: "Reads the " + noun + " module of an HTTPS edge route. Fails if no module is set.",
	}
}
