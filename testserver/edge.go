package testserver

// edge is a TLS or TCP edge with its modules policy and backend.
type edge struct {
	common
	Hostports []string     `json:"hostports"`
	Backend   *edgeBackend `json:"backend"`
	Policy    *policy      `json:"policy"`
}

const (
	tcpEdgeTable tableOf[*edge] = "tcp_edges"
	tlsEdgeTable tableOf[*edge] = "tls_edges"
)

func (e *edge) refers() []string { return e.Backend.refers() }

// edgeView is the JSON form of an edge. Modules that the server does not
// support are null.
type edgeView struct {
	URI string `json:"uri"`
	common
	Hostports     []string  `json:"hostports"` // null on a TCP edge without hostports
	Backend       any       `json:"backend"`
	Policy        *policy   `json:"policy"`
	IPRestriction *struct{} `json:"ip_restriction"`
}

// tlsEdgeView is the JSON form of a TLS edge.
type tlsEdgeView struct {
	edgeView
	MutualTLS      *struct{} `json:"mutual_tls"`
	TLSTermination *struct{} `json:"tls_termination"`
}

// edges returns the collection of one kind of edge, "tls" or "tcp".
func (s *service) edges(kind string) collection[*edge] {
	k := collection[*edge]{
		path:   "/edges/" + kind,
		prefix: "edg" + kind + "_",
		field:  kind + "_edges",
		noun:   "TLS edge",
		table:  tlsEdgeTable.in(s.store),
		create: func(c *call, in *object) (*edge, error) {
			e := &edge{common: newCommon(c, in), Hostports: orEmpty(s.hostports(kind, in))}
			e.readModules(s, in)
			return e, nil
		},
		update: func(_ *call, old *edge, in *object) *edge {
			e := copyOf(old)
			e.common = old.updated(in)
			e.Hostports = orExistingList(s.hostports(kind, in), old.Hostports)
			e.readModules(s, in)
			return e
		},
		view: func(c *call, uri string, e *edge) any {
			return tlsEdgeView{edgeView: s.edgeView(c, uri, e)}
		},
	}
	if kind == "tcp" {
		k.noun, k.table = "TCP edge", tcpEdgeTable.in(s.store)
		k.view = func(c *call, uri string, e *edge) any {
			view := s.edgeView(c, uri, e)
			if len(view.Hostports) == 0 {
				view.Hostports = nil
			}
			return view
		}
	}
	return k
}

// readModules reads the modules that a request to the edge contains.
func (e *edge) readModules(s *service, in *object) {
	e.Backend = inline(in, "backend", e.Backend, s.readBackend)
	e.Policy = inline(in, "policy", e.Policy, readPolicy)
}

func (s *service) edgeView(c *call, uri string, e *edge) edgeView {
	return edgeView{URI: uri, common: e.common, Hostports: e.Hostports, Backend: s.showBackend(c, e.Backend), Policy: e.Policy}
}

// edgePolicy returns the policy module of one kind of edge, "tls" or "tcp".
func (s *service) edgePolicy(kind string) module[*edge, policy] {
	return module[*edge, policy]{
		name:  "policy",
		noun:  "policy",
		owner: s.edges(kind),
		read:  readPolicy,
		place: func(e *edge) **policy { return &e.Policy },
		clone: copyOf[edge],
		view:  stored[policy],
	}
}

// edgeBackend returns the backend module of one kind of edge, "tls" or "tcp".
func (s *service) edgeBackend(kind string) module[*edge, edgeBackend] {
	return module[*edge, edgeBackend]{
		name:  "backend",
		noun:  "backend",
		owner: s.edges(kind),
		read:  s.readBackend,
		place: func(e *edge) **edgeBackend { return &e.Backend },
		clone: copyOf[edge],
		view:  s.showBackend,
	}
}
