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
		path:  "/backends/failover",
		field: "backends",
		noun:  "failover backend",
		table: s.data.failoverBackends,
		create: func(c *call, in *object) (*failoverBackend, error) {
			backend := &failoverBackend{common: newCommon(c, in, "bkdfo_"), Backends: in.texts("backends")}
			if len(backend.Backends) == 0 {
				in.refuse("backends", "backends must name at least one backend")
			}
			s.checkChildren(in, backend)
			return backend, in.end()
		},
		change: s.changeFailoverBackend,
		view: func(_ *call, uri string, backend *failoverBackend) any {
			return struct {
				URI string `json:"uri"`
				*failoverBackend
			}{uri, backend}
		},
	}
}

// changeFailoverBackend clears the list where the request does not have backends at all, as services of this kind do;
// under quirks it keeps it.
func (s *Server) changeFailoverBackend(c *call, old *failoverBackend, in *object) (*failoverBackend, error) {
	changed := &failoverBackend{common: old.changed(in), Backends: orOldList(in.texts("backends"), old.Backends)}
	if _, given := in.values["backends"]; !given && c.quirk == nil {
		changed.Backends = []string{}
	}
	s.checkChildren(in, changed)
	return changed, in.end()
}

// checkChildren refuses child backends that are listed twice, do not exist, or lead back to the backend itself.
func (s *Server) checkChildren(in *object, backend *failoverBackend) {
	for i, child := range backend.Backends {
		switch {
		case slices.Contains(backend.Backends[:i], child):
			in.refuse(element("backends", i), "the backend %s is listed twice", printable(child))
		case s.leadsTo(child, backend.ID, map[string]bool{}):
			in.refuse(element("backends", i), "the backend %s leads back to this one", printable(child))
		case !s.hasBackend(child):
			in.refuse(element("backends", i), "there is no backend %s", printable(child))
		}
	}
}

// leadsTo tells whether from is the backend id, or has it among its children at any depth.
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

// hasBackend tells whether there is a backend of any kind with this id.
func (s *Server) hasBackend(id string) bool {
	return s.backendPath(id) != ""
}

// backendPath is the path of a backend of any kind, or empty.
func (s *Server) backendPath(id string) string {
	if _, ok := s.data.failoverBackends.get(id); ok {
		return "/backends/failover/" + id
	}
	if _, ok := s.data.tunnelGroupBackends.get(id); ok {
		return "/backends/tunnel_group/" + id
	}
	if _, ok := s.data.otherBackends.get(id); ok {
		return "/backends/http_response/" + id
	}
	return ""
}

// otherBackend is a backend of a kind that has no endpoints here. It can be a child, no more.
type otherBackend struct {
	common
}
