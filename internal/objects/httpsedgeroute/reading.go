package httpsedgeroute

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[model, api.HTTPSEdgeRoute]{
	Description: "Reads a route of an HTTPS edge.",
	Plural:      "https_edge_routes",
	Nouns:       "HTTPS edge routes",
	Words: crud.ObjectWords(noun, map[string]string{
		"edge_id":    "Id of the HTTPS edge, such as `edghts_2abc`.",
		"match_type": "How `match` is compared with the path of a request: `exact_path` or `path_prefix`.",
		"match":      "Path that the route is for.",
	}),
	Filters: crud.ObjectFilters(func(o *api.HTTPSEdgeRoute) *api.Object { return &o.Object }),
	Name:    func(o *api.HTTPSEdgeRoute) string { return crud.Titled(o.MatchType+" "+o.Match, o.Description) },
	Compare: func(a, b *model) int { return a.Object.Compare(&b.Object) },
}
