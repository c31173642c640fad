package api

import (
	"container/list"
	"context"
	"fmt"
	"time"
)

// notableWait is how long a request waits before the gate logs it.
const notableWait = 10 * time.Second

// waiter is a request that waits for admission or is in flight.
type waiter struct {
	ctx    context.Context
	waited time.Duration // in total, for all attempts
	limit  string        // what it waited for last

	place      *list.Element // in the queue, or nil
	left       chan struct{} // closed when it leaves the queue
	err        error         // why it was not admitted
	generation int           // of the gate at its admission
	probe      bool
}

// waitError is the error of a request that had to wait for a limit, if its
// context ended, or would end before the wait is over.
type waitError struct {
	cause  error
	waited time.Duration
	limit  string
}

func (e waitError) Error() string {
	return fmt.Sprintf("%s, after waiting %s for %s", e.cause, rounded(e.waited), e.limit)
}

func (e waitError) Unwrap() error { return e.cause }

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// wait waits until the gate admits a request. The error says why it was not
// admitted.
func (g *gate) wait(w *waiter) error {
	begun := time.Now()
	defer func() { w.waited += time.Since(begun) }()
	notable := time.NewTimer(notableWait - w.waited)
	defer notable.Stop()
	g.enqueue(w)
	for {
		select {
		case <-w.left:
			return w.err
		case <-notable.C:
			g.logWait(w.ctx, w.waited+time.Since(begun))
		case <-w.ctx.Done():
			g.mu.Lock()
			defer g.mu.Unlock()
			if w.place != nil {
				g.leave(w, context.Cause(w.ctx))
			}
			return w.err
		}
	}
}

// enqueue adds a request to the end of the queue, also after a 429: if the
// service refuses only this kind of request, another one must open the gate.
func (g *gate) enqueue(w *waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	w.left = make(chan struct{})
	w.place = g.queue.PushBack(w)
	g.admit()
	if w.place != nil {
		w.limit = g.limit()
		g.rejectLate(w)
	}
}

// rejectLate rejects a waiting request whose deadline is before Retry-After.
func (g *gate) rejectLate(w *waiter) {
	deadline, ok := w.ctx.Deadline()
	wait := time.Until(g.closedUntil)
	if ok && g.retryAfter && wait > 0 && !g.closedUntil.Before(deadline) {
		g.leave(w, fmt.Errorf("the service requires a wait of %s (Retry-After), but only %s of operation_timeout remain", rounded(wait), rounded(time.Until(deadline))))
	}
}

// leave takes a request out of the queue, because it is admitted or for an error.
func (g *gate) leave(w *waiter, err error) {
	if w.err = err; err != nil {
		w.limit = g.limit()
	}
	g.queue.Remove(w.place)
	w.place = nil
	close(w.left)
}

// limit returns what the requests in the queue wait for.
func (g *gate) limit() string {
	switch {
	case !g.closed && g.minuteUsed():
		return "requests_per_minute"
	case g.closed || g.cap < maxConnections:
		return "the service's rate limit (429 Too Many Requests)"
	}
	return "other requests to finish"
}

// logWait logs a long wait, once for each client.
func (g *gate) logWait(ctx context.Context, waited time.Duration) {
	g.mu.Lock()
	logged, limit, remaining := g.warned, g.limit(), "none"
	g.warned = true
	if wait := time.Until(g.closedUntil); g.retryAfter && wait > 0 {
		remaining = rounded(wait).String()
	}
	g.mu.Unlock()
	if g.warn != nil && !logged {
		g.warn(ctx, "requests are waiting for "+limit, map[string]any{"waited": rounded(waited).String(), "retry_after": remaining})
	}
}
