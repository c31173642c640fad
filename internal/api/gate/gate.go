// Package gate decides when a request may go: limits in flight and per minute,
// and 429 Too Many Requests. It knows HTTP, and nothing of the API.
package gate

import (
	"context"
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
)

// gate delays requests while the service answers 429 Too Many Requests. All
// requests of a client share one gate.
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
	next        http.RoundTripper
	maxInFlight int
	perMinute   int // maximum requests per 60 seconds, 0 for no maximum
	warn        func(context.Context, string, map[string]any)

	mu     sync.Mutex
	queue  []*waiter   // in the order of admission
	ended  []time.Time // when the requests of the last 60 seconds ended, if perMinute is set
	warned bool

	inFlight int // requests in flight that were sent since the gate was last closed
	stale    int // requests in flight that were sent before that
	allowed  int // maximum of inFlight at present
	cap      int // maximum of allowed
	passed   int // answers other than 429

	closed      bool
	generation  int       // how often the gate was closed
	closedSince time.Time // while the gate is closed
	closedUntil time.Time // when the probe is sent; zero while the gate is open
	retryAfter  string    // the Retry-After that closedUntil comes from, or empty
	probing     bool      // a probe is in flight
}

// New returns a transport that sends each request with next when the gate admits
// it. At most maxInFlight requests are in flight, and at most perMinute, if that is
// not 0, are sent in 60 seconds. warn logs that requests wait for long; it may be
// nil.
func New(maxInFlight, perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) http.RoundTripper {
	return newGate(maxInFlight, perMinute, warn, next)
}

func newGate(maxInFlight, perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) *gate {
	return &gate{next: next, maxInFlight: maxInFlight, perMinute: perMinute, warn: warn, allowed: maxInFlight, cap: maxInFlight}
}

// RoundTrip sends a request when the gate admits it, and again after each 429.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	w := &waiter{ctx: req.Context()}
	for {
		if err := g.wait(w); err != nil {
			if req.Body != nil {
				req.Body.Close()
			}
			return nil, WaitError{err, w.waited, w.limit}
		}
		resp, err := g.next.RoundTrip(req)
		if impatient(req) && resp != nil && resp.StatusCode == http.StatusTooManyRequests {
			g.end(w, nil)
			return resp, nil
		}
		g.end(w, resp)
		if err != nil {
			if w.ctx.Err() != nil && w.waited >= time.Second {
				err = WaitError{err, w.waited, w.limit}
			}
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests || req.Body != nil && req.GetBody == nil {
			return resp, nil
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

type impatientKey struct{}

// WithoutWait returns a context whose requests do not wait after a 429, and do
// not make others wait: the operations after them find out themselves.
func WithoutWait(ctx context.Context) context.Context {
	return context.WithValue(ctx, impatientKey{}, true)
}

func impatient(req *http.Request) bool { return req.Context().Value(impatientKey{}) != nil }

// nextAdmission returns when the next request can be sent, or false if an
// answer must arrive first.
func (g *gate) nextAdmission() (at time.Time, ok bool) {
	for len(g.ended) > 0 && time.Since(g.ended[0]) >= time.Minute {
		g.ended = g.ended[1:]
	}
	if g.closed && g.probing || !g.closed && (g.inFlight >= g.allowed || g.inFlight+g.stale >= g.maxInFlight) {
		return at, false
	}
	if !g.minuteUsed() {
		return g.closedUntil, true
	}
	if len(g.ended) == 0 {
		return at, false
	}
	return g.ended[0].Add(time.Minute), true
}

// minuteUsed reports whether perMinute allows no further request. A request
// counts until 60 seconds after its answer, because it is not known when the
// service counted it.
func (g *gate) minuteUsed() bool {
	return g.perMinute > 0 && g.inFlight+g.stale+len(g.ended) >= g.perMinute
}

// end processes the response to a request, or nil if there is none.
func (g *gate) end(w *waiter, resp *http.Response) {
	g.mu.Lock()
	defer g.mu.Unlock()
	current := w.generation == g.generation
	if current {
		g.inFlight--
	} else {
		g.stale--
	}
	if g.perMinute > 0 {
		g.ended = append(g.ended, time.Now())
	}
	if w.probe {
		g.probing = false
	}
	switch {
	case resp == nil: // this says nothing about the limit
	case resp.StatusCode == http.StatusTooManyRequests:
		g.close(current, resp)
	case w.probe:
		g.closed, g.closedUntil, g.allowed = false, time.Time{}, 1
	case current:
		if g.passed++; g.passed%growthStep == 0 {
			g.cap = min(g.cap+1, g.maxInFlight)
		}
		g.allowed = min(g.allowed+1, g.cap)
	}
	g.wakeFirst()
}

// close closes the gate after a 429, or keeps it closed. An outdated 429, to a
// request that was sent before the gate closed, can only keep it closed for
// longer.
func (g *gate) close(current bool, resp *http.Response) {
	now := time.Now()
	wait, header := RetryAfter(resp)
	if !current && (!g.closed || now.Add(wait).Before(g.closedUntil)) {
		return
	}
	if !g.closed {
		g.closed, g.closedSince = true, now
		g.generation++
		g.stale, g.inFlight = g.stale+g.inFlight, 0
		g.cap = max(g.cap/2, 1)
	}
	if g.retryAfter = header; wait == 0 {
		wait = min(firstProbe+now.Sub(g.closedSince)/10, longestProbe)
	}
	g.closedUntil = now.Add(wait)
	for _, w := range g.queue { // the deadline of some may be earlier
		w.wakeUp()
	}
}
