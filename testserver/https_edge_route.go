package testserver

// httpsEdgeRoute is a route of an HTTPS edge, the parent of the modules compression and websocket_tcp_converter.
type httpsEdgeRoute struct {
	common
	EdgeID                string       `json:"edge_id"`
	MatchType             string       `json:"match_type"`
	Match                 string       `json:"match"`
	Backend               *edgeBackend `json:"backend"`
	Compression           *toggle      `json:"compression"`
	WebsocketTCPConverter *toggle      `json:"websocket_tcp_converter"`
}

func (r *httpsEdgeRoute) key() string      { return r.EdgeID + "/" + r.ID }
func (r *httpsEdgeRoute) refers() []string { return r.Backend.refers() }

func (s *Server) httpsEdgeRoutes() collection[*httpsEdgeRoute] {
	return collection[*httpsEdgeRoute]{
		path:  "/edges/https/{edge_id}/routes",
		noun:  "HTTPS edge route",
		table: s.data.httpsEdgeRoutes,
		create: func(c *call, in *object) (*httpsEdgeRoute, error) {
			r := &httpsEdgeRoute{EdgeID: c.values["edge_id"], MatchType: "path_prefix", Match: "/"}
			r.common = newCommon(c, in, "edghtsrt_")
			r.read(s, in)
			if _, exists := s.data.httpsEdges.get(r.EdgeID); !exists {
				return nil, unknown("HTTPS edge", r.EdgeID)
			}
			return r, in.end()
		},
		change: func(_ *call, old *httpsEdgeRoute, in *object) (*httpsEdgeRoute, error) {
			changed := *old
			changed.common = old.changed(in)
			changed.read(s, in)
			return &changed, in.end()
		},
		view: func(c *call, uri string, r *httpsEdgeRoute) any {
			return struct {
				URI string `json:"uri"`
				*httpsEdgeRoute
				Backend *backendView `json:"backend"`
			}{uri, r, s.showBackend(c, r.Backend)}
		},
	}
}

// read takes from a request what it has.
func (r *httpsEdgeRoute) read(s *Server, in *object) {
	r.MatchType = orOld(in.text("match_type"), r.MatchType)
	r.Match = orOld(in.text("match"), r.Match)
	r.Backend = s.edgeBackend(in, r.Backend)
	if r.MatchType != "exact_path" && r.MatchType != "path_prefix" {
		in.refuse("match_type", "match_type must be exact_path or path_prefix")
	}
}
