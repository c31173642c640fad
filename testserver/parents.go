package testserver

import (
	"encoding/json"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Parents contains the ids of the objects that exist from the start of a
// server. There is one of most kinds that the API documentation refers to
// without describing them. In JSON, they are the parents in the ready file of
// the command.
type Parents struct {
	SSHCertificateAuthority string `json:"ssh_certificate_authority"`
	TLSEdge                 string `json:"tls_edge"`
	TCPEdge                 string `json:"tcp_edge"`
	HTTPSEdge               string `json:"https_edge"`
	HTTPSEdgeRoute          string `json:"https_edge_route"`
	EventSubscription       string `json:"event_subscription"`
}

// origin is the data that a server creates at the first start with a store.
type origin struct {
	Parents       Parents `json:"parents"`
	AdminOwner    string  `json:"admin_owner"`
	OrdinaryOwner string  `json:"ordinary_owner"`
	Seeded        bool    `json:"seeded"` // Seed has created its objects
}

const originTable store.TableOf[*origin] = "origins"

const originKey = "origin"

func (o *origin) Key() string        { return originKey }
func (o *origin) Order() string      { return originKey }
func (o *origin) Refers() []string   { return nil }
func (o *origin) Unique() string     { return "" }
func (o *origin) Label() string      { return "" }
func (o *origin) Created() time.Time { return time.Time{} }

// makeOrigin creates the owners and parents, or loads them from the store if an
// earlier server created them.
func (s *Server) makeOrigin() {
	known, ok := originTable.In(s.api.Store).Get(originKey)
	if !ok {
		edge := s.Create("/edges/https", "{}")
		known = &origin{
			AdminOwner:    s.api.IDs.Next("usr_", s.api.Now()),
			OrdinaryOwner: s.Create("/bot_users", `{"name":"bot of the ordinary key"}`),
			Parents: Parents{
				SSHCertificateAuthority: s.Create("/ssh_certificate_authorities", "{}"),
				TLSEdge:                 s.Create("/edges/tls", "{}"),
				TCPEdge:                 s.Create("/edges/tcp", "{}"),
				HTTPSEdge:               edge,
				HTTPSEdgeRoute:          s.Create("/edges/https/"+edge+"/routes", `{"match_type": "path_prefix", "match": "/"}`),
				EventSubscription:       s.Create("/event_subscriptions", "{}"),
			},
		}
		s.must(s.api.Store.Update(func(tx *store.Tx) error {
			originTable.In(s.api.Store).Put(tx, known)
			return nil
		}))
	}
	s.AdminOwner, s.OrdinaryOwner, s.Parents = known.AdminOwner, known.OrdinaryOwner, known.Parents
}

func asJSON(value any) string {
	return string(body.Marshal(value))
}

// must calls s.fail if err is not nil. It is for Go methods that do not return
// an error.
func (s *Server) must(err error) {
	if err != nil {
		s.fail("%v", err)
	}
}

// member returns a string member of a response, or an empty string.
func member(answer map[string]any, name string) string {
	text, _ := answer[name].(string)
	return text
}

// decodeAnswer decodes the body of a response. It returns nil if the body is
// not a JSON object.
func decodeAnswer(body []byte) map[string]any {
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		return nil
	}
	return members
}
