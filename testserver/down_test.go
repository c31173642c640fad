package testserver

import (
	"errors"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestDown_refusesConnections closes the listener until Up, and for a time over HTTP.
func TestDown_refusesConnections(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 200, http.MethodGet, groups, "") // opens a connection, which is kept
	if err := s.Down(0); err != nil {
		t.Fatal(err)
	}
	try(t, s, http.MethodGet, groups, "") //nolint:errcheck // of the old connection
	if _, err := try(t, s, http.MethodGet, groups, ""); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the client sees %v", err)
	}
	if err := s.Up(); err != nil {
		t.Fatal(err)
	}
	want(t, s, 200, http.MethodGet, groups, "")
	want(t, s, 204, http.MethodPost, "/_testserver/down", `{"for": "10m"}`)
	if _, err := try(t, s, http.MethodGet, groups, ""); err == nil {
		t.Error("a request is answered")
	}
	if err := s.Up(); err != nil {
		t.Fatal(err)
	}
	want(t, s, 204, http.MethodPost, "/_testserver/down", `{"for": "50ms"}`)
	eventually(t, func() bool { _, err := try(t, s, http.MethodGet, groups, ""); return err == nil })
	for _, body := range []string{`{}`, `{"for": "1h"}`, `{"for": "soon"}`} {
		if got := want(t, s, 400, http.MethodPost, "/_testserver/down", body); !strings.Contains(got.text("msg"), "expected a duration of at most 10m0s") {
			t.Errorf("%s: %s", body, got.raw)
		}
	}
	if err := New().Down(0); err == nil {
		t.Error("a handler without a listener is down")
	}
	s.Down(0) //nolint:errcheck // the end of the test closes it
}
