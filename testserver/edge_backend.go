package testserver

// edgeBackend is the backend module of an edge or route: the backend that
// receives the traffic.
type edgeBackend struct {
	Enabled bool   `json:"enabled"`
	ID      string `json:"backend_id"`
}

// reference is a reference to an object in a response.
type reference struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

func (b *edgeBackend) refers() []string {
	if b == nil {
		return nil
	}
	return []string{b.ID}
}

// readBackend reads the backend module from a request to the module, the edge
// or the route.
func (s *service) readBackend(in *object) *edgeBackend {
	backend := &edgeBackend{Enabled: orExisting(in.flag("enabled"), true), ID: in.need("backend_id")}
	in.rule(s.hasBackend(backend.ID), "backend_id", "backend %s does not exist", printable(backend.ID))
	return backend
}

// showBackend returns the JSON form of the backend module, or nil if it is not
// set.
func (s *service) showBackend(c *call, backend *edgeBackend) any {
	if backend == nil {
		return nil
	}
	return struct {
		Enabled bool      `json:"enabled"`
		Backend reference `json:"backend"`
	}{backend.Enabled, reference{backend.ID, c.base() + s.backendPath(backend.ID)}}
}
