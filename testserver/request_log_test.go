package testserver

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// logged returns the request log from the control endpoint.
func logged(t *testing.T, s *Server, query string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, entry := range want(t, s, 200, "GET", "/_testserver/requests"+query, "").body["requests"].([]any) {
		all = append(all, entry.(map[string]any))
	}
	return all
}

func TestControlRequests_showTheTraffic(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	object := want(t, s, 201, "POST", "/backends/tunnel_group", `{"labels":{"a":"b"}}`)
	want(t, s, 400, "GET", "/ssh_credentials/none?x=%20y", "", as(s.OrdinaryKey), header("X-Gateway", "g"))
	headers := s.Requests()[1].Header
	equal(t, "headers", []string{headers.Get("X-Gateway"), headers.Get("Service-Version"), headers.Get("Authorization")}, []string{"g", "2", ""})
	s.SetRules(Rule{Behavior: "html", Nth: 1})
	want(t, s, 200, "GET", "/edges/tls", "")
	want(t, s, 404, "GET", "/nothing", "")
	all := logged(t, s, "")
	equal(t, "number of entries", len(all), 4)
	first := all[0]
	equal(t, "creation", first, map[string]any{
		"number": 1, "time": "2026-11-21T08:15:30Z", "method": "POST", "path": "/backends/tunnel_group", "route": "/backends/tunnel_group",
		"status": 201, "duration_ms": 0, "owner": s.AdminOwner, "operation_id": object.header.Get("Tunnel-Operation-Id"),
		"request": map[string]any{"labels": map[string]string{"a": "b"}}, "response": object.body,
		"user_agent": "Go-http-client/1.1", "header": map[string]any{
			"Accept-Encoding": []string{"gzip"}, "Content-Length": []string{"20"}, "Content-Type": []string{"application/json"},
			"Service-Version": []string{"2"}, "User-Agent": []string{"Go-http-client/1.1"},
		},
	})
	equal(t, "query", all[1]["query"], map[string]any{"x": []string{" y"}})
	equal(t, "owner", all[1]["owner"], s.OrdinaryOwner)
	equal(t, "failure and response", []any{all[2]["failure"], all[2]["response"]}, []any{"html", "<html>\n<head><title>Bad Gateway</title></head>\n<body><h1>Bad Gateway</h1></body>\n</html>\n"})
	equal(t, "unknown path", all[3]["route"], "(unknown path)")
	equal(t, "counted requests", s.Stats().Total, 4)
}

func TestControlRequests_filter(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	for range 3 {
		now.advance(time.Minute)
		want(t, s, 404, "GET", "/ssh_credentials/none", "")
		want(t, s, 200, "GET", "/ssh_credentials", "")
	}
	want(t, s, 404, "GET", "/nothing", "")
	for query, number := range map[string]int{
		"": 7, "?last=2": 2, "?status=404": 4, "?status=404&last=3": 3, "?status=500": 0,
		"?route=/ssh_credentials/{id}": 3, "?route=/ssh_credentials": 3, "?route=/ssh*": 6, "?route=/ssh_credentials&status=404": 0,
		"?route=(unknown%20path)": 1, "?since=2026-11-21T08:17:30Z": 5, "?until=2026-11-21T08:17:30Z": 4,
		"?since=2026-11-21T09:17:30%2B01:00&until=2026-11-21T08:17:30Z": 2, "?since=2026-11-21T08:19:00Z": 0,
	} {
		equal(t, "entries for "+query, len(logged(t, s, query)), number)
	}
	newest := logged(t, s, "?last=1")[0]
	equal(t, "newest", newest["path"], "/nothing")
	for query, field := range map[string]string{
		"?last=0": "last", "?last=x": "last", "?status=x": "status", "?route=/typo": "route", "?since=now": "since", "?path=x": "path", "?last=1&last=2": "last",
	} {
		equal(t, "field of "+query, want(t, s, 400, "GET", "/_testserver/requests"+query, "").field(), field)
	}
}

func TestRequestLog_holdsNoSecret(t *testing.T) {
	t.Parallel()
	var output strings.Builder
	s := Start(t, WithLogger(slogTo(&output)), withKey("test", "usr_test"))
	leaf := issue(t, nil, newKey(t, "p256"), nil)
	key := pkcs8(t, leaf.key)
	secret := strings.Split(key, "\n")[1]
	want(t, s, 201, "POST", "/tls_certificates", upload(leaf.pem, key))
	want(t, s, 400, "POST", "/tls_certificates", asJSON(map[string]any{"private_key_pem": strings.Split(key, "\n")}))
	want(t, s, 400, "POST", "/tls_certificates", `{"private_key_pem":"`+secret+`"`)
	want(t, s, 400, "POST", "/tls_certificates", asJSON(map[string]any{"Private_Key_PEM": secret, key: 1, "x": []any{map[string]any{"y": key}}}))
	want(t, s, 404, "PATCH", "/ssh_credentials/a", asJSON(map[string]any{"acl": []string{key}}))
	want(t, s, 400, "POST", "/ssh_credentials", asJSON(map[string]any{"public_key": key}))
	for _, apiKey := range []string{s.AdminKey, s.OrdinaryKey, s.ReadOnlyKey} {
		want(t, s, 400, "POST", "/backends/tunnel_group", asJSON(map[string]any{"metadata": 1, "description": "my key: " + apiKey}))
		want(t, s, 404, "GET", "/ssh_credentials/"+apiKey, "", header("X-Token", apiKey), header("Cookie", apiKey))
		want(t, s, 400, "GET", "/ssh_credentials?key="+apiKey+"&"+apiKey+"=1", "")
	}
	for name, text := range map[string]string{
		"Go log": asJSON(s.Requests()), "log endpoint": asJSON(logged(t, s, "")), "statistics": asJSON(s.Stats()), "log": output.String(),
		"bodies": bodies(s),
	} {
		for what, secret := range map[string]string{"private key": secret, "admin key": s.AdminKey, "ordinary key": s.OrdinaryKey, "read-only key": s.ReadOnlyKey} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the %s is in it", name, what)
			}
		}
	}
	want(t, s, 404, "PATCH", "/backends/failover/a", `{"description":"test","metadata":"a test"}`)
	equal(t, "a short key, and a text with it", logged(t, s, "?last=1")[0]["request"], map[string]string{"description": "(redacted)", "metadata": "a test"})
	upload := logged(t, s, "")[0]["request"].(map[string]any)
	equal(t, "what is left of an upload", upload, map[string]any{"certificate_pem": leaf.pem, "private_key_pem": "(redacted)"})
}

// TestRequestLog_hidesWriteOnly keeps the secrets of a new kind out of the log: what
// the document calls write-only.
func TestRequestLog_hidesWriteOnly(t *testing.T) {
	t.Parallel()
	s := Start(t)
	names := regexp.MustCompile(`"(\w+)":\{[^{}]*"writeOnly":true`).FindAllStringSubmatch(asJSON(apiContract()), -1)
	if len(names) == 0 {
		t.Fatal("the document names no write-only member")
	}
	for _, found := range names {
		want(t, s, 400, "POST", "/tls_certificates", asJSON(map[string]any{found[1]: "hidden"}))
		equal(t, found[1], logged(t, s, "?last=1")[0]["request"], map[string]any{found[1]: "(redacted)"})
	}
}

// bodies returns all logged bodies as text.
func bodies(s *Server) string {
	var all strings.Builder
	for _, entry := range s.Requests() {
		all.Write(entry.RequestBody)
		all.Write(entry.ResponseBody)
	}
	return all.String()
}

// TestRequestLog_countsHeadersAndQueries sends large headers, queries and paths,
// with a key and without one.
func TestRequestLog_countsHeadersAndQueries(t *testing.T) {
	t.Parallel()
	for _, withKey := range []bool{true, false} {
		s := New()
		large := strings.Repeat("x", 60<<10)
		for range 400 {
			r := httptest.NewRequest(http.MethodGet, "/ssh_credentials?description="+large, http.NoBody)
			r.Header.Set("X-Large", large)
			if withKey {
				r.Header.Set("Authorization", "Bearer "+s.AdminKey)
			}
			s.ServeHTTP(httptest.NewRecorder(), r)
		}
		size := 0
		for _, entry := range s.Requests() {
			size += len(entry.Header.Get("X-Large")) + len(entry.Query.Get("description"))
		}
		if withKey != (size > 0) || size > 16<<20 {
			t.Errorf("with a key %v: the log has %d bytes", withKey, size)
		}
		newest := s.Requests()[399]
		equal(t, "path", newest.Path, "/ssh_credentials")
		equal(t, "header", newest.Header != nil, withKey)
	}
}

func TestStats_holdKnownMethodsAndRoutesOnly(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 405, "BREW", "/ssh_credentials", "")
	want(t, s, 404, "SECRET-"+strings.ToUpper(s.AdminKey[4:10]), "/somewhere/else", "")
	want(t, s, 404, "GET", "/"+strings.Repeat("x", 5000), "")
	equal(t, "requests", s.Stats().Requests, map[string]int{
		"(unknown method) /ssh_credentials": 1, "(unknown method) (unknown path)": 1, "GET (unknown path)": 1,
	})
	equal(t, "length of a path in the log", len(s.Requests()[2].Path), 1024)
}

func TestControlOpenAPI_isTheContract(t *testing.T) {
	t.Parallel()
	s := Start(t)
	got := want(t, s, 200, "GET", "/_testserver/openapi.yaml", "")
	equal(t, "document", got.raw, string(OpenAPI))
	equal(t, "Content-Type", got.header.Get("Content-Type"), "application/yaml")
	want(t, s, 401, "GET", "/_testserver/openapi.yaml", "", as("unknown"))
}
