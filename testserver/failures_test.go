package testserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// newCredential returns the body of a create request that succeeds once for
// each name.
func newCredential(name string) string {
	return asJSON(map[string]string{"public_key": keys.PublicKeyFor(name)})
}

// eventually waits until a condition is true.
func eventually(t *testing.T, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !true(); time.Sleep(2 * time.Millisecond) { //nolint:forbidigo // polls
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// TestFailures_answers sends a creation that meets a failure, and one more.
func TestFailures_answers(t *testing.T) {
	t.Parallel()
	isReset := func(err error) bool { return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF) }
	isCut := func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }
	for behavior, test := range map[string]struct {
		processed bool
		status    int
		header    string // name: value
		body      string // its beginning; "-" means none, and empty means that of the API
		fails     func(error) bool
	}{
		"404": {status: 404, body: `{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"unknown API path"`},
		"429": {status: 429, header: "Retry-After: 1"}, "429=none": {status: 429, header: "Retry-After: "}, "429=7": {status: 429, header: "Retry-After: 7"},
		"500": {status: 500, header: "Retry-After: "}, "503": {status: 503}, "503=9": {status: 503, header: "Retry-After: 9"},
		"503_after": {status: 503, processed: true}, "503_after=3": {status: 503, processed: true, header: "Retry-After: 3"},
		"reset_before": {fails: isReset}, "reset_after": {fails: isReset, processed: true},
		"truncate": {processed: true, status: 201, fails: isCut}, "truncate_before": {status: 502, fails: isCut},
		"html":         {processed: true, status: 201, header: "Content-Type: text/html; charset=utf-8", body: "<html>"},
		"html=404":     {processed: true, status: 404, body: "<html>"},
		"html_before":  {status: 502, body: "<html>"},
		"empty":        {processed: true, status: 201, header: "Content-Length: 0", body: "-"},
		"empty_before": {status: 502, body: "-"}, "empty_before=503": {status: 503, body: "-"},
	} {
		t.Run(behavior, func(t *testing.T) {
			t.Parallel()
			s := Start(t, WithRules(Rule{Behavior: behavior, Method: "POST", Route: "/ssh_credentials", Nth: 1}))
			got, err := alone(t, s, "POST", "/ssh_credentials", newCredential("a"))
			if (test.fails != nil) != (err != nil) || err != nil && !test.fails(err) {
				t.Errorf("the client sees %v", err)
			}
			equal(t, "status", got.status, test.status)
			if name, value, ok := strings.Cut(test.header, ": "); ok {
				equal(t, name, got.header.Get(name), value)
			}
			switch {
			case test.body == "-":
				equal(t, "body", got.raw, "")
			case test.fails != nil:
				if promised, _ := strconv.Atoi(got.header.Get("Content-Length")); promised > 0 && (len(got.raw) == 0 || len(got.raw) >= promised) {
					t.Errorf("%d of %d bytes arrive", len(got.raw), promised)
				}
			case !strings.HasPrefix(got.raw, test.body), test.body == "" && got.status >= 400 && got.text("msg") == "":
				t.Errorf("the body is %s", got.raw)
			}
			name, _, _ := strings.Cut(behavior, "=")
			entry := s.Requests()[0]
			equal(t, "log", []any{entry.Status, entry.Failure}, []any{map[bool]int{false: entry.Status}[strings.HasPrefix(name, "reset")], name})
			equal(t, "counted", s.Stats().Failures, map[string]int{name: 1})
			equal(t, "objects", len(s.List("/ssh_credentials")), map[bool]int{true: 1}[test.processed])
			want(t, s, map[bool]int{false: 201, true: 400}[test.processed], "POST", "/ssh_credentials", newCredential("a"))
		})
	}
}

// alone sends a request on a connection of its own, and follows no redirect.
func alone(t *testing.T, s *Server, method, path, body string) (result, error) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request(t, s, method, path, body))
	if err != nil {
		return result{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	got := result{status: response.StatusCode, header: response.Header, raw: string(raw)}
	got.body = decodeAnswer(raw)
	return got, err
}

// TestFailures_late delays a request before it is processed and after it. The end of
// the server ends all delays.
func TestFailures_late(t *testing.T) {
	t.Parallel()
	for behavior, first := range map[string]int{"delay=1h": 0, "hold": 0} {
		t.Run(behavior, func(t *testing.T) {
			t.Parallel()
			s := Start(t, WithRules(Rule{Behavior: behavior, Method: "POST"}))
			answered := make(chan result, 1)
			go func() {
				got, _ := try(t, s, "POST", "/ssh_credentials", newCredential("a"))
				answered <- got
			}()
			eventually(t, func() bool { return s.Stats().InFlight == 1 && len(s.List("/ssh_credentials")) == first })
			equal(t, "answers at first", len(answered), 0)
			s.Close()
			equal(t, "status", (<-answered).status, 201)
			eventually(t, func() bool { return s.Stats().InFlight == 0 && len(s.List("/ssh_credentials")) == 1 })
		})
	}
}

// TestFailures_slowBody gets the header of a list at once, and its body when the server
// ends all delays.
func TestFailures_slowBody(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("bandwidth=40/1h"))
	s.SeedSSHCredentials(3)
	response, err := http.DefaultClient.Do(request(t, s, "GET", "/ssh_credentials", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	equal(t, "status", response.StatusCode, 200)
	read := make(chan string, 1)
	go func() {
		raw, _ := io.ReadAll(response.Body)
		read <- string(raw)
	}()
	eventually(t, func() bool { return s.Stats().Failures["bandwidth"] == 1 })
	equal(t, "complete at first", len(read), 0)
	s.Close()
	equal(t, "objects", len(decodeAnswer([]byte(<-read))["ssh_credentials"].([]any)), 3)
}

// A successful DELETE with a broken response is a 200, because a 204 has no body.
func TestFailures_brokenDelete(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for _, behavior := range []string{"html", "empty", "truncate"} {
		id := s.SeedSSHCredentials(1)[0]
		s.SetRules(Rule{Behavior: behavior, Method: "DELETE"})
		got, err := try(t, s, "DELETE", "/ssh_credentials/"+id, "")
		if behavior == "truncate" != (err != nil) || got.status != 200 {
			t.Errorf("%s: the client sees %d and %v", behavior, got.status, err)
		}
		equal(t, "exists", s.Exists("/ssh_credentials/"+id), false)
	}
}

// TestFailures_lag reads the state of five seconds ago, of objects, modules and lists.
func TestFailures_lag(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now), WithBehavior("lag=5s"))
	sources := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	now.advance(10 * time.Second)
	edge := want(t, s, 201, "POST", "/edges/tls", `{}`).text("id")
	path, policy := "/edges/tls/"+edge, "/edges/tls/"+edge+"/policy"
	want(t, s, 200, "PUT", policy, `{"enabled":false}`)
	want(t, s, 201, "POST", sources, `{"type":"a.v0"}`)
	sees := func(when string, status, edges, types int) {
		t.Helper()
		equal(t, when, []int{
			send(t, s, "GET", path, "").status, send(t, s, "GET", policy, "").status, len(want(t, s, 200, "GET", "/edges/tls", "").body["tls_edges"].([]any)),
			len(want(t, s, 200, "GET", sources, "").body["sources"].([]any)),
		}, []int{status, status, edges, types})
	}
	sees("at once", 404, 1, 0)
	want(t, s, 200, "PATCH", path, `{"description":"new"}`)
	now.advance(5 * time.Second)
	sees("after 5 s", 200, 2, 1)
	want(t, s, 204, "DELETE", path, "")
	sees("after the deletion", 200, 2, 1)
	now.advance(5 * time.Second)
	sees("in the end", 404, 1, 1)
	equal(t, "hits", s.Stats().Failures, map[string]int{"lag": 16})
	s.SetRules(Rule{Behavior: "lag=24h"})
	want(t, s, 201, "POST", "/edges/tls", `{}`)
	equal(t, "another lag", len(want(t, s, 200, "GET", "/edges/tls", "").body["tls_edges"].([]any)), 1)
}

// TestFailures_follow shows in which order rules apply: delays, and then the first
// failure.
func TestFailures_follow(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("delay=10ms", "delay=20ms", "503", "500", "list_small_pages"))
	want(t, s, 503, "GET", "/ssh_credentials", "")
	if took := s.Requests()[0].Duration; took < 30*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	s = Start(t, WithRules(Rule{Behavior: "delay=2ms-20ms", Seed: 1}))
	var took []time.Duration
	for i := range 10 {
		want(t, s, 200, "GET", "/ssh_credentials", "")
		took = append(took, s.Requests()[i].Duration)
	}
	if least, most := slices.Min(took), slices.Max(took); least < 2*time.Millisecond || most < least+5*time.Millisecond {
		t.Errorf("requests took from %v to %v", least, most)
	}
	s = Start(t, WithBehavior("503"))
	want(t, s, 415, "POST", "/ssh_credentials", newCredential("a"), header("Content-Type", "text/plain")) // before anything that can fail
	equal(t, "failures", s.Stats().Failures, map[string]int{})
}

// TestHold_looksAtWhatOthersSee looks at what another client sees while a creation is
// held, although its client has given up.
func TestHold_looksAtWhatOthersSee(t *testing.T) {
	t.Parallel()
	for release, free := range map[string]func(*Server){
		"HTTP":  func(s *Server) { inner(s, http.MethodDelete, "/_testserver/held", "") },
		"rules": func(s *Server) { s.SetRules() },
		"Go":    func(s *Server) { s.Release() },
	} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			s := New()
			s.SetRules(Rule{Behavior: "hold", Method: http.MethodPost})
			gone, giveUp := context.WithCancel(context.Background())
			answered := make(chan int, 1)
			go func() {
				r := httptest.NewRequest(http.MethodPost, groups, strings.NewReader(`{"labels": {"a": "b"}}`)).WithContext(gone)
				r.Header.Set("Authorization", "Bearer "+s.AdminKey)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Service-Version", "2")
				response := httptest.NewRecorder()
				s.ServeHTTP(response, r)
				answered <- response.Code
			}()
			held := inner(s, http.MethodGet, "/_testserver/held", "").Body.String()
			if want := `{"held":[{"method":"POST","path":"` + groups + `"}`; !strings.Contains(held, want) {
				t.Errorf("got %s, want %s", held, want)
			}
			giveUp()
			equal(t, "objects that another client sees", len(s.List(groups)), 0)
			free(s)
			if status := <-answered; status != http.StatusCreated || len(s.List(groups)) != 1 {
				t.Errorf("status %d, and then %d objects", status, len(s.List(groups)))
			}
		})
	}
}

// TestTLS_resetsBothVersions resets connections of HTTP/1.1 and HTTP/2 after a
// creation.
func TestTLS_resetsBothVersions(t *testing.T) {
	t.Parallel()
	s := New(WithRules(Rule{Behavior: "reset_after", Method: "POST"}))
	front := httptest.NewUnstartedServer(s)
	listener, err := s.EnableTLS(front.Config, front.Listener)
	if err != nil {
		t.Fatal(err)
	}
	front.Listener = listener
	front.Start()
	t.Cleanup(front.Close)
	s.URL = "https://" + listener.Addr().String()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM([]byte(s.Certificate))
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2.0"} {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: protocol == "HTTP/2.0"}
		t.Cleanup(transport.CloseIdleConnections)
		response, err := transport.RoundTrip(request(t, s, "GET", "/edges/tls/"+s.Parents.TLSEdge, ""))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		equal(t, "protocol", response.Proto, protocol)
		before := len(s.List("/edges/tls"))
		if _, err := transport.RoundTrip(request(t, s, "POST", "/edges/tls", `{}`)); err == nil {
			t.Error("a request is answered")
		}
		equal(t, "new edges of "+protocol, len(s.List("/edges/tls"))-before, 1)
	}
	if uri := member(s.Get("/edges/tls/"+s.Parents.TLSEdge), "uri"); !strings.HasPrefix(uri, "https://") || !strings.HasPrefix(s.PageURL(), "https://") {
		t.Errorf("the addresses are %s and %s", uri, s.PageURL())
	}
}
