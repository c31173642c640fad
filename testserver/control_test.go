package testserver

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

func TestStats_countByMethodAndRoute(t *testing.T) {
	t.Parallel()
	s := Start(t)
	id := s.SeedSSHCredentials(1)[0]
	for range 3 {
		want(t, s, 200, "GET", "/ssh_credentials/"+id, "")
	}
	want(t, s, 404, "GET", "/ssh_credentials/none", "")
	want(t, s, 200, "GET", "/ssh_credentials?limit=5", "")
	got := want(t, s, 200, "GET", "/_testserver/stats", "")
	equal(t, "stats", got.body, map[string]any{
		"total": 5, "in_flight": 0, "requests": map[string]int{"GET /ssh_credentials/{id}": 4, "GET /ssh_credentials": 1},
		"statuses": map[string]int{"200": 4, "404": 1}, "failures": map[string]int{},
	})
	want(t, s, 204, "POST", "/_testserver/reset", `{"keep_objects":true}`)
	equal(t, "total after a reset", s.Stats().Total, 0)
	want(t, s, 200, "GET", "/ssh_credentials/"+id, "")
}

func TestControlEndpoints_areForAdmins(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for _, endpoint := range []struct{ method, path, other string }{
		{"GET", "stats", "POST"}, {"POST", "reset", "GET"}, {"POST", "behavior", "PUT"}, {"GET", "behavior", "PUT"}, {"GET", "requests", "POST"}, {"GET", "openapi.yaml", "PUT"},
		{"GET", "activity", "POST"}, {"GET", "objects", "POST"}, {"GET", "objects/backends/failover", "OPTIONS"},
	} {
		path := "/_testserver/" + endpoint.path
		want(t, s, 401, endpoint.method, path, "", as("unknown"))
		want(t, s, 403, endpoint.method, path, "", as(s.OrdinaryKey))
		want(t, s, 405, endpoint.other, path, "")
	}
	want(t, s, 404, "GET", "/_testserver/nothing", "")
	want(t, s, 200, "GET", "/_testserver/health", "", as("unknown"))
	want(t, s, 400, "POST", "/_testserver/reset", `{"keep":true}`)
	want(t, s, 400, "POST", "/_testserver/reset", `{"keep_objects":"yes"}`)
	equal(t, "counted requests", s.Stats().Total, 0)
}

func TestReset_goesBackToTheStart(t *testing.T) {
	t.Parallel()
	s := Start(t)
	key := asJSON(map[string]string{"public_key": keys.PublicKeyFor("a")})
	for round := range 3 {
		credential := s.Create("/ssh_credentials", key)
		s.Edit("/edges/tls/"+s.Parents.TLSEdge, `{"description":"changed"}`)
		s.Put("/edges/tcp/"+s.Parents.TCPEdge+"/policy", `{}`)
		s.Delete("/edges/https/" + s.Parents.HTTPSEdge)
		s.Delete("/ssh_certificate_authorities/" + s.Parents.SSHCertificateAuthority)
		s.SetRules(Rule{Behavior: "500"})
		want(t, s, 500, "GET", "/ssh_credentials", "")
		if round == 1 {
			s.Reset()
		} else {
			want(t, s, 204, "POST", "/_testserver/reset", "")
		}
		want(t, s, 404, "GET", "/ssh_credentials/"+credential, "")
		equal(t, "description of the edge", want(t, s, 200, "GET", "/edges/tls/"+s.Parents.TLSEdge, "").text("description"), "")
		want(t, s, 404, "GET", "/edges/tcp/"+s.Parents.TCPEdge+"/policy", "")
		want(t, s, 200, "GET", "/edges/https/"+s.Parents.HTTPSEdge+"/routes/"+s.Parents.HTTPSEdgeRoute, "")
		want(t, s, 200, "GET", "/ssh_certificate_authorities/"+s.Parents.SSHCertificateAuthority, "")
		equal(t, "requests since the reset", s.Stats().Total, 5)
	}
}

func TestBaseURL_andPath(t *testing.T) {
	t.Parallel()
	s := Start(t)
	id := s.SeedSSHCredentials(2)[0]
	got := want(t, s, 200, "GET", "/ssh_credentials/"+id, "")
	equal(t, "uri", got.text("uri"), s.URL+"/ssh_credentials/"+id)
	equal(t, "uri seen from behind", s.Get("/ssh_credentials/" + id)["uri"], got.text("uri"))
	next := want(t, s, 200, "GET", "/ssh_credentials?limit=1", "").text("next_page_uri")
	equal(t, "next page", len(want(t, s, 200, "GET", strings.TrimPrefix(next, s.URL), "").body["ssh_credentials"].([]any)), 1)

	named := Start(t, WithBaseURL("https://api.example/"))
	equal(t, "uri", want(t, named, 200, "GET", "/ssh_credentials", "").text("uri"), "https://api.example/ssh_credentials")
}

func TestGoMethods_failLoudly(t *testing.T) {
	t.Parallel()
	s := New()
	child := s.Create("/backends/http_response", "{}")
	s.Create("/backends/failover", children(child))
	for name, act := range map[string]func(){
		"unknown object": func() { s.Get("/ssh_credentials/none") },
		"refused":        func() { s.Create("/ssh_credentials", `{}`) },
		"in use":         func() { s.Delete("/ssh_certificate_authorities/none") },
		"bad rule":       func() { s.SetRules(Rule{Behavior: "earthquake"}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: nothing happens", name)
				}
			}()
			act()
		}()
	}
}
