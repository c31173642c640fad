package testserver

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// listed returns the number of SSH credentials that a client sees.
func listed(t *testing.T, s *Server) int {
	t.Helper()
	return len(want(t, s, 200, "GET", "/ssh_credentials", "").body["ssh_credentials"].([]any))
}

func TestFault_lag(t *testing.T) {
	t.Parallel()
	for kind, lags := range map[FaultKind]struct{ get, list bool }{
		FaultLag: {true, true}, FaultLagGet: {true, false}, FaultLagList: {false, true},
	} {
		t.Run(string(kind), func(t *testing.T) {
			now := newClock()
			s := Start(t, WithClock(now.now), WithFaults(Fault{Kind: kind, Delay: 5 * time.Second}))
			status := map[bool]int{false: 200, true: 404}
			now.advance(10 * time.Second)
			edge := want(t, s, 201, "POST", "/edges/tls", `{}`).text("id")
			path, policy := "/edges/tls/"+edge, "/edges/tls/"+edge+"/policy"
			want(t, s, 200, "PUT", policy, `{"enabled":false}`)
			want(t, s, status[lags.get], "GET", path, "")
			want(t, s, status[lags.get], "GET", policy, "")
			list := func() int { return len(want(t, s, 200, "GET", "/edges/tls", "").body["tls_edges"].([]any)) }
			equal(t, "edges at once", list(), map[bool]int{false: 2, true: 1}[lags.list])
			want(t, s, 200, "PATCH", path, `{"description":"new"}`)

			now.advance(5 * time.Second)
			want(t, s, 200, "GET", path, "")
			want(t, s, 200, "GET", policy, "")
			equal(t, "edges after 5 s", list(), 2)
			want(t, s, 204, "DELETE", path, "")
			want(t, s, map[bool]int{false: 404, true: 200}[lags.get], "GET", path, "")
			equal(t, "edges after the deletion", list(), map[bool]int{false: 1, true: 2}[lags.list])
			now.advance(5 * time.Second)
			want(t, s, 404, "GET", path, "")
			equal(t, "edges in the end", list(), 1)
		})
	}
}

func TestFault_emptyReplica(t *testing.T) {
	t.Parallel()
	s := Start(t)
	id := s.SeedSSHCredentials(1)[0]
	s.SetFaults(Fault{Kind: FaultEmptyReplica})
	want(t, s, 404, "GET", "/ssh_credentials/"+id, "")
	want(t, s, 404, "GET", "/event_subscriptions/"+s.Parents.EventSubscription+"/sources", "")
	equal(t, "objects", listed(t, s), 0)
	want(t, s, 200, "PATCH", "/ssh_credentials/"+id, `{"description":"d"}`)
	want(t, s, 201, "POST", "/ssh_credentials", newCredential("a"))
	equal(t, "faults", s.Stats().FaultKinds, map[FaultKind]int{FaultEmptyReplica: 3})
	s.SetFaults()
	equal(t, "objects without faults", listed(t, s), 2)
}

func TestFault_stalePage(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now), WithFaults(Fault{Kind: FaultStalePage, Delay: time.Minute}))
	equal(t, "objects at first", listed(t, s), 0)
	path := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
	equal(t, "objects on the kept page", listed(t, s), 0)
	equal(t, "objects on another page", len(want(t, s, 200, "GET", "/ssh_credentials?limit=9", "").body["ssh_credentials"].([]any)), 1)
	want(t, s, 200, "GET", path, "")
	now.advance(time.Minute)
	equal(t, "objects after a minute", listed(t, s), 1)
	equal(t, "faults", s.Stats().FaultKinds, map[FaultKind]int{FaultStalePage: 1})
}

func TestFault_shortList(t *testing.T) {
	t.Parallel()
	s := Start(t)
	id := s.SeedSSHCredentials(1)[0]
	element := func(seed uint64) map[string]any {
		s.SetFaults(Fault{Kind: FaultShortList, Seed: seed})
		return want(t, s, 200, "GET", "/ssh_credentials", "").body["ssh_credentials"].([]any)[0].(map[string]any)
	}
	equal(t, "the shortest element", element(0), map[string]any{"id": id, "uri": s.URL + "/ssh_credentials/" + id})
	one, again, other := element(1), element(1), element(2)
	equal(t, "the same seed", one, again)
	if asJSON(one) == asJSON(other) || len(one) < 3 || one["id"] != id {
		t.Errorf("seed 1 gives %v, seed 2 gives %v", one, other)
	}
	want(t, s, 200, "GET", "/ssh_credentials/"+id, "")
}

func TestFault_notFoundOnce(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "DELETE"} {
		s := Start(t, WithFaults(Fault{Kind: FaultNotFoundOnce, Method: method}))
		path := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
		want(t, s, 404, method, "/ssh_credentials/none", "")
		want(t, s, 404, method, path, "")
		if !s.Exists(path) {
			t.Error("the request was processed")
		}
		want(t, s, map[string]int{"GET": 200, "DELETE": 204}[method], method, path, "")
		equal(t, "faults", s.Stats().Faults, 1)
	}
}

func TestFault_notFoundOnceInASequence(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultNotFoundOnce, Probability: 0.2, Seed: 3}))
	policy := "/edges/tls/" + s.Parents.TLSEdge + "/policy"
	s.Put(policy, `{}`)
	seen := forms(t, 50, func() string { return fmt.Sprint(send(t, s, "GET", policy, "").status) })
	equal(t, "statuses", seen, map[string]int{"200": 49, "404": 1})
}

func TestFault_replay201(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultReplay201}))
	first := want(t, s, 201, "POST", "/ssh_credentials", newCredential("a"))
	second := want(t, s, 201, "POST", "/ssh_credentials", newCredential("b"))
	equal(t, "the second answer", second.raw, first.raw)
	equal(t, "objects", len(s.List("/ssh_credentials")), 1)
	want(t, s, 201, "POST", "/edges/tls", `{}`)
	equal(t, "faults", s.Stats().FaultKinds, map[FaultKind]int{FaultReplay201: 1})
}

func TestFault_lostRoute(t *testing.T) {
	t.Parallel()
	s := Start(t, WithFaults(Fault{Kind: FaultLostRoute, Route: "/ssh_credentials*"}))
	path := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
	want(t, s, 404, "GET", path, "")
	want(t, s, 404, "GET", "/ssh_credentials", "")
	want(t, s, 404, "POST", "/ssh_credentials", newCredential("a"))
	want(t, s, 404, "DELETE", path, "")
	want(t, s, 200, "GET", "/tls_certificates", "")
	equal(t, "objects", len(s.List("/ssh_credentials")), 1)
}

func TestFault_lostRouteBySeed(t *testing.T) {
	t.Parallel()
	s := Start(t)
	lost := func(seed uint64) (found []string) {
		s.SetFaults(Fault{Kind: FaultLostRoute, Seed: seed})
		for _, k := range documentedCollections() {
			if send(t, s, "GET", k.Path, "").status == 404 {
				found = append(found, k.Path)
			}
		}
		return found
	}
	seen := map[string]bool{}
	for seed := range uint64(20) {
		one := lost(seed)
		equal(t, "the same seed", lost(seed), one)
		if len(one) > 1 {
			t.Errorf("seed %d loses %v", seed, one)
		}
		seen[strings.Join(one, "")] = true
	}
	if len(seen) < 4 {
		t.Errorf("20 seeds lose only %v", seen)
	}
}

func TestFault_redirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, 301, 302, 307, 308} {
		s := Start(t, WithFaults(Fault{Kind: FaultRedirect, Status: status}))
		path := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
		want(t, s, 404, "GET", path, "")
		want(t, s, 404, "DELETE", path, "")
		log := s.Requests()
		equal(t, "statuses", []int{log[0].Status, log[1].Status}, []int{max(status, 301+6*(1-min(status, 1))), 404})
		equal(t, "path", log[1].Path, "/redirected"+path)
		equal(t, "exists", s.Exists(path), true)
		equal(t, "faults", s.Stats().Faults, 2)
	}
}

func TestFault_clockSkew(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{90 * time.Second, -time.Hour} {
		now := newClock()
		s := Start(t, WithClock(now.now), WithFaults(Fault{Kind: FaultClockSkew, Delay: skew, Nth: 1}))
		got := want(t, s, 201, "POST", "/ssh_credentials", newCredential("a"))
		equal(t, "Date", got.header.Get("Date"), now.now().Add(skew).Format(http.TimeFormat))
		equal(t, "created_at", got.text("created_at"), now.now().Format(time.RFC3339))
		equal(t, "later Date", want(t, s, 200, "GET", "/ssh_credentials", "").header.Get("Date"), now.now().Format(http.TimeFormat))
	}
}

// trusting returns a client that trusts the certificate of a server.
func trusting(t *testing.T, s *Server) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(s.Certificate)) {
		t.Fatal("there is no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// TestFault_resetStreamAfter relies on net/http, which sends a request again if
// its stream is reset with some codes.
func TestFault_resetStreamAfter(t *testing.T) {
	t.Parallel()
	for code, objects := range map[string]int{"": 4, "protocol_error": 4, "refused_stream": 4, "goaway": 4, "internal_error": 1} {
		t.Run(code, func(t *testing.T) {
			s := Start(t, WithTLS(), WithFaults(Fault{Method: "POST", Kind: FaultResetStreamAfter, Count: 3, Code: code}))
			response, err := trusting(t, s).Do(request(t, s, "POST", "/backends/tunnel_group", `{}`))
			if err == nil {
				defer response.Body.Close()
			}
			if (err == nil) != (objects == 4) {
				t.Errorf("the client sees %v", err)
			}
			equal(t, "objects", len(s.List("/backends/tunnel_group")), objects)
			entry := s.Requests()[0]
			equal(t, "log", []any{entry.Status, entry.Fault}, []any{0, FaultResetStreamAfter})
		})
	}
}

func TestTLS_servesBothVersions(t *testing.T) {
	t.Parallel()
	s := Start(t, WithTLS(), WithFaults(Fault{Kind: FaultResetStreamAfter, Route: "/ssh_credentials"}, Fault{Kind: FaultResetAfter, Method: "POST"}))
	client := trusting(t, s)
	id := s.SeedSSHCredentials(1)[0]
	send := func() string {
		response, err := client.Do(request(t, s, "GET", "/ssh_credentials/"+id, ""))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.Proto
	}
	equal(t, "protocol", send(), "HTTP/2.0")
	client = trusting(t, s)
	client.Transport.(*http.Transport).ForceAttemptHTTP2 = false
	equal(t, "old protocol", send(), "HTTP/1.1")
	if response, err := client.Do(request(t, s, "GET", "/ssh_credentials", "")); err != nil || response.StatusCode != 200 {
		t.Errorf("a fault of HTTP/2 hits HTTP/1: %v", err)
	} else {
		_ = response.Body.Close()
	}
	if _, err := client.Do(request(t, s, "POST", "/edges/tls", `{}`)); !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF) {
		t.Errorf("the client sees %v", err)
	}
	if uri := member(s.Get("/ssh_credentials/"+id), "uri"); !strings.HasPrefix(uri, "https://") {
		t.Errorf("uri is %s", uri)
	}
	if !slices.ContainsFunc(s.Requests(), func(r Request) bool { return r.Fault == FaultResetAfter }) {
		t.Error("the reset is not in the log")
	}
}
