package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// edgeBackend is the backend module of an edge or route: the backend that
// receives the traffic.
type edgeBackend struct {
	Enabled bool   `json:"enabled"`
	ID      string `json:"backend_id"`
}

// backendPaths are the kinds of backends.
var backendPaths = []string{"/backends/failover", "/backends/tunnel_group", "/backends/http_response"}

// reference is a reference to an object in a response.
type reference struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

// referencesTo returns the references to objects of a kind.
func referencesTo(c *engine.Call, path string, ids []string) []reference {
	all := make([]reference, len(ids))
	for i, id := range ids {
		all[i] = reference{id, c.Base() + path + "/" + id}
	}
	return all
}

func (b *edgeBackend) Refers() []string {
	if b == nil {
		return nil
	}
	return []string{b.ID}
}

// readBackend reads the backend module from a request to the module, the edge
// or the route.
func (s *Service) readBackend(in *body.Object) *edgeBackend {
	backend := &edgeBackend{Enabled: orExisting(in.Flag("enabled"), true), ID: orExisting(in.Reference("backend_id", "backend"), "")}
	if backend.ID == "" {
		in.Refuse("backend_id", "backend_id is required")
	}
	in.Rule(s.hasBackend(backend.ID), "backend_id", "backend %s does not exist", problem.Printable(backend.ID))
	return backend
}

// showBackend returns the JSON form of the backend module, or nil if it is not
// set.
func (s *Service) showBackend(c *engine.Call, backend *edgeBackend) any {
	if backend == nil {
		return nil
	}
	return struct {
		Enabled bool      `json:"enabled"`
		Backend reference `json:"backend"`
	}{backend.Enabled, reference{backend.ID, c.Base() + backendPath(backend.ID)}}
}

// backendOf returns the module of edges or routes. place returns its field.
func backendOf[P store.Item](s *Service, owner engine.Collection[P], place func(P) **edgeBackend) engine.Module[P, edgeBackend] {
	return engine.Module[P, edgeBackend]{
		Name: "backend", Noun: "backend", Owner: owner, Read: s.readBackend, Place: place, View: s.showBackend,
	}
}
