package testserver

import (
	"encoding/json"
	"time"
)

// Parents are the ids of the objects that a server has from its start, one of each kind that the API documentation
// refers to without describing it. In JSON they are the parents of the command's ready file.
type Parents struct {
	SSHCertificateAuthority string `json:"ssh_certificate_authority"`
	TLSEdge                 string `json:"tls_edge"`
	TCPEdge                 string `json:"tcp_edge"`
	HTTPSEdge               string `json:"https_edge"`
	HTTPSEdgeRoute          string `json:"https_edge_route"`
	EventSubscription       string `json:"event_subscription"`
}

// origin is what a server knows of its own first start.
type origin struct {
	Parents       Parents `json:"parents"`
	AdminOwner    string  `json:"admin_owner"`
	OrdinaryOwner string  `json:"ordinary_owner"`
	Seeded        bool    `json:"seeded"` // whether Seed has made its objects
}

const originKey = "origin"

func (o *origin) key() string        { return originKey }
func (o *origin) order() string      { return originKey }
func (o *origin) refers() []string   { return nil }
func (o *origin) unique() string     { return "" }
func (o *origin) created() time.Time { return time.Time{} }

// makeOrigin makes the owners and the parents, or takes those that the store has from an earlier start.
func (s *Server) makeOrigin() {
	known, ok := s.data.origins.get(originKey)
	s.resumed = ok
	if !ok {
		edge := s.CreateHTTPSEdge()
		known = &origin{
			AdminOwner:    s.ids.next("usr_", s.now()),
			OrdinaryOwner: s.ids.next("bot_", s.now()),
			Parents: Parents{
				SSHCertificateAuthority: s.CreateSSHCertificateAuthority(""),
				TLSEdge:                 s.CreateTLSEdge(),
				TCPEdge:                 s.CreateTCPEdge(),
				HTTPSEdge:               edge,
				HTTPSEdgeRoute:          s.CreateHTTPSEdgeRoute(edge),
				EventSubscription:       s.CreateEventSubscription(),
			},
		}
		s.must(s.store.update(func(tx *tx) error {
			s.data.origins.put(tx, known)
			return nil
		}))
	}
	s.AdminOwner, s.OrdinaryOwner, s.Parents = known.AdminOwner, known.OrdinaryOwner, known.Parents
}

// CreateSSHCertificateAuthority makes a certificate authority and returns its id. The type of its key is "rsa", "ecdsa" or
// "ed25519"; empty is ed25519.
func (s *Server) CreateSSHCertificateAuthority(keyType string) string {
	if keyType == "" {
		keyType = "ed25519"
	}
	return s.Create("/ssh_certificate_authorities", asJSON(map[string]string{"private_key_type": keyType}))
}

// CreateTLSEdge makes a TLS edge without a policy and returns its id.
func (s *Server) CreateTLSEdge() string {
	return s.Create("/edges/tls", `{}`)
}

// CreateTCPEdge makes a TCP edge without a policy and returns its id.
func (s *Server) CreateTCPEdge() string {
	return s.Create("/edges/tcp", `{}`)
}

// CreateHTTPSEdge makes an HTTPS edge without routes and returns its id.
func (s *Server) CreateHTTPSEdge() string {
	return s.Create("/edges/https", `{}`)
}

// CreateHTTPSEdgeRoute makes a route without modules on an HTTPS edge and returns its id. It matches the prefix "/", or
// one of its own if the edge has a route for "/".
func (s *Server) CreateHTTPSEdgeRoute(edgeID string) string {
	match := "/"
	if len(s.data.httpsEdgeRoutes.under(edgeID, present)) > 0 {
		match += s.ids.next("", s.now())
	}
	return s.Create("/edges/https/"+edgeID+"/routes", asJSON(map[string]string{"match_type": "path_prefix", "match": match}))
}

// CreateEventSubscription makes an event subscription with these event types as sources and returns its id.
func (s *Server) CreateEventSubscription(types ...string) string {
	sources := []map[string]string{}
	for _, name := range types {
		sources = append(sources, map[string]string{"type": name})
	}
	return s.Create("/event_subscriptions", asJSON(map[string]any{"sources": sources}))
}

// CreateOtherBackend makes an HTTP response backend, useful as a child of failover backends, and returns its id.
func (s *Server) CreateOtherBackend() string {
	return s.Create("/backends/http_response", `{}`)
}

func asJSON(value any) string {
	return string(marshal(value))
}

// must reports an error of a Go method that has no other way to tell.
func (s *Server) must(err error) {
	if err != nil {
		s.fail("%v", err)
	}
}

// member returns a string of an answer.
func member(answer map[string]any, name string) string {
	text, _ := answer[name].(string)
	return text
}

// decodeAnswer reads the body of an answer; one that is not a JSON object gives nil.
func decodeAnswer(body []byte) map[string]any {
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		return nil
	}
	return members
}
