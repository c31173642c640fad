package testserver

import (
	"context"
	"errors"
	"io"
	"net/http"
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

func TestFault_errors(t *testing.T) {
	t.Parallel()
	for kind, test := range map[FaultKind]struct {
		status    int
		processed bool
	}{
		Fault429: {429, false}, Fault500: {500, false}, Fault502: {502, false}, Fault503: {503, false}, Fault504: {504, false},
		Fault500After: {500, true}, Fault502After: {502, true}, Fault503After: {503, true}, Fault504After: {504, true},
	} {
		t.Run(string(kind), func(t *testing.T) {
			s := Start(t, WithFaults(Fault{Method: "POST", Route: "/ssh_credentials", Kind: kind, Nth: 1}))
			got := want(t, s, test.status, "POST", "/ssh_credentials", newCredential("a"))
			if got.text("msg") == "" || got.header.Get("Tunnel-Operation-Id") == "" || got.body["status_code"] != float64(test.status) {
				t.Errorf("the error is %s", got.raw)
			}
			equal(t, "objects", len(s.List("/ssh_credentials")), map[bool]int{false: 0, true: 1}[test.processed])
			want(t, s, map[bool]int{false: 201, true: 400}[test.processed], "POST", "/ssh_credentials", newCredential("a"))
			stats := s.Stats()
			equal(t, "faults", []any{stats.Faults, stats.FaultKinds}, []any{1, map[FaultKind]int{kind: 1}})
			equal(t, "fault in the log", s.Requests()[0].Fault, kind)
		})
	}
}

func TestFault_retryAfter(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	send := func(fault Fault) (string, bool) {
		s.SetFaults(fault)
		got := send(t, s, "GET", "/ssh_credentials", "")
		values, there := got.header["Retry-After"]
		return strings.Join(values, ","), there
	}
	if seconds, _ := send(Fault{Kind: Fault429}); seconds != "1" {
		t.Errorf("by default it is %q", seconds)
	}
	if seconds, _ := send(Fault{Kind: Fault429, RetryAfter: "seconds"}); seconds != "1" {
		t.Errorf("in seconds it is %q", seconds)
	}
	if date, _ := send(Fault{Kind: Fault429, RetryAfter: "date"}); date != now.now().Add(2*time.Second).Format(http.TimeFormat) {
		t.Errorf("as a date it is %q", date)
	}
	if literal, _ := send(Fault{Kind: Fault503, RetryAfter: "soon"}); literal != "soon" {
		t.Errorf("as given it is %q", literal)
	}
	for _, fault := range []Fault{{Kind: Fault429, RetryAfter: "none"}, {Kind: Fault503}} {
		if value, there := send(fault); there {
			t.Errorf("with %+v it is %q", fault, value)
		}
	}
}

func TestFault_resets(t *testing.T) {
	t.Parallel()
	for kind, processed := range map[FaultKind]bool{FaultResetBefore: false, FaultResetDuring: true, FaultResetAfter: true} {
		t.Run(string(kind), func(t *testing.T) {
			s := Start(t, WithFaults(Fault{Method: "POST", Kind: kind}))
			_, err := try(t, s, "POST", "/ssh_credentials", newCredential("a"))
			if !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
				t.Errorf("the client sees %v", err)
			}
			equal(t, "objects", len(s.List("/ssh_credentials")), map[bool]int{false: 0, true: 1}[processed])
			entry := s.Requests()[0]
			equal(t, "log", []any{entry.Status, entry.Fault}, []any{0, kind})
		})
	}
}

func TestFault_resetDuring(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Method: "POST", Kind: FaultResetDuring, Delay: time.Hour}))
	if _, err := try(t, s, "POST", "/ssh_credentials", newCredential("a")); err == nil {
		t.Fatal("the request is answered")
	}
	equal(t, "objects at first", len(s.List("/ssh_credentials")), 0)
	equal(t, "requests in flight", s.Stats().InFlight, 1)
	s.Close() // ends all delays
	eventually(t, func() bool { return len(s.List("/ssh_credentials")) == 1 })
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

func TestFault_delay(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultDelay, Delay: time.Hour}))
	answered := make(chan result, 1)
	go func() {
		got, _ := try(t, s, "POST", "/ssh_credentials", newCredential("a"))
		answered <- got
	}()
	eventually(t, func() bool { return s.Stats().InFlight == 1 })
	equal(t, "objects at first", len(s.List("/ssh_credentials")), 0)
	equal(t, "answers at first", len(answered), 0)
	s.Close() // ends all delays
	equal(t, "status", (<-answered).status, 201)
	eventually(t, func() bool { return s.Stats().InFlight == 0 })
}

func TestFault_brokenAnswers(t *testing.T) {
	t.Parallel()
	const path = "/ssh_credentials"
	for name, test := range map[string]struct {
		fault     Fault
		processed bool
		check     func(t *testing.T, got result)
	}{
		"html": {Fault{Kind: FaultHTML}, true, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, got.header.Get("Content-Type"), strings.HasPrefix(got.raw, "<html>")}, []any{201, "text/html; charset=utf-8", true})
		}},
		"html before": {Fault{Kind: FaultHTML, Before: true}, false, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, strings.HasPrefix(got.raw, "<html>")}, []any{502, true})
		}},
		"html 404": {Fault{Kind: FaultHTML, Before: true, Status: 404}, false, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, strings.HasPrefix(got.raw, "<html>")}, []any{404, true})
		}},
		"content type": {Fault{Kind: FaultContentType}, true, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, got.header.Get("Content-Type"), got.text("id") != ""}, []any{201, "text/plain; charset=utf-8", true})
		}},
		"empty": {Fault{Kind: FaultEmpty}, true, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, got.raw, got.header.Get("Content-Length")}, []any{201, "", "0"})
		}},
		"empty before": {Fault{Kind: FaultEmpty, Before: true, Status: 503, RetryAfter: "7"}, false, func(t *testing.T, got result) {
			equal(t, "answer", []any{got.status, got.raw, got.header.Get("Retry-After")}, []any{503, "", "7"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := Start(t, WithFaults(test.fault))
			test.check(t, send(t, s, "POST", path, newCredential("a")))
			equal(t, "objects", len(s.List(path)), map[bool]int{false: 0, true: 1}[test.processed])
			equal(t, "faults", s.Stats().Faults, 1)
		})
	}
}

func TestFault_truncate(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{false, true} {
		s := Start(t, WithFaults(Fault{Kind: FaultTruncate, Before: before}))
		got, err := try(t, s, "POST", "/ssh_credentials", newCredential("a"))
		if !errors.Is(err, io.ErrUnexpectedEOF) || got.status != map[bool]int{false: 201, true: 502}[before] {
			t.Errorf("the client sees %d and %v", got.status, err)
		}
		promised, _ := strconv.Atoi(got.header.Get("Content-Length"))
		if len(got.raw) == 0 || len(got.raw) >= promised {
			t.Errorf("%d of %d bytes arrive", len(got.raw), promised)
		}
		equal(t, "objects", len(s.List("/ssh_credentials")), map[bool]int{false: 1, true: 0}[before])
	}
}

func TestFault_endless(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultEndless}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	response, err := http.DefaultClient.Do(request(t, s, "GET", "/ssh_credentials", "").WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if n, err := io.CopyN(io.Discard, response.Body, 20<<20); err != nil {
		t.Errorf("the answer ends after %d bytes: %v", n, err)
	}
}

func TestFault_brokenDelete(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for _, kind := range []FaultKind{FaultHTML, FaultEmpty, FaultTruncate} {
		id := s.SeedSSHCredentials(1)[0]
		s.SetFaults(Fault{Method: "DELETE", Kind: kind})
		got, err := try(t, s, "DELETE", "/ssh_credentials/"+id, "")
		if kind == FaultTruncate != (err != nil) || got.status != 200 {
			t.Errorf("%s: the client sees %d and %v", kind, got.status, err)
		}
		equal(t, "exists", s.Exists("/ssh_credentials/"+id), false)
	}
}

func TestFault_lagList(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now), WithFaults(Fault{Kind: FaultLagList, Delay: 5 * time.Second}))
	sources := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	count := func() []int {
		credentials := want(t, s, 200, "GET", "/ssh_credentials", "").body["ssh_credentials"].([]any)
		return []int{len(credentials), len(want(t, s, 200, "GET", sources, "").body["sources"].([]any))}
	}
	now.advance(10 * time.Second)
	first := want(t, s, 201, "POST", "/ssh_credentials", newCredential("a")).text("id")
	want(t, s, 201, "POST", sources, `{"type":"a.v0"}`)
	now.advance(2 * time.Second)
	want(t, s, 201, "POST", "/ssh_credentials", newCredential("b"))
	equal(t, "lists at once", count(), []int{0, 0})
	want(t, s, 200, "GET", "/ssh_credentials/"+first, "")
	now.advance(3 * time.Second)
	equal(t, "lists after 5 s", count(), []int{1, 1})
	now.advance(2 * time.Second)
	equal(t, "lists after 7 s", count(), []int{2, 1})
	want(t, s, 204, "DELETE", "/ssh_credentials/"+first, "")
	equal(t, "lists after the deletion", count(), []int{2, 1})
	now.advance(5 * time.Second)
	equal(t, "lists in the end", count(), []int{1, 1})
	s.SetFaults()
	want(t, s, 201, "POST", "/ssh_credentials", newCredential("c"))
	equal(t, "lists without faults", count(), []int{2, 1})
}

func TestFault_notFoundAfterCreate(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now), WithFaults(Fault{Kind: FaultNotFoundAfterCreate, Delay: time.Second}))
	sources := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	now.advance(time.Minute)
	path := "/ssh_credentials/" + want(t, s, 201, "POST", "/ssh_credentials", newCredential("a")).text("id")
	want(t, s, 201, "POST", sources, `{"type":"a.v0"}`)
	want(t, s, 404, "GET", path, "")
	want(t, s, 404, "GET", sources+"/a.v0", "")
	want(t, s, 200, "PATCH", path, `{"description":"d"}`)
	equal(t, "list", len(want(t, s, 200, "GET", "/ssh_credentials", "").body["ssh_credentials"].([]any)), 1)
	now.advance(time.Second)
	want(t, s, 200, "GET", path, "")
	want(t, s, 200, "GET", sources+"/a.v0", "")
	want(t, s, 200, "PATCH", path, `{"description":"e"}`)
	want(t, s, 200, "GET", path, "")
	equal(t, "faults that made a difference", s.Stats().Faults, 2)
}

func TestBody_oversized(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 413, "POST", "/ssh_credentials", `{"description":"`+strings.Repeat("a", 3<<20)+`"}`)
	want(t, s, 200, "GET", "/ssh_credentials", "")
}
