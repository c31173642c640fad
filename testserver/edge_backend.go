package testserver

import "strings"

// edgeBackend names the backend that an edge or route sends its traffic to.
type edgeBackend struct {
	Enabled bool   `json:"enabled"`
	ID      string `json:"backend_id"`
}

// reference is an object that an answer refers to.
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

// readBackend reads the module backend, of a path of its own or inline in an edge or route.
func (s *Server) readBackend(in *object) *edgeBackend {
	backend := &edgeBackend{Enabled: orOld(in.flag("enabled"), true), ID: in.need("backend_id")}
	in.rule(s.hasBackend(backend.ID), "backend_id", "backend %s does not exist", printable(backend.ID))
	return backend
}

// showBackend is the view of the module backend; nil is null.
func (s *Server) showBackend(c *call, backend *edgeBackend) any {
	if backend == nil {
		return nil
	}
	return struct {
		Enabled bool      `json:"enabled"`
		Backend reference `json:"backend"`
	}{backend.Enabled, reference{backend.ID, c.base() + s.backendPath(backend.ID)}}
}

// hostports reads the list of names and ports that an edge serves.
func hostports(in *object) []string {
	given := in.texts("hostports")
	for i, hostport := range given {
		in.rule(validHostport(hostport), element("hostports", i), "%s is not a host and port such as www.example.com:443", printable(hostport))
	}
	return given
}

// validHostport takes what an ACL rule takes for host and port, and a leading wildcard.
func validHostport(text string) bool {
	colon := strings.LastIndexByte(text, ':')
	return colon >= 0 && validHost(strings.TrimPrefix(text[:colon], "*.")) && validPort(text[colon+1:])
}
