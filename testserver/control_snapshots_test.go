package testserver

import (
	"net/http"
	"strings"
	"testing"
)

// TestSnapshots_areExact takes snapshots of an account, changes it, and restores them in
// any order, also after one was deleted.
func TestSnapshots_areExact(t *testing.T) {
	t.Parallel()
	s := New()
	ask := func(status int, method, path string) string {
		t.Helper()
		got := inner(s, method, "/_testserver/"+path, "")
		if got.Code != status {
			t.Fatalf("%s %s: status %d instead of %d: %s", method, path, got.Code, status, got.Body)
		}
		return got.Body.String()
	}
	ask(http.StatusBadRequest, http.MethodPost, "snapshots/%2E")
	id := s.Create(groups, `{"description": "one", "labels": {"a": "b"}}`)
	ask(http.StatusCreated, http.MethodPost, "snapshots/first")
	first := string(s.Export())
	s.Edit(groups+"/"+id, `{"description": "two"}`)
	s.Create(groups, `{"labels": {"c": "d"}}`)
	ask(http.StatusCreated, http.MethodPost, "snapshots/second")
	second := string(s.Export())
	s.Delete(groups + "/" + id)
	for _, step := range []struct{ name, want string }{{"first", first}, {"second", second}, {"first", first}} {
		ask(http.StatusNoContent, http.MethodPost, "snapshots/"+step.name+"/restore")
		if got := string(s.Export()); got != step.want {
			t.Errorf("the account is\n%s\ninstead of\n%s", got, step.want)
		}
	}
	s.Edit(groups+"/"+id, `{"description": "works"}`)
	third := string(s.Export())
	ask(http.StatusCreated, http.MethodPost, "snapshots/first")
	s.ForceDelete(groups + "/" + id)
	ask(http.StatusNoContent, http.MethodPost, "snapshots/first/restore")
	if got := string(s.Export()); got != third {
		t.Errorf("the account is\n%s\ninstead of\n%s", got, third)
	}
	ask(http.StatusNoContent, http.MethodDelete, "snapshots/first")
	ask(http.StatusNotFound, http.MethodPost, "snapshots/first/restore")
	ask(http.StatusBadRequest, http.MethodPost, "snapshots/a b")
	ask(http.StatusBadRequest, http.MethodPost, "snapshots/")
	want(t, Start(t), http.StatusBadRequest, http.MethodPost, "/_testserver/snapshots/first%2Frestore", "") // another name
	if all := ask(http.StatusOK, http.MethodGet, "snapshots"); !strings.Contains(all, `"name":"second"`) || strings.Contains(all, "first") {
		t.Error(all)
	}
}

func TestExpect_namesWhatComesNear(t *testing.T) {
	t.Parallel()
	s := Start(t)
	send(t, s, "POST", groups, `{"description": "a", "labels": {"app": "web", "dc": "fra"}}`, header("X-Test", "one"))
	id := want(t, s, 201, "POST", groups, `{"labels": {"app": "api"}}`, header("X-Test", "two")).text("id")
	want(t, s, 200, "GET", groups+"/"+id, "")
	want(t, s, 200, "GET", groups+"/"+id, "")
	want(t, s, 200, "GET", "/edges/tls?limit=5", "")
	want(t, s, 400, "POST", "/ssh_credentials", `{}`) // refused, but sent
	for body, wanted := range map[string]string{
		`[{"method": "GET", "route": "/backends/tunnel_group/{id}", "count": 2}, {"method": "DELETE", "count": 0}]`: "",
		`[{"method": "GET", "min": 1, "max": 3}, {"route": "/backends/*", "count": 4}]`:                             "",
		`[{"method": "POST", "route": "/edges/tls", "count": 1}]`: "expected exactly 1 of POST /edges/tls; found 0, and 1 GET /edges/tls, " +
			"2 POST /backends/tunnel_group, 1 POST /ssh_credentials",
		`[{"method": "GET", "max": 1}]`:                                        "expected at most 1 of GET any route; found 3",
		`[{"method": "GET", "only": true}, {"route": "/edges/tls", "min": 2}]`: "expected only GET any route; found 2 POST /backends/tunnel_group, 1 POST /ssh_credentials; expected at least 2 of any method /edges/tls; found 1",
		`[{"body": {"labels": {"dc": "fra"}}, "count": 1}, {"body": {"description": null, "labels": {"app": "api"}}, "count": 1}]`:         "",
		`[{"path": "` + groups + "/" + id + `", "count": 2}, {"query": {"limit": "*"}, "count": 1}, {"query": {"limit": ""}, "count": 5}]`: "",
		`[{"header": {"x-test": "o*"}, "count": 1, "before": {"method": "GET"}}]`:                                                          "",
		`[{"method": "POST", "route": "/backends/tunnel_group", "body": {"labels": {"app": "web", "dc": "ber"}}, "count": 1}]`: `expected exactly 1 of POST /backends/tunnel_group with ` +
			`{"body":{"labels":{"app":"web","dc":"ber"}}}; found 0, and 1 POST /backends/tunnel_group, whose body.labels.app is "api", not "web", ` +
			`1 POST /backends/tunnel_group, whose body.labels.dc is "fra", not "ber"`,
		`[{"method": "GET", "query": {"limit": "7"}, "count": 1}]`:              `2 GET /backends/tunnel_group/{id}, whose query.limit is "", not "7", 1 GET /edges/tls, whose query.limit is "5", not "7"`,
		`[{"header": {"X-Test": "3"}, "body": {"description": "a"}, "min": 1}]`: `1 POST /backends/tunnel_group, whose header.X-Test is "one", not "3"`,
		`[{"body": {"labels": ["app"]}, "min": 1}]`:                             `whose body.labels is null, not ["app"]`,
		`[{"method": "GET", "before": {"method": "POST"}}]`:                     "expected GET any route before POST any route; found request 1 before request 5",
		`[{"method": "DELETE", "before": {"method": "GET"}}]`:                   "expected DELETE any route before GET any route; found 0 and 3",
		`[{"route": "/no"}]`:                                           "unknown route",
		`[{"method": "GET", "count": 1}, {"only": true}]`:              "expected count, min, max, before, or only with a condition",
		`[{"method": "GET"}]`:                                          "expected count, min, max, before, or only",
		`[{"method": "get", "max": 0}]`:                                `unknown method "get" of any route: expected DELETE, GET, PATCH, POST, PUT`,
		`[{"method": "PATCH", "route": "/ssh_credentials", "max": 0}]`: `unknown method "PATCH" of /ssh_credentials: expected GET, POST`,
		`[{"method": "GET", "before": {"method": "PUT", "route": "/bot_users/{id}"}, "min": 0}]`: `unknown method "PUT" of /bot_users/{id}: expected DELETE, GET, PATCH`,
		`[{"header": {"Authorization": "x"}, "max": 0}]`:                                         "header Authorization is secret",
		`{"method": "GET"}`: "expected a list of expectations",
	} {
		got := send(t, s, "POST", "/_testserver/expect", body)
		if (got.status == 200) != (wanted == "") || !strings.Contains(got.text("msg"), wanted) {
			t.Errorf("%s: status %d: %s", body, got.status, got.raw)
		}
	}
	for range 10_000 {
		inner(s, http.MethodGet, "/edges/tls", "")
	}
	got := want(t, s, 422, "POST", "/_testserver/expect", `[{"method": "DELETE", "max": 0}]`)
	equal(t, "message", got.text("msg"), "the log does not have all requests since the last reset: reset the server more often")
}
