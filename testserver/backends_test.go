package testserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

func children(ids ...string) string {
	return asJSON(map[string]any{"backends": append([]string{}, ids...)})
}

func TestTunnelGroupBackend_life(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	object := want(t, s, 201, "POST", "/backends/tunnel_group", `{"labels":{"team":"red","any":""},"metadata":"m"}`)
	id := object.text("id")
	path := "/backends/tunnel_group/" + id
	equal(t, "backend", object.body, map[string]any{
		"id": id, "uri": s.URL + path, "created_at": "2026-11-21T08:15:30Z", "metadata": "m",
		"labels": map[string]string{"team": "red", "any": ""}, "tunnels": []any{},
	})
	if !strings.HasPrefix(id, "bkdtg_") {
		t.Errorf("the id is %s", id)
	}
	equal(t, "what GET gives", want(t, s, 200, "GET", path, "").body, object.body)
	changed := want(t, s, 200, "PATCH", path, `{"labels":{"b":"c"},"metadata":""}`)
	equal(t, "labels", changed.body["labels"], map[string]string{"b": "c"})
	equal(t, "metadata", changed.text("metadata"), "")
	equal(t, "labels omitted", want(t, s, 200, "PATCH", path, `{"description":"d"}`).body["labels"], map[string]string{"b": "c"})
	equal(t, "labels null", want(t, s, 200, "PATCH", path, `{"labels":null}`).body["labels"], map[string]string{"b": "c"})
	for body, field := range map[string]string{
		`{"labels":{"":"c"}}`:        "labels",
		`{"labels":{"a=b":"c"}}`:     "labels.a=b",
		`{"labels":{"a":"b=c"}}`:     "labels.a",
		`{"labels":{"a":1}}`:         "labels.a",
		`{"labels":["a"]}`:           "labels",
		`{"labels":{"a":"b"},"x":1}`: "x",
	} {
		equal(t, "blamed field of "+body, want(t, s, 400, "PATCH", path, body).field(), field)
		equal(t, "blamed field of "+body, want(t, s, 400, "POST", "/backends/tunnel_group", body).field(), field)
	}
	equal(t, "empty labels", want(t, s, 200, "PATCH", path, `{"labels":{}}`).body["labels"], map[string]string{"b": "c"})
	for _, body := range []string{`{}`, `{"labels":{}}`, `{"labels":null,"description":"","metadata":""}`} {
		object := want(t, s, 201, "POST", "/backends/tunnel_group", body)
		equal(t, "labels", object.body["labels"], map[string]any{})
		equal(t, "description", form(object.body, "description"), "absent")
	}
	want(t, s, 204, "DELETE", path, "")
	want(t, s, 404, "GET", path, "")
}

func TestFailoverBackend_life(t *testing.T) {
	t.Parallel()
	s := Start(t)
	group := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
	other := s.CreateOtherBackend()
	object := want(t, s, 201, "POST", "/backends/failover", children(other, group))
	id := object.text("id")
	path := "/backends/failover/" + id
	equal(t, "backends in order", object.body["backends"], []string{other, group})
	if !strings.HasPrefix(id, "bkdfo_") || object.text("uri") != s.URL+path {
		t.Errorf("id %s, uri %s", id, object.text("uri"))
	}
	changed := want(t, s, 200, "PATCH", path, children(group, other))
	equal(t, "backends in the new order", changed.body["backends"], []string{group, other})
	equal(t, "backends after {}", want(t, s, 200, "PATCH", path, `{}`).body["backends"], []string{group, other})
	want(t, s, 409, "DELETE", "/backends/tunnel_group/"+group, "")
	equal(t, "backends after null", want(t, s, 200, "PATCH", path, `{"description":null}`).body["backends"], []string{group, other})
	equal(t, "backends null", want(t, s, 200, "PATCH", path, `{"backends":null}`).body["backends"], []string{})
	want(t, s, 200, "PATCH", path, children(group, other))
	equal(t, "backends omitted", want(t, s, 200, "PATCH", path, `{"description":"d"}`).body["backends"], []string{})
	want(t, s, 204, "DELETE", "/backends/tunnel_group/"+group, "")
	want(t, s, 200, "PATCH", path, children(other))
	equal(t, "backends cleared", want(t, s, 200, "PATCH", path, children()).body["backends"], []string{})
	want(t, s, 204, "DELETE", path, "")
}

func TestFailoverBackend_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	other := s.CreateOtherBackend()
	inner := s.Create("/backends/failover", children(other))
	middle := s.Create("/backends/failover", children(other, inner))
	outer := s.Create("/backends/failover", children(middle))
	for name, test := range map[string]struct{ method, path, body, field string }{
		"twice":              {"POST", "/backends/failover", children(other, inner, other), "backends[2]"},
		"unknown":            {"POST", "/backends/failover", children(other, "bkdtg_none"), "backends[1]"},
		"no backend":         {"POST", "/backends/failover", children(s.Parents.TLSEdge), "backends[0]"},
		"number":             {"POST", "/backends/failover", `{"backends":[1]}`, "backends[0]"},
		"itself":             {"PATCH", "/backends/failover/" + inner, children(other, inner), "backends[1]"},
		"a cycle":            {"PATCH", "/backends/failover/" + inner, children(outer), "backends[0]"},
		"unknown in a PATCH": {"PATCH", "/backends/failover/" + inner, children("bkdfo_none"), "backends[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "blamed field", want(t, s, 400, test.method, test.path, test.body).field(), test.field)
		})
	}
	equal(t, "backends after refusals", s.Get("/backends/failover/" + inner)["backends"], []string{other})
	want(t, s, 409, "DELETE", "/backends/failover/"+inner, "")
	want(t, s, 204, "DELETE", "/backends/failover/"+outer, "")
	want(t, s, 204, "DELETE", "/backends/failover/"+middle, "")
	want(t, s, 204, "DELETE", "/backends/failover/"+inner, "")
}

func TestList_pagesNewestFirst(t *testing.T) {
	t.Parallel()
	s := Start(t)
	ids := s.SeedSSHCredentials(250)
	for limit, pages := range map[int]int{100: 3, 70: 4, 50: 5, 1: 250} {
		var seen []string
		uri, count := fmt.Sprintf("/ssh_credentials?limit=%d", limit), 0
		for ; uri != ""; count++ {
			page := want(t, s, 200, "GET", strings.TrimPrefix(uri, s.URL), "")
			equal(t, "uri of the list", page.text("uri"), s.URL+"/ssh_credentials")
			for _, object := range page.body["ssh_credentials"].([]any) {
				seen = append(seen, object.(map[string]any)["id"].(string))
			}
			if uri = page.text("next_page_uri"); uri != "" && !strings.HasPrefix(uri, s.URL+"/ssh_credentials?") {
				t.Fatalf("next_page_uri is %s", uri)
			}
		}
		equal(t, "number of pages", count, pages)
		if len(seen) != len(ids) {
			t.Fatalf("%d objects are listed, want %d", len(seen), len(ids))
		}
		for i := range seen {
			if seen[i] != ids[len(ids)-1-i] {
				t.Fatalf("object %d is %s, want %s", i, seen[i], ids[len(ids)-1-i])
			}
		}
	}
	first := want(t, s, 200, "GET", "/ssh_credentials", "")
	equal(t, "default page", len(first.body["ssh_credentials"].([]any)), 100)

	s.Delete("/ssh_credentials/" + ids[100])
	page := want(t, s, 200, "GET", "/ssh_credentials?limit=1&before_id="+ids[100], "")
	equal(t, "what follows a deleted object", page.body["ssh_credentials"].([]any)[0].(map[string]any)["id"], ids[99])
	last := want(t, s, 200, "GET", "/ssh_credentials?before_id="+ids[0], "")
	equal(t, "what follows the oldest", last.body["ssh_credentials"], []any{})
	if next, there := last.body["next_page_uri"]; next != nil || !there {
		t.Errorf("next_page_uri of the last page is %v, there: %v", next, there)
	}
}

func TestList_hasEveryKind(t *testing.T) {
	t.Parallel()
	s := Start(t)
	group := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
	failover := s.Create("/backends/failover", children(group))
	host := s.Create("/ssh_host_certificates", asJSON(map[string]string{
		"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": keys.PublicKeyFor("host")}))
	leaf := issue(t, nil, newKey(t, "ed25519"), nil)
	cert := s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
	for path, test := range map[string]struct{ field, id string }{
		"/backends/tunnel_group":       {"backends", group},
		"/backends/failover":           {"backends", failover},
		"/backends/http_response":      {"backends", s.CreateOtherBackend()},
		"/ssh_host_certificates":       {"ssh_host_certificates", host},
		"/tls_certificates":            {"tls_certificates", cert},
		"/ssh_certificate_authorities": {"ssh_certificate_authorities", s.Parents.SSHCertificateAuthority},
		"/edges/tls":                   {"tls_edges", s.Parents.TLSEdge},
		"/edges/tcp":                   {"tcp_edges", s.Parents.TCPEdge},
		"/edges/https":                 {"https_edges", s.Parents.HTTPSEdge},
		"/event_subscriptions":         {"event_subscriptions", s.Parents.EventSubscription},
	} {
		got := want(t, s, 200, "GET", path, "")
		objects, _ := got.body[test.field].([]any)
		if len(objects) != 1 {
			t.Fatalf("%s lists %d objects: %s", path, len(objects), got.raw)
		}
		equal(t, "listed object of "+path, objects[0], want(t, s, 200, "GET", path+"/"+test.id, "").body)
	}
}
