package testserver

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/record"
)

func host(name string) func(*http.Request) {
	return func(r *http.Request) { r.Host = name }
}

func TestControlHost_strangersAreRefused(t *testing.T) {
	t.Parallel()
	s := Start(t, WithHost("tunnel.corp.example.org", "Other.Example.Org."), WithBaseURL("https://api.example.net:8443/v2"))
	for _, name := range []string{
		"127.0.0.1:8480", "10.1.2.3", "[::1]:8480", "[::1]", "localhost", "LOCALHOST:1", "app.localhost", "tunnel:8480", "tunnel",
		"tunnel.default.svc.cluster.local", "host.docker.internal:8480", "a.test", "example.com", "b.example.com", "localhost.",
		"tunnel.corp.example.org:8480", "TUNNEL.corp.example.org", "other.example.org", "api.example.net",
	} {
		want(t, s, 200, "GET", "/_testserver/stats", "", host(name))
		want(t, s, 200, "GET", "/_testserver/", "", host(name))
	}
	for _, name := range []string{
		"evil.org", "evil.org:8480", "127.0.0.1.evil.org", "localhost.evil.org", "notexample.com", "tunnel.corp.example.org.evil.org", "xlocalhost.de",
	} {
		for _, path := range []string{"", "page/main.js", "stats", "objects/edges/tls"} {
			refused := want(t, s, 421, "GET", "/_testserver/"+path, "", host(name))
			if !strings.Contains(refused.text("msg"), "-allow-host") {
				t.Errorf("the message does not say what to do: %s", refused.raw)
			}
		}
		want(t, s, 421, "POST", "/_testserver/reset", "", host(name))
		want(t, s, 200, "GET", "/edges/tls", "", host(name)) // the API itself
		want(t, s, 200, "GET", "/_testserver/health", "", host(name))
	}
	open := Start(t, WithHost("*"))
	want(t, open, 200, "GET", "/_testserver/stats", "", host("evil.org"))
}

func TestPage_headers(t *testing.T) {
	t.Parallel()
	s := Start(t)
	equal(t, "address", s.PageURL(), s.URL+"/_testserver/#key="+s.AdminKey)
	for path, kind := range map[string]string{
		"": "text/html", "page/main.js": "text/javascript", "page/style.css": "text/css", "page/icon.svg": "image/svg+xml",
	} {
		got := want(t, s, 200, "GET", "/_testserver/"+path, "", as(""))
		equal(t, path+" type", got.header.Get("Content-Type"), kind+"; charset=utf-8")
		policy := got.header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s: the policy has no %s", path, part)
			}
		}
		if strings.Contains(policy, "unsafe") || got.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: the headers allow too much: %v", path, got.header)
		}
		equal(t, path+" sniffing", got.header.Get("X-Content-Type-Options"), "nosniff")
		want(t, s, 405, "POST", "/_testserver/"+path, "")
	}
	for _, path := range []string{"page/", "page/none.js", "page/../page.go", "page/%2e%2e/page.go", "index.html"} {
		want(t, s, 404, "GET", "/_testserver/"+path, "")
	}
	equal(t, "counted requests", s.Stats().Total, 0)
}

func TestActivity_isWhatIsNew(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("list_small_pages"))
	first := want(t, s, 200, "GET", "/_testserver/activity", "").body
	equal(t, "requests at first", first["requests"], []any{})
	want(t, s, 200, "GET", "/edges/tls", "")
	want(t, s, 401, "GET", "/edges/tls", "", as("unknown"))
	s.SetRules(Rule{Behavior: "503", Nth: 1})
	want(t, s, 503, "POST", "/backends/tunnel_group", `{"labels":{"found":"body"}}`)
	got := want(t, s, 200, "GET", "/_testserver/activity?after=1", "")
	requests := got.body["requests"].([]any)
	equal(t, "number of requests", len(requests), 2)
	equal(t, "numbers", []any{got.body["first"], got.body["last"], got.body["total"]}, []int{1, 3, 3})
	rule := map[string]any{"rule": map[string]any{"behavior": "503", "nth": 1}, "matched": 1, "hits": 1, "done": true}
	equal(t, "rules", got.body["rules"].([]any)[1], rule)
	s.ResetStats()
	want(t, s, 200, "GET", "/edges/tls", "")
	after := want(t, s, 200, "GET", "/_testserver/activity?after=3", "").body
	equal(t, "numbers after a reset", []any{after["first"], after["last"], after["total"]}, []int{4, 4, 1})
	want(t, s, 400, "GET", "/_testserver/activity?after=x", "")
	want(t, s, 400, "GET", "/_testserver/activity?since=1", "")
}

func TestRules_addedKeepTheOthers(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 200, "POST", "/_testserver/behavior", `[{"behavior":"429","count":2}]`)
	want(t, s, 429, "GET", "/edges/tls", "")
	want(t, s, 200, "POST", "/_testserver/behavior?add=true", `[{"behavior":"503","count":1}]`)
	want(t, s, 429, "GET", "/edges/tls", "")
	want(t, s, 503, "GET", "/edges/tls", "")
	want(t, s, 200, "GET", "/edges/tls", "")
	want(t, s, 400, "POST", "/_testserver/behavior?add=true", `["none"]`)
	want(t, s, 200, "POST", "/_testserver/behavior?add=true", `["500"]`)
	equal(t, "rules without those that are done", len(s.RulesInForce()), 1)
}

// summaries returns the objects of an overview by key.
func summaries(overview map[string]any) map[string]map[string]any {
	found := map[string]map[string]any{}
	for _, object := range overview["objects"].([]any) {
		summary := object.(map[string]any)
		found[summary["key"].(string)] = summary
	}
	return found
}

func TestOverview_followsChanges(t *testing.T) {
	t.Parallel()
	s := Start(t)
	whole := want(t, s, 200, "GET", "/_testserver/objects", "").body
	equal(t, "whole", whole["whole"], true)
	equal(t, "number of objects", len(summaries(whole)), 7)
	next := func(before map[string]any) map[string]any {
		version := asJSON(before["version"])
		return want(t, s, 200, "GET", "/_testserver/objects?after="+version, "").body
	}
	backend := s.Create("/backends/tunnel_group", `{"labels":{"app":"web","a":"b"}}`)
	edge := s.Create("/edges/tls", `{"hostports":["www.example.com:443"],"backend":{"backend_id":"`+backend+`"}}`)
	changed := next(whole)
	equal(t, "whole", changed["whole"], false)
	equal(t, "number of changed objects", len(summaries(changed)), 2)
	equal(t, "label", summaries(changed)[backend]["label"], "a=b, app=web")
	equal(t, "edge", []any{summaries(changed)[edge]["refers"], summaries(changed)[edge]["modules"], summaries(changed)[edge]["kind"]},
		[]any{[]string{backend}, []string{"backend"}, "/edges/tls"})

	domain := s.Create("/reserved_domains", `{"domain":"*.example.com"}`)
	served := next(changed)
	equal(t, "the edge refers to the domain that was reserved later", summaries(served)[edge]["refers"], []string{backend, domain})
	equal(t, "the edge itself has not changed", summaries(served)[edge]["version"], summaries(changed)[edge]["version"])

	s.Delete("/edges/tls/" + edge)
	gone := next(served)
	equal(t, "removed", gone["removed"], []string{edge})
	equal(t, "nothing more", next(gone)["removed"], []any{})
	secret := s.Create("/bot_users", asJSON(map[string]string{"name": "key " + s.AdminKey}))
	equal(t, "a label with a key", summaries(next(gone))[secret]["label"], record.Redacted)
	s.Reset()
	back := next(gone)
	if !slices.Contains(back["removed"].([]any), any(backend)) {
		t.Errorf("a reset does not remove the backend: %v", back["removed"])
	}
	equal(t, "a version of the future", next(map[string]any{"version": 1_000_000})["whole"], true)
}

func TestOverview_isWholeAfterManyRemovals(t *testing.T) {
	t.Parallel()
	s := Start(t)
	before := want(t, s, 200, "GET", "/_testserver/objects", "").body
	s.SeedSSHCredentials(30_000)
	s.Reset()
	after := want(t, s, 200, "GET", "/_testserver/objects?after="+asJSON(before["version"]), "").body
	equal(t, "whole", after["whole"], true)
	equal(t, "number of objects", len(summaries(after)), 7)
}

// Every reference leads to a kind that the kind of the object names, so that the page
// can tell what is meant to be used.
func TestOverview_kindsNameWhatTheyReferTo(t *testing.T) {
	t.Parallel()
	s := Start(t)
	s.fillWithReferences(t)
	overview := kinds.Changes(s.api.Store, 0)
	described, of := map[string][]string{}, map[string]string{}
	for _, kind := range overview.Kinds {
		described[kind.Path] = kind.Refers
	}
	for _, object := range overview.Objects {
		of[object.Key] = object.Kind
	}
	seen := map[string]bool{}
	for _, object := range overview.Objects {
		for _, id := range object.Refers {
			if target := of[id]; target != "" {
				seen[object.Kind+" "+target] = true
				if !slices.Contains(described[object.Kind], target) {
					t.Errorf("%s refers to %s, which its kind does not name", object.Kind, target)
				}
			}
		}
	}
	for path, targets := range described {
		for _, target := range targets {
			if !seen[path+" "+target] {
				t.Errorf("the test has no reference from %s to %s: add one to fillWithReferences", path, target)
			}
		}
	}
}

// fillWithReferences creates an object for each way to refer to another.
func (s *Server) fillWithReferences(t *testing.T) {
	t.Helper()
	inner := s.Create("/backends/failover", `{}`)
	backends := []string{s.Create("/backends/http_response", "{}"), s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`), inner}
	s.Create("/backends/failover", asJSON(map[string]any{"backends": backends}))
	if err := s.service.OpenTunnel(s.api, &kinds.Tunnel{Labels: map[string]string{"a": "b"}}); err != nil {
		t.Fatal(err)
	}
	policy := s.Create("/ip_policies", `{}`)
	s.Create("/ip_policy_rules", `{"ip_policy_id":"`+policy+`","action":"allow","cidr":"192.0.2.0/24"}`)
	restricted := `{"ip_restriction":{"ip_policy_ids":["` + policy + `"]},"match_type":"exact_path","match":"/restricted"}`
	s.Create("/edges/https/"+s.Parents.HTTPSEdge+"/routes", restricted)
	for _, path := range []string{"/edges/tls", "/edges/tcp"} {
		s.Create(path, `{"ip_restriction":{"ip_policy_ids":["`+policy+`"]}}`)
	}
	s.Create("/api_keys", `{"owner_id":"`+s.OrdinaryOwner+`"}`)
	destination := s.Create("/event_destinations", `{"format":"json","target":{"debug":{"log":true}}}`)
	s.Create("/event_subscriptions", `{"destination_ids":["`+destination+`"]}`)
	address := s.Create("/reserved_addrs", `{}`)
	certificate := newCertificate(t, s)
	s.Create("/reserved_domains", `{"domain":"www.example.com","certificate_id":"`+certificate+`"}`)
	s.Create("/edges/https", `{"hostports":["www.example.com:443"]}`)
	for _, id := range backends {
		backend := map[string]any{"backend_id": id}
		s.Create("/edges/tls", asJSON(map[string]any{"hostports": []string{"www.example.com:443"}, "backend": backend}))
		s.Create("/edges/tcp", asJSON(map[string]any{"hostports": []any{s.Get("/reserved_addrs/" + address)["addr"]}, "backend": backend}))
		s.Create("/edges/https/"+s.Parents.HTTPSEdge+"/routes", asJSON(map[string]any{"match_type": "path_prefix", "match": "/" + id, "backend": backend}))
	}
	s.Create("/ssh_host_certificates", asJSON(map[string]any{"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": sshLine(t, newKey(t, "ed25519"))}))
	s.Create("/ssh_credentials", asJSON(map[string]any{"public_key": sshLine(t, newKey(t, "ed25519")), "owner_id": s.OrdinaryOwner}))
}
