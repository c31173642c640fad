package kinds

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// failoverBackend is an ordered list of child backends. See "Failover backend"
// in the API documentation.
type failoverBackend struct {
	common
	Backends []string `json:"backends"`
}

const failoverBackendTable store.TableOf[*failoverBackend] = "failover_backends"

func (b *failoverBackend) Refers() []string { return b.Backends }

func failoverBackends(s *Service) engine.Collection[*failoverBackend] {
	return engine.Collection[*failoverBackend]{
		Path:   "/backends/failover",
		Prefix: "bkdfo_",
		Field:  "backends",
		Noun:   "failover backend",
		Table:  failoverBackendTable.In(s.store),
		Refers: backendPaths,
		Create: func(c *engine.Call, in *body.Object) (*failoverBackend, error) {
			backend := &failoverBackend{common: newCommon(c, in), Backends: orEmpty(in.Texts("backends"))}
			s.checkChildren(in, backend)
			return backend, nil
		},
		Update: func(c *engine.Call, old *failoverBackend, in *body.Object) *failoverBackend {
			backend := &failoverBackend{common: old.updated(in), Backends: in.Texts("backends")}
			if backend.Backends == nil {
				backend.Backends = omittedBackends(c, old, in)
			}
			s.checkChildren(in, backend)
			return backend
		},
	}
}

// omittedBackends returns the children after an update that does not set backends. By
// default the list is cleared, as in public examples, also by null alone. An update
// without any field keeps it, and so does any update with backends_kept or
// patch_keeps_empty. Null in another field is as if the field were omitted.
func omittedBackends(c *engine.Call, old *failoverBackend, in *body.Object) []string {
	if _, given := in.Values["backends"]; in.Empty() && !given || c.Behaves("backends_kept") || c.KeepsEmpty() {
		return old.Backends
	}
	return []string{}
}

// checkChildren refuses child backends that are listed twice, do not exist, or
// create a cycle.
func (s *Service) checkChildren(in *body.Object, backend *failoverBackend) {
	listed, searched := map[string]bool{}, map[string]bool{}
	for i, child := range backend.Backends {
		field := body.Element("backends", i)
		in.Rule(!listed[child], field, "duplicate backend %s", problem.Printable(child))
		in.Rule(s.hasBackend(child), field, "backend %s does not exist", problem.Printable(child))
		listed[child] = true
		if s.leadsTo(child, backend.ID, searched) {
			in.Refuse(field, "backend %s creates a cycle", problem.Printable(child))
		}
	}
}

// leadsTo reports whether from is the backend id or contains it at any depth.
func (s *Service) leadsTo(from, id string, seen map[string]bool) bool {
	if from == id {
		return true
	}
	backend, ok := failoverBackendTable.In(s.store).Get(from)
	if !ok || seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(backend.Backends, func(child string) bool { return s.leadsTo(child, id, seen) })
}

// hasBackend reports whether a backend of any kind has this id.
func (s *Service) hasBackend(id string) bool {
	_, failover := failoverBackendTable.In(s.store).Get(id)
	_, group := tunnelGroupBackendTable.In(s.store).Get(id)
	_, response := httpResponseBackendTable.In(s.store).Get(id)
	return failover || group || response
}

// backendPath returns the path of a backend, as the prefix of its ID tells.
func backendPath(id string) string {
	prefix, _, _ := strings.Cut(id, "_")
	kind := map[string]string{"bkdfo": "failover", "bkdhr": "http_response"}[prefix]
	return "/backends/" + cmp.Or(kind, "tunnel_group") + "/" + id
}
