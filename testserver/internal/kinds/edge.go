package kinds

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// edge is a TLS or TCP edge with its modules policy and backend.
type edge struct {
	common
	Hostports []string     `json:"hostports"`
	Backend   *edgeBackend `json:"backend"`
	Policy    *policy      `json:"policy"`

	IPRestriction *ipRestriction `json:"ip_restriction"`
}

const (
	tcpEdgeTable store.TableOf[*edge] = "tcp_edges"
	tlsEdgeTable store.TableOf[*edge] = "tls_edges"
)

func (e *edge) Refers() []string {
	return slices.Concat(e.Backend.Refers(), e.IPRestriction.Refers(), e.Policy.Refers())
}
func (e *edge) Label() string { return cmp.Or(strings.Join(e.Hostports, ", "), e.common.Label()) }

// edgeView is the JSON form of an edge. Modules that the server does not
// support are null.
type edgeView struct {
	URI string `json:"uri"`
	common
	Hostports     []string `json:"hostports"` // null on a TCP edge without hostports
	Backend       any      `json:"backend"`
	Policy        *policy  `json:"policy"`
	IPRestriction any      `json:"ip_restriction"`
}

// tlsEdgeView is the JSON form of a TLS edge.
type tlsEdgeView struct {
	edgeView
	MutualTLS      *struct{} `json:"mutual_tls"`
	TLSTermination *struct{} `json:"tls_termination"`
}

// edges returns the collection of one kind of edge, "tls" or "tcp".
func edges(s *Service, kind string) engine.Collection[*edge] {
	k := engine.Collection[*edge]{
		Path:   "/edges/" + kind,
		Prefix: "edg" + kind + "_",
		Field:  kind + "_edges",
		Noun:   "TLS edge",
		Table:  tlsEdgeTable.In(s.store),
		Refers: append([]string{reservedDomainPath, ipPolicyPath}, backendPaths...),
		Uses:   func(e *edge) []string { return s.reservedFor(kind, e.Hostports) },
		Create: func(c *engine.Call, in *body.Object) (*edge, error) {
			e := &edge{common: newCommon(c, in), Hostports: orEmpty(s.hostports(c, kind, in))}
			e.readModules(s, in)
			return e, nil
		},
		Update: func(c *engine.Call, old *edge, in *body.Object) *edge {
			e := copyOf(old)
			e.common = old.updated(in)
			e.Hostports = orExistingList(s.hostports(c, kind, in), old.Hostports)
			e.readModules(s, in)
			return e
		},
		View: func(c *engine.Call, uri string, e *edge) any {
			return tlsEdgeView{edgeView: s.edgeView(c, uri, e)}
		},
	}
	if kind == "tcp" {
		k.Noun, k.Table = "TCP edge", tcpEdgeTable.In(s.store)
		k.Refers = append([]string{reservedAddressPath, ipPolicyPath}, backendPaths...)
		k.View = func(c *engine.Call, uri string, e *edge) any {
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
func (e *edge) readModules(s *Service, in *body.Object) {
	e.Backend = engine.Inline(in, "backend", e.Backend, s.readBackend)
	e.Policy = engine.Inline(in, "policy", e.Policy, s.readPolicy)
	e.IPRestriction = engine.Inline(in, "ip_restriction", e.IPRestriction, s.readRestriction)
}

func (s *Service) edgeView(c *engine.Call, uri string, e *edge) edgeView {
	return edgeView{
		URI: uri, common: e.common, Hostports: e.Hostports, Backend: s.showBackend(c, e.Backend), Policy: e.Policy,
		IPRestriction: s.showRestriction(c, e.IPRestriction),
	}
}

func edgePolicy(s *Service, owner engine.Collection[*edge]) engine.Module[*edge, policy] {
	return engine.Module[*edge, policy]{
		Name: "policy", Noun: "policy", Owner: owner, Read: s.readPolicy, Place: func(e *edge) **policy { return &e.Policy },
	}
}
