// Package gate decides when a request may go: limits in flight and per minute,
// and 429 Too Many Requests. It knows HTTP, and nothing of the API.
package gate

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// TestGate_totalTime measures what these values cost. With a smaller
// growthStep, a limit on simultaneous requests closes the gate more often. With
// a larger one, the gate uses a new window more slowly.
const (
	firstProbe   = 100 * time.Millisecond // from a 429 without Retry-After to the probe
	longestProbe = 5 * time.Second        // between two probes without Retry-After
	growthStep   = 20                     // answers other than 429 until the cap grows by one

	rateLimit = "the service's rate limit (429 Too Many Requests)"
)

// Gate keeps a promise: the limits of the service cost time, and never an object.
// All requests of a client share one gate.
//
// A 429 closes the gate until its Retry-After. Without a Retry-After, the wait
// is 0.1 s plus a tenth of the time that the gate has been closed so far, at
// most 5 s. Then a single request is sent, the probe. Another 429 keeps the
// gate closed. Any other answer opens it for 1 request in flight, then 2, 4 and
// so on up to a cap. The cap halves when the gate closes, and grows by one for
// every 20 answers other than 429.
//
// Answers to requests that were sent before the gate closed do not open it, and
// do not close it again. If the probe gets no answer, the next request is the
// probe.
//
// The service does not process a request that it answers with 429. The gate
// sends such a request again, whatever its method.
type Gate struct {
	next      http.RoundTripper
	most      int // maximum of total
	perMinute int // 0 for no maximum

	mu         sync.Mutex
	changed    chan struct{} // closed after each answer
	total      int           // requests in flight
	inFlight   int           // those of them that were sent since the gate closed
	allowed    int           // maximum of inFlight at present
	cap        int           // maximum of allowed
	passed     int           // answers other than 429
	ended      []time.Time   // of the requests of the last minute, if perMinute is set
	since      time.Time     // when the gate was closed
	until      time.Time     // when the probe is sent; zero while the gate is open
	retryAfter string        // the Retry-After that until comes from, or empty
}

// New returns a transport that sends each request with next when the gate admits
// it. At most maxInFlight requests are in flight, and at most perMinute, if that is
// not 0, are sent in 60 seconds.
func New(maxInFlight, perMinute int, next http.RoundTripper) *Gate {
	return &Gate{next: next, most: maxInFlight, perMinute: perMinute, changed: make(chan struct{}), allowed: maxInFlight, cap: maxInFlight}
}

// RoundTrip sends a request when the gate admits it, and again after each 429.
func (g *Gate) RoundTrip(req *http.Request) (*http.Response, error) {
	w := &waiter{ctx: req.Context()}
	for {
		sent, err := g.enter(w)
		if err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, WaitError{err, w.waited, w.limit}
		}
		resp, err := g.next.RoundTrip(req)
		refused := err == nil && resp.StatusCode == http.StatusTooManyRequests
		if refused && w.givesUp(resp) {
			g.leave(sent, nil)
			return resp, nil
		}
		g.leave(sent, resp)
		if err != nil && w.ctx.Err() != nil && w.waited >= time.Second {
			return nil, WaitError{err, w.waited, w.limit}
		}
		if !refused || req.Body != nil && req.GetBody == nil {
			return resp, err
		}
		resp.Body.Close()
		req = req.Clone(w.ctx)
		if req.GetBody != nil {
			if req.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
	}
}

// enter waits until a request may go, and returns when it goes, or why it may not.
func (g *Gate) enter(w *waiter) (sent time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		now := time.Now()
		limit, opens := g.blocks(now)
		if limit == "" {
			g.total++
			g.inFlight++
			return now, nil
		}
		if deadline, ok := w.ctx.Deadline(); ok && limit == rateLimit && g.retryAfter != "" && !opens.Before(deadline) {
			w.limit = "" // the error names it
			return now, errors.New("429 Too Many Requests: " + TooLong(opens.Sub(now), g.retryAfter, deadline))
		}
		var timer <-chan time.Time
		if !opens.IsZero() {
			timer = time.After(opens.Sub(now))
		}
		w.limit = limit
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-timer:
		case <-w.ctx.Done():
		}
		g.mu.Lock()
		w.waited += time.Since(now)
		if w.ctx.Err() != nil {
			return now, context.Cause(w.ctx)
		}
	}
}

// blocks returns the limit that a request has to wait for, or "", and when it ends, if
// that is known. In the minute, a request counts for 60 seconds after its answer,
// because it is not known when the service counted it.
func (g *Gate) blocks(now time.Time) (limit string, opens time.Time) {
	for len(g.ended) > 0 && now.Sub(g.ended[0]) >= time.Minute {
		g.ended = g.ended[1:]
	}
	switch {
	case g.total >= g.most:
		return "other requests to finish", time.Time{}
	case g.perMinute > 0 && g.total >= g.perMinute:
		return "requests_per_minute", time.Time{}
	case g.perMinute > 0 && g.total+len(g.ended) >= g.perMinute:
		return "requests_per_minute", g.ended[0].Add(time.Minute)
	case now.Before(g.until):
		return rateLimit, g.until
	case g.inFlight >= g.allowed:
		return rateLimit, time.Time{}
	}
	return "", time.Time{}
}

// leave processes the response to a request, or nil if there is none.
func (g *Gate) leave(sent time.Time, resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.total--
	current := sent.After(g.since)
	if current {
		g.inFlight--
	}
	if g.perMinute > 0 {
		g.ended = append(g.ended, time.Now())
	}
	switch {
	case resp == nil: // this says nothing about the limit
	case resp.StatusCode == http.StatusTooManyRequests:
		g.close(current, resp)
	case !current:
	case !g.until.IsZero(): // the probe
		g.until = time.Time{}
	default:
		if g.passed++; g.passed%growthStep == 0 {
			g.cap = min(g.cap+1, g.most)
		}
		g.allowed = min(g.allowed+1, g.cap)
	}
	close(g.changed)
	g.changed = make(chan struct{})
}

// close closes the gate after a 429, or keeps it closed. An outdated 429, to a
// request that was sent before the gate closed, can only keep it closed for
// longer.
func (g *Gate) close(current bool, resp *http.Response) {
	now := time.Now()
	wait, header := RetryAfter(resp)
	if !current && (g.until.IsZero() || now.Add(wait).Before(g.until)) {
		return
	}
	if g.until.IsZero() {
		g.since = now
		g.inFlight, g.allowed, g.cap = 0, 1, max(g.cap/2, 1)
	}
	if g.retryAfter = header; wait == 0 {
		wait = min(firstProbe+now.Sub(g.since)/10, longestProbe)
	}
	g.until = now.Add(wait)
}
