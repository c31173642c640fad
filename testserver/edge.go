package testserver

// edge is a TLS or TCP edge, the parent of a policy.
type edge struct {
	common
	Hostports []string     `json:"hostports"`
	Backend   *edgeBackend `json:"backend"`
	Policy    *policy      `json:"policy"`
}

// edgeBackend names the backend that an edge or route sends its traffic to.
type edgeBackend struct {
	Enabled bool   `json:"enabled"`
	ID      string `json:"backend_id"`
}

// backendView is an edgeBackend as answers show it.
type backendView struct {
	Enabled bool       `json:"enabled"`
	Backend backendRef `json:"backend"`
}

type backendRef struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

func (e *edge) refers() []string { return e.Backend.refers() }

func (b *edgeBackend) refers() []string {
	if b == nil {
		return nil
	}
	return []string{b.ID}
}

// edges is the collection of one kind of edge, "tls" or "tcp".
func (s *Server) edges(kind string) collection[*edge] {
	table, prefix, noun := s.data.tlsEdges, "edgtls_", "TLS edge"
	if kind == "tcp" {
		table, prefix, noun = s.data.tcpEdges, "edgtcp_", "TCP edge"
	}
	return collection[*edge]{
		path:  "/edges/" + kind,
		field: kind + "_edges",
		noun:  noun,
		table: table,
		create: func(c *call, in *object) (*edge, error) {
			e := &edge{common: newCommon(c, in, prefix), Hostports: orEmpty(in.texts("hostports")), Backend: s.edgeBackend(in, nil)}
			return e, in.end()
		},
		change: func(_ *call, old *edge, in *object) (*edge, error) {
			changed := *old
			changed.common = old.changed(in)
			changed.Hostports = orOldList(in.texts("hostports"), old.Hostports)
			changed.Backend = s.edgeBackend(in, old.Backend)
			return &changed, in.end()
		},
		view: func(c *call, uri string, e *edge) any {
			return struct {
				URI string `json:"uri"`
				common
				Hostports []string     `json:"hostports"`
				Backend   *backendView `json:"backend"`
				Policy    *policy      `json:"policy"`
			}{uri, e.common, e.Hostports, s.showBackend(c, e.Backend), e.Policy}
		},
	}
}

// edgeBackend reads the backend of a request; without one the old one stays.
func (s *Server) edgeBackend(in *object, old *edgeBackend) *edgeBackend {
	fields := in.object("backend")
	if fields == nil {
		return old
	}
	backend := &edgeBackend{Enabled: orOld(fields.flag("enabled"), true), ID: fields.need("backend_id")}
	if !s.hasBackend(backend.ID) {
		fields.refuse("backend_id", "there is no backend %s", printable(backend.ID))
	}
	fields.refuseUnknown()
	return backend
}

func (s *Server) showBackend(c *call, backend *edgeBackend) *backendView {
	if backend == nil {
		return nil
	}
	return &backendView{Enabled: backend.Enabled, Backend: backendRef{backend.ID, c.base() + s.backendPath(backend.ID)}}
}
