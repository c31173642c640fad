package kinds

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// httpsEdgeRoute is a route of an HTTPS edge with its modules backend,
// compression and websocket_tcp_converter.
type httpsEdgeRoute struct {
	common
	EdgeID    string       `json:"edge_id"`
	MatchType string       `json:"match_type"`
	Match     string       `json:"match"`
	Backend   *edgeBackend `json:"backend"`
	routeToggles

	IPRestriction *ipRestriction `json:"ip_restriction"`
}

const httpsEdgeRouteTable store.TableOf[*httpsEdgeRoute] = "https_edge_routes"

func (r *httpsEdgeRoute) Key() string { return r.EdgeID + "/" + r.ID }
func (r *httpsEdgeRoute) Refers() []string {
	return slices.Concat(r.Backend.Refers(), r.IPRestriction.Refers())
}
func (r *httpsEdgeRoute) Label() string { return r.Match }

// absentModules are the modules of a route that the server does not support.
// They are null in responses.
type absentModules struct {
	CircuitBreaker      *struct{} `json:"circuit_breaker"`
	OAuth               *struct{} `json:"oauth"`
	OIDC                *struct{} `json:"oidc"`
	SAML                *struct{} `json:"saml"`
	RequestHeaders      *struct{} `json:"request_headers"`
	ResponseHeaders     *struct{} `json:"response_headers"`
	WebhookVerification *struct{} `json:"webhook_verification"`
	UserAgentFilter     *struct{} `json:"user_agent_filter"`
	Policy              *struct{} `json:"policy"`
}

func httpsEdgeRoutes(s *Service) engine.Collection[*httpsEdgeRoute] {
	return engine.Collection[*httpsEdgeRoute]{
		Path:   "/edges/https/{edge_id}/routes",
		Prefix: "edghtsrt_",
		Noun:   "HTTPS edge route",
		Parent: httpsEdges(s),
		Refers: append([]string{ipPolicyPath}, backendPaths...),
		Table:  httpsEdgeRouteTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*httpsEdgeRoute, error) {
			r := &httpsEdgeRoute{common: newCommon(c, in), EdgeID: c.Key, MatchType: in.Required("match_type"), Match: in.Required("match")}
			r.check(s, in)
			return r, nil
		},
		Update: func(_ *engine.Call, old *httpsEdgeRoute, in *body.Object) *httpsEdgeRoute {
			r := copyOf(old)
			r.common = old.updated(in)
			r.MatchType = cmp.Or(orExisting(in.Text("match_type"), ""), old.MatchType)
			r.Match = cmp.Or(orExisting(in.Text("match"), ""), old.Match)
			r.check(s, in)
			return r
		},
		View: func(c *engine.Call, uri string, r *httpsEdgeRoute) any {
			return struct {
				URI string `json:"uri"`
				*httpsEdgeRoute
				Backend       any `json:"backend"`
				IPRestriction any `json:"ip_restriction"`
				absentModules
			}{URI: uri, httpsEdgeRoute: r, Backend: s.showBackend(c, r.Backend), IPRestriction: s.showRestriction(c, r.IPRestriction)}
		},
	}
}

// check validates the match and reads the modules that a request to the route
// contains.
func (r *httpsEdgeRoute) check(s *Service, in *body.Object) {
	known := r.MatchType == "exact_path" || r.MatchType == "path_prefix"
	in.Rule(known, "match_type", "match_type must be exact_path or path_prefix")
	in.Rule(strings.HasPrefix(r.Match, "/"), "match", "match must start with /")
	for _, other := range httpsEdgeRouteTable.In(s.store).Under(r.EdgeID, store.Present) {
		in.Rule(other.ID == r.ID || other.Match != r.Match, "match", "route %s of this edge already has this match", other.ID)
	}
	r.Backend = engine.Inline(in, "backend", r.Backend, s.readBackend)
	r.IPRestriction = engine.Inline(in, "ip_restriction", r.IPRestriction, s.readRestriction)
	r.readToggles(in)
}
