package testserver

// httpsEdge is an HTTPS edge. Routes belong to it.
type httpsEdge struct {
	common
	Hostports []string `json:"hostports"`
}

const httpsEdgeTable tableOf[*httpsEdge] = "https_edges"

func (s *service) httpsEdges() collection[*httpsEdge] {
	return collection[*httpsEdge]{
		path:   "/edges/https",
		prefix: "edghts_",
		field:  "https_edges",
		noun:   "HTTPS edge",
		table:  httpsEdgeTable.in(s.store),
		create: func(c *call, in *object) (*httpsEdge, error) {
			return &httpsEdge{common: newCommon(c, in), Hostports: orEmpty(s.hostports("https", in))}, nil
		},
		update: func(_ *call, old *httpsEdge, in *object) *httpsEdge {
			return &httpsEdge{common: old.updated(in), Hostports: orExistingList(s.hostports("https", in), old.Hostports)}
		},
		remove: func(c *call, old *httpsEdge) { s.httpsEdgeRoutes().removeAll(c, old.ID) },
		view: func(c *call, uri string, e *httpsEdge) any {
			return struct {
				URI string `json:"uri"`
				*httpsEdge
				Routes         []any     `json:"routes"`
				MutualTLS      *struct{} `json:"mutual_tls"`
				TLSTermination *struct{} `json:"tls_termination"`
			}{URI: uri, httpsEdge: e, Routes: s.httpsEdgeRoutes().showAll(c, e.ID)}
		},
	}
}
