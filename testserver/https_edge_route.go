package testserver

import (
	"cmp"
	"strings"
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
}

const httpsEdgeRouteTable tableOf[*httpsEdgeRoute] = "https_edge_routes"

func (r *httpsEdgeRoute) key() string      { return r.EdgeID + "/" + r.ID }
func (r *httpsEdgeRoute) refers() []string { return r.Backend.refers() }

// absentModules are the modules of a route that the server does not support.
// They are null in responses.
type absentModules struct {
	CircuitBreaker      *struct{} `json:"circuit_breaker"`
	IPRestriction       *struct{} `json:"ip_restriction"`
	OAuth               *struct{} `json:"oauth"`
	OIDC                *struct{} `json:"oidc"`
	SAML                *struct{} `json:"saml"`
	RequestHeaders      *struct{} `json:"request_headers"`
	ResponseHeaders     *struct{} `json:"response_headers"`
	WebhookVerification *struct{} `json:"webhook_verification"`
	UserAgentFilter     *struct{} `json:"user_agent_filter"`
	Policy              *struct{} `json:"policy"`
}

func (s *service) httpsEdgeRoutes() collection[*httpsEdgeRoute] {
	return collection[*httpsEdgeRoute]{
		path:   "/edges/https/{edge_id}/routes",
		prefix: "edghtsrt_",
		noun:   "HTTPS edge route",
		parent: s.httpsEdges(),
		table:  httpsEdgeRouteTable.in(s.store),
		create: func(c *call, in *object) (*httpsEdgeRoute, error) {
			r := &httpsEdgeRoute{common: newCommon(c, in), EdgeID: c.key, MatchType: in.need("match_type"), Match: in.need("match")}
			r.check(s, in)
			return r, nil
		},
		update: func(c *call, old *httpsEdgeRoute, in *object) *httpsEdgeRoute {
			r := copyOf(old)
			r.common = old.updated(in)
			if c.quirk != nil && in.values["description"] == nil {
				r.Description = nil
			}
			r.MatchType = cmp.Or(orExisting(in.text("match_type"), ""), old.MatchType)
			r.Match = cmp.Or(orExisting(in.text("match"), ""), old.Match)
			r.check(s, in)
			return r
		},
		view: func(c *call, uri string, r *httpsEdgeRoute) any {
			return struct {
				URI string `json:"uri"`
				*httpsEdgeRoute
				Backend any `json:"backend"`
				absentModules
			}{URI: uri, httpsEdgeRoute: r, Backend: s.showBackend(c, r.Backend)}
		},
	}
}

// check validates the match and reads the modules that a request to the route
// contains.
func (r *httpsEdgeRoute) check(s *service, in *object) {
	if r.MatchType != "exact_path" && r.MatchType != "path_prefix" {
		in.refuse("match_type", "match_type must be exact_path or path_prefix")
	}
	in.rule(strings.HasPrefix(r.Match, "/"), "match", "match must start with /")
	for _, other := range httpsEdgeRouteTable.in(s.store).under(r.EdgeID, present) {
		in.rule(other.ID == r.ID || other.Match != r.Match, "match", "route %s of this edge already has this match", other.ID)
	}
	r.Backend = inline(in, "backend", r.Backend, s.readBackend)
	r.readToggles(in)
}

// routeBackend returns the backend module of a route.
func (s *service) routeBackend() module[*httpsEdgeRoute, edgeBackend] {
	return module[*httpsEdgeRoute, edgeBackend]{
		name:  "backend",
		noun:  "backend",
		owner: s.httpsEdgeRoutes(),
		read:  s.readBackend,
		place: func(r *httpsEdgeRoute) **edgeBackend { return &r.Backend },
		clone: copyOf[httpsEdgeRoute],
		view:  s.showBackend,
	}
}
