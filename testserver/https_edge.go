package testserver

// httpsEdge is the parent of HTTPS edge routes.
type httpsEdge struct {
	common
	Hostports []string `json:"hostports"`
}

func (s *Server) httpsEdges() collection[*httpsEdge] {
	return collection[*httpsEdge]{
		path:  "/edges/https",
		field: "https_edges",
		noun:  "HTTPS edge",
		table: s.data.httpsEdges,
		create: func(c *call, in *object) (*httpsEdge, error) {
			e := &httpsEdge{common: newCommon(c, in, "edghts_"), Hostports: orEmpty(in.texts("hostports"))}
			return e, in.end()
		},
		change: func(_ *call, old *httpsEdge, in *object) (*httpsEdge, error) {
			changed := *old
			changed.common = old.changed(in)
			changed.Hostports = orOldList(in.texts("hostports"), old.Hostports)
			return &changed, in.end()
		},
		remove: func(c *call, old *httpsEdge) error {
			for _, route := range s.data.httpsEdgeRoutes.under(old.ID, present) {
				s.data.httpsEdgeRoutes.remove(c.tx, route.key())
			}
			return nil
		},
		view: func(c *call, uri string, e *httpsEdge) any {
			routes := []any{}
			for _, route := range s.data.httpsEdgeRoutes.under(e.ID, present) {
				routes = append(routes, s.httpsEdgeRoutes().show(c, route))
			}
			return struct {
				URI string `json:"uri"`
				*httpsEdge
				Routes []any `json:"routes"`
			}{uri, e, routes}
		},
	}
}
