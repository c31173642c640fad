package testserver

import "slices"

// failoverBackend is an ordered list of child backends. See "Failover backend"
// in the API documentation.
type failoverBackend struct {
	common
	Backends []string `json:"backends"`
}

const failoverBackendTable tableOf[*failoverBackend] = "failover_backends"

func (b *failoverBackend) refers() []string { return b.Backends }

func (s *service) failoverBackends() collection[*failoverBackend] {
	return collection[*failoverBackend]{
		path:   "/backends/failover",
		prefix: "bkdfo_",
		field:  "backends",
		noun:   "failover backend",
		table:  failoverBackendTable.in(s.store),
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

// omittedBackends returns the children after an update that does not set
// backends. By default the list is cleared, as in public examples. An update
// without any field keeps it, and so does any update under quirks or
// patch_keeps_empty.
func omittedBackends(c *call, old *failoverBackend, in *object) []string {
	if len(in.values) == 0 || c.quirk != nil || c.keepsEmpty() {
		return old.Backends
	}
	return []string{}
}

// checkChildren refuses child backends that are listed twice, do not exist, or
// create a cycle.
func (s *service) checkChildren(in *object, backend *failoverBackend) {
	for i, child := range backend.Backends {
		field := element("backends", i)
		in.rule(!slices.Contains(backend.Backends[:i], child), field, "duplicate backend %s", printable(child))
		in.rule(s.hasBackend(child), field, "backend %s does not exist", printable(child))
		if s.leadsTo(child, backend.ID, map[string]bool{}) {
			in.refuse(field, "backend %s creates a cycle", printable(child))
		}
	}
}

// leadsTo reports whether from is the backend id or contains it at any depth.
func (s *service) leadsTo(from, id string, seen map[string]bool) bool {
	if from == id {
		return true
	}
	backend, ok := failoverBackendTable.in(s.store).get(from)
	if !ok || seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(backend.Backends, func(child string) bool { return s.leadsTo(child, id, seen) })
}

// hasBackend reports whether a backend of any kind has this id.
func (s *service) hasBackend(id string) bool {
	return s.backendPath(id) != ""
}

// backendPath returns the path of a backend of any kind, or an empty string if
// it does not exist.
func (s *service) backendPath(id string) string {
	if _, ok := failoverBackendTable.in(s.store).get(id); ok {
		return "/backends/failover/" + id
	}
	if _, ok := tunnelGroupBackendTable.in(s.store).get(id); ok {
		return "/backends/tunnel_group/" + id
	}
	if _, ok := httpResponseBackendTable.in(s.store).get(id); ok {
		return "/backends/http_response/" + id
	}
	return ""
}
