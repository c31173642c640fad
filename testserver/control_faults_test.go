package testserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
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

// TestFault_holds looks at what another client sees while a creation is held, before and
// after it is processed.
func TestFault_holds(t *testing.T) {
	t.Parallel()
	for kind, visible := range map[FaultKind]int{FaultHold: 0, FaultHoldAfter: 1} {
		for release, free := range map[string]func(*Server){
			"one":   func(s *Server) { inner(s, http.MethodDelete, "/_testserver/held/1", "") },
			"all":   func(s *Server) { inner(s, http.MethodDelete, "/_testserver/held", "") },
			"rules": func(s *Server) { s.SetFaults() },
			"Go":    func(s *Server) { s.Release() },
			"close": func(s *Server) { s.Close() },
		} {
			t.Run(string(kind)+" "+release, func(t *testing.T) {
				t.Parallel()
				s := New(WithFaults(Fault{Method: http.MethodPost, Kind: kind}))
				gone, giveUp := context.WithCancel(context.Background())
				answered := make(chan int, 1)
				go func() {
					r := httptest.NewRequest(http.MethodPost, groups, strings.NewReader(`{"labels": {"a": "b"}}`)).WithContext(gone)
					r.Header.Set("Authorization", "Bearer "+s.AdminKey)
					r.Header.Set("Service-Version", "2")
					r.Header.Set("Content-Type", "application/json")
					response := httptest.NewRecorder()
					s.ServeHTTP(response, r)
					answered <- response.Code
				}()
				held := inner(s, http.MethodGet, "/_testserver/held", "").Body.String()
				if want := `{"held":[{"number":1,"method":"POST","path":"` + groups + `","processed":`; !strings.Contains(held, want) {
					t.Errorf("got %s, want %s", held, want)
				}
				giveUp()
				if n := len(s.List(groups)); n != visible {
					t.Errorf("another client sees %d objects, want %d", n, visible)
				}
				free(s)
				if status := <-answered; status != http.StatusCreated || len(s.List(groups)) != 1 {
					t.Errorf("status %d, and then %d objects", status, len(s.List(groups)))
				}
			})
		}
	}
	s := New()
	front := Start(t)
	for path, want := range map[string]string{"1ms": `{"held":[]}`, "1h": "expected a duration from 0s to 5m0s"} {
		if got := send(t, front, http.MethodGet, "/_testserver/held?wait="+path, ""); !strings.Contains(got.raw, want) {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	if got := inner(s, http.MethodDelete, "/_testserver/held/1", ""); got.Code != http.StatusNotFound {
		t.Errorf("status %d: %s", got.Code, got.Body)
	}
}

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
