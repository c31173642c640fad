package kinds

import (
	"cmp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// httpsEdge is an HTTPS edge. Routes belong to it.
type httpsEdge struct {
	common
	Hostports []string `json:"hostports"`
}

const httpsEdgeTable store.TableOf[*httpsEdge] = "https_edges"

func (e *httpsEdge) Label() string { return cmp.Or(strings.Join(e.Hostports, ", "), e.common.Label()) }

func httpsEdges(s *Service) engine.Collection[*httpsEdge] {
	return engine.Collection[*httpsEdge]{
		Path:   "/edges/https",
		Prefix: "edghts_",
		Field:  "https_edges",
		Noun:   "HTTPS edge",
		Table:  httpsEdgeTable.In(s.store),
		Refers: []string{reservedDomainPath},
		Uses:   func(e *httpsEdge) []string { return s.reservedFor("https", e.Hostports) },
		Create: func(c *engine.Call, in *body.Object) (*httpsEdge, error) {
			return &httpsEdge{common: newCommon(c, in), Hostports: orEmpty(s.hostports(c, "https", in))}, nil
		},
		Update: func(c *engine.Call, old *httpsEdge, in *body.Object) *httpsEdge {
			return &httpsEdge{common: old.updated(in), Hostports: orExistingList(s.hostports(c, "https", in), old.Hostports)}
		},
		Remove: func(c *engine.Call, old *httpsEdge) { httpsEdgeRoutes(s).RemoveAll(c, old.ID) },
		View: func(c *engine.Call, uri string, e *httpsEdge) any {
			return struct {
				URI string `json:"uri"`
				*httpsEdge
				Routes         []any     `json:"routes"`
				MutualTLS      *struct{} `json:"mutual_tls"`
				TLSTermination *struct{} `json:"tls_termination"`
			}{URI: uri, httpsEdge: e, Routes: httpsEdgeRoutes(s).ShowAll(c, e.ID)}
		},
	}
}
