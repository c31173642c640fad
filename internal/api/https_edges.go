package api

// HTTPSEdge is an entry point for HTTPS traffic to some hosts and ports.
type HTTPSEdge struct {
	Object
	Hostports []string         `json:"hostports"` // host:port, in any order
	Routes    []HTTPSEdgeRoute `json:"routes"`    // objects of their own, only read here
}

// HTTPSEdges are the HTTPS edges of the account.
var HTTPSEdges = identified[HTTPSEdge](
	Kind{Noun: "HTTPS edge", Prefix: "edghts_", Path: "/edges/https", ListField: "https_edges"},
)

// HTTPSEdgeRoute defines what an HTTPS edge does with the requests for some
// paths. Its modules are objects of their own, which are only read here.
type HTTPSEdgeRoute struct {
	Object
	EdgeID                string              `json:"edge_id"`
	MatchType             string              `json:"match_type"` // exact_path or path_prefix
	Match                 string              `json:"match"`      // begins with a slash; unique on the edge
	Backend               Part[EdgeBackend]   `json:"backend"`
	Compression           Part[RouteModule]   `json:"compression"`
	WebsocketTCPConverter Part[RouteModule]   `json:"websocket_tcp_converter"`
	IPRestriction         Part[IPRestriction] `json:"ip_restriction"`
}

// HTTPSEdgeRouteBody is the body that creates or updates a route. It holds no
// module.
type HTTPSEdgeRouteBody struct {
	Details
	MatchType string `json:"match_type"`
	Match     string `json:"match"`
}

// HTTPSEdgeRoutes are the routes of an HTTPS edge. Their list is a field of the edge.
var HTTPSEdgeRoutes = identified[HTTPSEdgeRoute](
	Kind{Noun: "HTTPS edge route", Prefix: "edghtsrt_", Path: "/edges/https/{edge_id}/routes", ListField: "routes"},
).within(func(c *Client) parents { return HTTPSEdges.Of(c) }, "/edges/https/{edge_id}")
