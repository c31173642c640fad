package gate

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// notableWait is how long a request waits before the gate logs it.
const notableWait = 10 * time.Second

// waiter is a request that waits for admission or is in flight.
type waiter struct {
	ctx    context.Context
	waited time.Duration // in total, for all attempts
	limit  string        // what it waited for last

	wake       chan struct{} // has an element if the gate changed
	generation int           // of the gate at its admission
	probe      bool
}

// WaitError is the error of a request that had to wait for a limit, if its
// context ended, or would end before the wait is over.
type WaitError struct {
	cause  error
	waited time.Duration
	limit  string
}

func (e WaitError) Error() string {
	switch {
	case e.limit == "" && rounded(e.waited) == 0:
		return e.cause.Error()
	case e.limit == "":
		return fmt.Sprintf("%s, after waiting %s", e.cause, rounded(e.waited))
	case rounded(e.waited) == 0:
		return fmt.Sprintf("%s, while waiting for %s", e.cause, e.limit)
	}
	return fmt.Sprintf("%s, after waiting %s for %s", e.cause, rounded(e.waited), e.limit)
}

func (e WaitError) Unwrap() error { return e.cause }

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// wait waits until the gate admits a request. The error says why it was not
// admitted. A request that got a 429 goes to the end of the queue: if the
// service refuses only this kind of request, another one must open the gate.
func (g *gate) wait(w *waiter) error {
	begun := time.Now()
	notable := time.NewTimer(notableWait - w.waited)
	defer notable.Stop()
	g.mu.Lock()
	defer g.mu.Unlock()
	w.wake = make(chan struct{}, 1)
	g.queue = append(g.queue, w)
	defer func() {
		w.waited += time.Since(begun)
		g.queue = slices.DeleteFunc(g.queue, func(other *waiter) bool { return other == w })
		g.wakeFirst()
	}()
	for {
		at, ok := g.nextAdmission()
		first := ok && g.queue[0] == w
		if first && !at.After(time.Now()) {
			w.generation, w.probe = g.generation, g.closed
			g.probing = g.closed
			g.inFlight++
			return nil
		}
		w.limit = g.limit()
		if err := g.tooLate(w); err != nil {
			w.limit = "" // the error names it
			return err
		}
		var admission <-chan time.Time
		if first {
			admission = time.After(time.Until(at))
		}
		g.mu.Unlock()
		select {
		case <-w.wake:
		case <-admission:
		case <-notable.C:
			g.logWait(w.ctx, w.waited+time.Since(begun))
		case <-w.ctx.Done():
		}
		g.mu.Lock()
		if w.ctx.Err() != nil {
			w.limit = g.limit()
			return context.Cause(w.ctx)
		}
	}
}

// wakeFirst wakes the first request in the queue, which may be admitted now.
func (g *gate) wakeFirst() {
	if len(g.queue) > 0 {
		g.queue[0].wakeUp()
	}
}

func (w *waiter) wakeUp() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// tooLate returns an error if the deadline of a request is before Retry-After.
func (g *gate) tooLate(w *waiter) error {
	deadline, ok := w.ctx.Deadline()
	wait := time.Until(g.closedUntil)
	if !ok || g.retryAfter == "" || wait <= 0 || g.closedUntil.Before(deadline) {
		return nil
	}
	return fmt.Errorf("429 Too Many Requests: the service requires a wait of %s (Retry-After: %s), but operation_timeout leaves only %s",
		rounded(wait), g.retryAfter, rounded(time.Until(deadline)))
}

// limit returns what the requests in the queue wait for.
func (g *gate) limit() string {
	switch {
	case !g.closed && g.minuteUsed():
		return "requests_per_minute"
	case g.closed || g.cap < g.maxInFlight:
		return "the service's rate limit (429 Too Many Requests)"
	}
	return "other requests to finish"
}

// logWait logs a long wait, once for each client.
func (g *gate) logWait(ctx context.Context, waited time.Duration) {
	g.mu.Lock()
	logged, limit, remaining := g.warned, g.limit(), "none"
	g.warned = true
	if wait := time.Until(g.closedUntil); g.retryAfter != "" && wait > 0 {
		remaining = rounded(wait).String()
	}
	g.mu.Unlock()
	if g.warn != nil && !logged {
		g.warn(ctx, "requests are waiting for "+limit, map[string]any{"waited": rounded(waited).String(), "retry_after": remaining})
	}
}
