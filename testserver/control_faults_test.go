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
