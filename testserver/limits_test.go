package testserver

import (
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

func TestRateLimit_isARollingWindow(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithRateLimit(3, time.Minute), WithClock(now.now))
	want(t, s, 200, "GET", "/ssh_credentials", "")
	now.advance(20 * time.Second)
	want(t, s, 404, "GET", "/nothing", "")
	want(t, s, 401, "GET", "/ssh_credentials", "", as("unknown"))
	refused := want(t, s, 429, "GET", "/ssh_credentials", "")
	equal(t, "error_code", refused.text("error_code"), "ERR_TUNNEL_226")
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "40")
	now.advance(39*time.Second + 1)
	equal(t, "Retry-After of less than a second", want(t, s, 429, "GET", "/ssh_credentials", "").header.Get("Retry-After"), "1")
	now.advance(time.Second)
	want(t, s, 200, "GET", "/ssh_credentials", "")
	equal(t, "Retry-After", want(t, s, 429, "GET", "/ssh_credentials", "").header.Get("Retry-After"), "20")
	want(t, s, 200, "GET", "/_testserver/stats", "")
	s.Get("/edges/tls/" + s.Parents.TLSEdge)
	want(t, s, 204, "POST", "/_testserver/reset", "")
	want(t, s, 200, "GET", "/ssh_credentials", "")
}

func TestRateLimit_isExactUnderLoad(t *testing.T) {
	t.Parallel()
	s := Start(t, WithRateLimit(25, time.Hour))
	var waiting sync.WaitGroup
	for range 4 {
		waiting.Go(func() {
			for range 20 {
				send(t, s, "GET", "/ssh_credentials", "")
			}
		})
	}
	waiting.Wait()
	equal(t, "statuses", s.Stats().Statuses, map[int]int{200: 25, 429: 55})
}

func TestMaxConcurrent_refusesOneMore(t *testing.T) {
	t.Parallel()
	s := Start(t, WithMaxConcurrent(2), WithFaults(Fault{Method: "DELETE", Kind: FaultDelay, Delay: time.Minute}))
	var waiting sync.WaitGroup
	for range 2 {
		waiting.Go(func() { want(t, s, 404, "DELETE", "/ssh_credentials/none", "") })
	}
	eventually(t, func() bool { return len(s.slots) == 2 })
	refused := want(t, s, 429, "GET", "/ssh_credentials", "")
	equal(t, "error_code", refused.text("error_code"), "ERR_TUNNEL_225")
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "1")
	want(t, s, 200, "GET", "/_testserver/stats", "")
	s.Close() // ends the delay of the two requests
	waiting.Wait()
	eventually(t, func() bool { return len(s.slots) == 0 })
	want(t, s, 200, "GET", "/ssh_credentials", "")
}

func TestLatency_sparesControlEndpoints(t *testing.T) {
	t.Parallel()
	const latency = 150 * time.Millisecond
	s := Start(t, WithLatency(latency))
	start := time.Now()
	want(t, s, 200, "GET", "/ssh_credentials", "")
	if took := time.Since(start); took < latency {
		t.Errorf("the request took %v", took)
	}
	took := latency
	for range 5 { // best of 5, because the machine may be busy
		start = time.Now()
		want(t, s, 200, "GET", "/_testserver/stats", "")
		took = min(took, time.Since(start))
	}
	if took >= latency {
		t.Errorf("the control request took %v", took)
	}
}

func TestBody_slow(t *testing.T) {
	t.Parallel()
	s := Start(t, func(s *Server) { s.bodyTimeout = 200 * time.Millisecond })
	for name, test := range map[string]struct {
		key    string
		status int
	}{"accepted key": {s.AdminKey, 400}, "unknown key": {"unknown", 401}} {
		t.Run(name, func(t *testing.T) {
			reader, writer := io.Pipe()
			t.Cleanup(func() { _ = writer.Close() })
			go func() { _, _ = writer.Write([]byte(`{"labels":`)) }() // the rest is never sent
			r := request(t, s, "POST", "/backends/tunnel_group", "", as(test.key), header("Content-Type", jsonType))
			r.Body, r.ContentLength = reader, -1
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			equal(t, "status", response.StatusCode, test.status)
		})
	}
	// A fault with a longer delay does not affect a body that has arrived.
	s.SetFaults(Fault{Kind: FaultDelay, Delay: 500 * time.Millisecond})
	want(t, s, 201, "POST", "/backends/tunnel_group", `{}`)
}

func TestDate_followsTheClock(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	now.advance(48 * time.Hour)
	got := want(t, s, 201, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": publicKeyFor("a")}))
	equal(t, "Date", got.header.Get("Date"), now.now().Format(http.TimeFormat))
	equal(t, "created_at", got.text("created_at"), now.now().Format(time.RFC3339))
	equal(t, "length", got.header.Get("Content-Length"), strconv.Itoa(len(got.raw)))
}
