package testserver

import (
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRateLimit_isARollingWindow(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithBehavior("rate_limit=3/1m"), WithClock(now.now))
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

func TestMaxConcurrent_refusesOneMore(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("max_concurrent=2"), WithRules(Rule{Behavior: "delay=1m", Method: "DELETE"}))
	var waiting sync.WaitGroup
	for range 2 {
		waiting.Go(func() { want(t, s, 404, "DELETE", "/ssh_credentials/none", "") })
	}
	eventually(t, func() bool { return s.Stats().InFlight == 2 })
	refused := want(t, s, 429, "GET", "/ssh_credentials", "")
	equal(t, "error_code", refused.text("error_code"), "ERR_TUNNEL_225")
	equal(t, "Retry-After", refused.header.Get("Retry-After"), "1")
	want(t, s, 200, "GET", "/_testserver/stats", "")
	s.Close() // ends the delay of the two requests
	waiting.Wait()
	eventually(t, func() bool { return s.Stats().InFlight == 0 })
	want(t, s, 200, "GET", "/ssh_credentials", "")
}

// The test runs in virtual time, so that a body that has arrived is never slow.
func TestBody_slow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New()
		s.URL = "http://test"
		client, closeAll := serveInMemory(s)
		defer closeAll()
		for key, status := range map[string]int{s.AdminKey: 400, "unknown": 401} {
			reader, writer := io.Pipe()
			go func() { _, _ = writer.Write([]byte(`{"labels":`)) }() // the rest is never sent
			r := request(t, s, "POST", "/backends/tunnel_group", "", as(key), header("Content-Type", mediaType))
			r.Body, r.ContentLength = reader, -1
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			equal(t, "status", response.StatusCode, status)
			writer.Close()
		}
		// A longer delay does not affect a body that has arrived.
		s.SetRules(Rule{Behavior: "delay=2m"})
		response, err := client.Do(request(t, s, "POST", "/backends/tunnel_group", "{}"))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		equal(t, "status", response.StatusCode, 201)
	})
}
