package testserver

import "slices"

// failoverBackend is an ordered list of child backends, see "Failover backend" in the API documentation.
type failoverBackend struct {
	common
	Backends []string `json:"backends"`
}

func (b *failoverBackend) refers() []string { return b.Backends }

func (s *Server) failoverBackends() collection[*failoverBackend] {
	return collection[*failoverBackend]{
		path:   "/backends/failover",
		prefix: "bkdfo_",
		field:  "backends",
		noun:   "failover backend",
		table:  s.data.failoverBackends,
		create: func(c *call, in *object) (*failoverBackend, error) {
			backend := &failoverBackend{common: newCommon(c, in), Backends: orEmpty(in.texts("backends"))}
			s.checkChildren(in, backend)
			return backend, nil
		},
		update: func(c *call, old *failoverBackend, in *object) *failoverBackend {
			backend := &failoverBackend{common: old.updated(in), Backends: in.texts("backends")}
			if backend.Backends == nil {
				backend.Backends = omittedBackends(c, old, in)
			}
			s.checkChildren(in, backend)
			return backend
		},
		view: func(_ *call, uri string, backend *failoverBackend) any {
			return struct {
				URI string `json:"uri"`
				*failoverBackend
			}{uri, backend}
		},
	}
}

// omittedBackends are the children after an update that does not give any: none, as public examples show. An update
// without any field changes nothing, and under quirks the children stay.
func omittedBackends(c *call, old *failoverBackend, in *object) []string {
	if len(in.values) == 0 || c.quirk != nil {
		return old.Backends
	}
	return []string{}
}

// checkChildren refuses child backends that are listed twice, do not exist, or lead back to the backend itself.
func (s *Server) checkChildren(in *object, backend *failoverBackend) {
	for i, child := range backend.Backends {
		field := element("backends", i)
		in.rule(!slices.Contains(backend.Backends[:i], child), field, "backend %s is listed twice", printable(child))
		in.rule(s.hasBackend(child), field, "backend %s does not exist", printable(child))
		if s.leadsTo(child, backend.ID, map[string]bool{}) {
			in.refuse(field, "backend %s leads back to this one", printable(child))
		}
	}
}

// leadsTo reports whether from is the backend id, or has it among its children at any depth.
func (s *Server) leadsTo(from, id string, seen map[string]bool) bool {
	if from == id {
		return true
	}
	backend, ok := s.data.failoverBackends.get(from)
	if !ok || seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(backend.Backends, func(child string) bool { return s.leadsTo(child, id, seen) })
}

// hasBackend reports whether there is a backend of any kind with this id.
func (s *Server) hasBackend(id string) bool {
	return s.backendPath(id) != ""
}

// backendPath returns the path of a backend of any kind, or "".
func (s *Server) backendPath(id string) string {
	if _, ok := s.data.failoverBackends.get(id); ok {
		return "/backends/failover/" + id
	}
	if _, ok := s.data.tunnelGroupBackends.get(id); ok {
		return "/backends/tunnel_group/" + id
	}
	if _, ok := s.data.httpResponseBackends.get(id); ok {
		return "/backends/http_response/" + id
	}
	return ""
}
