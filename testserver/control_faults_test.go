package testserver

import (
	"net/http"
	"strings"
	"testing"
)

// TestControl_listsFaults returns the rules with what they have hit.
func TestControl_listsFaults(t *testing.T) {
	t.Parallel()
	s := New()
	s.SetFaults(Fault{Kind: Fault503, Method: http.MethodGet, Count: 1})
	inner(s, http.MethodGet, groups, "")
	got := inner(s, http.MethodGet, "/_testserver/faults", "")
	want := `"rule":{"method":"GET","fault":"503","count":1},"matched":1,"hits":1,"done":true`
	if got.Code != http.StatusOK || !strings.Contains(got.Body.String(), want) {
		t.Errorf("status %d: %s", got.Code, got.Body)
	}
}

// TestSeed_oneObject says what to do with a seed that is an object instead of a list.
func TestSeed_oneObject(t *testing.T) {
	t.Parallel()
	err := New().Seed([]byte(`{"path": "/backends/tunnel_group", "body": {}}`))
	if err == nil || !strings.Contains(err.Error(), "it is one object: expected a list, with [ and ] around the object") {
		t.Error(err)
	}
}

// TestFaults_hitOneObject selects one object of a run by a member of its creation, and
// one by its path.
func TestFaults_hitOneObject(t *testing.T) {
	t.Parallel()
	s := New()
	post := func(description string) int {
		return inner(s, http.MethodPost, groups, `{"description": "`+description+`", "labels": {"a": "b"}}`).Code
	}
	id := s.Create(groups, `{"labels": {"a": "b"}}`)
	rules, err := ParseFaults([]byte(`[{"fault": "503", "method": "POST", "body": {"description": "db1", "labels": {"a": "b"}}}, {"fault": "500", "path": "` + groups + "/" + id + `"}]`))
	if err != nil {
		t.Fatal(err)
	}
	s.SetFaults(rules...)
	for description, want := range map[string]int{"db1": 503, "db2": 201, "db": 201} {
		if got := post(description); got != want {
			t.Errorf("%s gets %d instead of %d", description, got, want)
		}
	}
	other := s.Create(groups, `{"labels": {"a": "b"}}`)
	for path, want := range map[string]int{id: 500, other: 200} {
		if got := inner(s, http.MethodGet, groups+"/"+path, "").Code; got != want {
			t.Errorf("%s gets %d instead of %d", path, got, want)
		}
	}
	if got := inner(s, http.MethodGet, "/_testserver/faults", "").Body.String(); !strings.Contains(got, `"body":{"description":"db1"`) || !strings.Contains(got, `"path":"`+groups) {
		t.Error(got)
	}
	if _, err := ParseFaults([]byte(`[{"fault": "500", "path": "ssh_credentials"}]`)); err == nil || !strings.Contains(err.Error(), "expected a path such as") {
		t.Error(err)
	}
}
