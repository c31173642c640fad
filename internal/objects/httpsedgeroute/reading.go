package httpsedgeroute

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.HTTPSEdgeRoute]{
	Description: "Reads a route of an HTTPS edge. It matches requests by path.",
	Filters:     crud.ObjectFilters[api.HTTPSEdgeRoute](),
	Name:        func(o *api.HTTPSEdgeRoute) string { return crud.DisplayName(o.MatchType+" "+o.Match, o.Description) },
}
