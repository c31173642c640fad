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
	notableWait  = 10 * time.Second       // is logged
)

// gate keeps a promise: the limits of the service cost time, and never an object.
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
type gate struct {
	next   http.RoundTripper
	warn   func(context.Context, string, map[string]any)
	logged sync.Once
	slots  chan struct{} // has an element for each request that is in flight, or waits for the rest
	minute chan struct{} // has an element for each request of the last minute; nil for no limit

	mu         sync.Mutex
	changed    chan struct{} // closed after each answer
	generation int           // how often the gate was closed
	inFlight   int           // requests in flight that were sent since then
	allowed    int           // maximum of inFlight at present
	cap        int           // maximum of allowed
	passed     int           // answers other than 429
	since      time.Time     // when the gate was closed
	until      time.Time     // when the probe is sent; zero while the gate is open
	retryAfter string        // the Retry-After that until comes from, or empty
}

// New returns a transport that sends each request with next when the gate admits
// it. At most maxInFlight requests are in flight, and at most perMinute, if that is
// not 0, are sent in 60 seconds. warn logs once that requests wait for long; it may
// be nil.
func New(maxInFlight, perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) http.RoundTripper {
	return newGate(maxInFlight, perMinute, warn, next)
}

func newGate(maxInFlight, perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) *gate {
	g := &gate{
		next: next, warn: warn, slots: make(chan struct{}, maxInFlight), changed: make(chan struct{}), allowed: maxInFlight, cap: maxInFlight,
	}
	if perMinute > 0 {
		g.minute = make(chan struct{}, perMinute)
	}
	return g
}

// RoundTrip sends a request when the gate admits it, and again after each 429.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	w := &waiter{ctx: req.Context()}
	for {
		generation, err := g.admit(w)
		if err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, WaitError{err, w.waited, w.limit}
		}
		resp, err := g.next.RoundTrip(req)
		refused := err == nil && resp.StatusCode == http.StatusTooManyRequests
		if refused && w.givesUp(resp) {
			g.end(generation, nil)
			return resp, nil
		}
		g.end(generation, resp)
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

type patienceKey struct{}

// WithPatience returns a context whose requests give up if they would wait longer
// after a 429, and then do not make others wait: the operations after them find out
// themselves.
func WithPatience(ctx context.Context, patience time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, patience)
}

// pass waits until the service's limit allows a request. It returns the generation
// of the gate, or why the request may not go.
func (g *gate) pass(w *waiter) (generation int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		var opens <-chan time.Time
		if wait := time.Until(g.until); wait > 0 {
			if deadline, ok := w.ctx.Deadline(); ok && g.retryAfter != "" && !g.until.Before(deadline) {
				w.limit = "" // the error names it
				return 0, errors.New("429 Too Many Requests: " + TooLong(wait, g.retryAfter, deadline))
			}
			opens = time.After(wait)
		} else if g.inFlight < g.allowed {
			g.inFlight++
			return g.generation, nil
		}
		w.limit = "the service's rate limit (429 Too Many Requests)"
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-opens:
		case <-w.ctx.Done():
		}
		g.mu.Lock()
		if w.ctx.Err() != nil {
			return 0, context.Cause(w.ctx)
		}
	}
}

// end processes the response to a request, or nil if there is none.
func (g *gate) end(generation int, resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	current := generation == g.generation
	if current {
		g.inFlight--
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
			g.cap = min(g.cap+1, cap(g.slots))
		}
		g.allowed = min(g.allowed+1, g.cap)
	}
	close(g.changed)
	g.changed = make(chan struct{})
	g.leave()
}

// close closes the gate after a 429, or keeps it closed. An outdated 429, to a
// request that was sent before the gate closed, can only keep it closed for
// longer.
func (g *gate) close(current bool, resp *http.Response) {
	now := time.Now()
	wait, header := RetryAfter(resp)
	if !current && (g.until.IsZero() || now.Add(wait).Before(g.until)) {
		return
	}
	if g.until.IsZero() {
		g.since = now
		g.generation++
		g.inFlight, g.allowed, g.cap = 0, 1, max(g.cap/2, 1)
	}
	if g.retryAfter = header; wait == 0 {
		wait = min(firstProbe+now.Sub(g.since)/10, longestProbe)
	}
	g.until = now.Add(wait)
}
