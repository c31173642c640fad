package testserver

import (
	"fmt"
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
	ask(http.StatusConflict, http.MethodPost, "snapshots/first")
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
	s := New()
	id := s.Create(groups, `{"labels": {"a": "b"}}`)
	inner(s, http.MethodGet, groups+"/"+id, "")
	inner(s, http.MethodGet, groups+"/"+id, "")
	inner(s, http.MethodPost, "/ssh_credentials", `{}`) // refused, but sent
	for body, want := range map[string]string{
		`[{"method": "GET", "route": "/backends/tunnel_group/{id}", "count": 2}, {"method": "DELETE", "count": 0}]`: "",
		`[{"method": "GET", "min": 1, "max": 2}]`:                                    "",
		`[{"method": "POST", "route": "/backends/tunnel_group", "count": 1}]`:        "expected exactly 1 of POST /backends/tunnel_group; found 0, and 1 POST /ssh_credentials",
		`[{"method": "GET", "max": 1}]`:                                              "expected at most 1 of GET any route; found 2",
		`[{"method": "GET", "only": true}, {"route": "/ssh_credentials", "min": 2}]`: "expected only GET any route; found 1 POST /ssh_credentials; expected at least 2 of any method /ssh_credentials; found 1",
		`[{"route": "/no"}]`:                              "unknown route",
		`[{"method": "GET", "count": 1}, {"only": true}]`: "expected count, min, max, or only with a method or a route",
		`[{"method": "GET"}]`:                             "expected count, min, max, or only",
		`[{"method": "get", "max": 0}]`:                   `expected a method such as POST; found \"get\"`,
		`{"method": "GET"}`:                               "expected a list of expectations",
	} {
		got := inner(s, http.MethodPost, "/_testserver/expect", body)
		if (got.Code == http.StatusOK) != (want == "") || !strings.Contains(got.Body.String(), want) {
			t.Errorf("%s: status %d: %s", body, got.Code, got.Body)
		}
	}
	if got := inner(s, http.MethodPost, "/_testserver/expect", fmt.Sprintf(`[{"route": %q, "count": 2}]`, "/backends/*")); got.Code != http.StatusOK {
		t.Error(got.Body)
	}
}
