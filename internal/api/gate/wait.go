package gate

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// waiter is a request that waits for admission or is in flight.
type waiter struct {
	ctx    context.Context
	waited time.Duration // in total, for all attempts
	limit  string        // what it waited for last

	refused time.Time // when it got its first 429
}

// givesUp reports whether a request gives up after a 429; see WithPatience.
func (w *waiter) givesUp(resp *http.Response) bool {
	if w.refused.IsZero() {
		w.refused = time.Now()
	}
	patience, limited := w.ctx.Value(patienceKey{}).(time.Duration)
	wait, _ := RetryAfter(resp)
	return limited && time.Since(w.refused)+wait >= patience
}

// WaitError is the error of a request that had to wait for a limit, if its
// context ended, or would end before the wait is over.
type WaitError struct {
	cause  error
	waited time.Duration
	limit  string
}

func (e WaitError) Error() string {
	if e.limit == "" || rounded(e.waited) == 0 {
		return e.cause.Error()
	}
	return fmt.Sprintf("%s, after waiting %s for %s", e.cause, rounded(e.waited), e.limit)
}

func (e WaitError) Unwrap() error { return e.cause }

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// admit waits until a request may go. It returns the generation of the gate.
func (g *gate) admit(w *waiter) (generation int, err error) {
	begun := time.Now()
	defer func() {
		w.waited += time.Since(begun)
		if g.warn != nil && w.waited >= notableWait {
			g.logged.Do(func() {
				g.warn(w.ctx, "requests are waiting for "+w.limit, map[string]any{"waited": rounded(w.waited).String()})
			})
		}
	}()
	if err := w.take(g.slots, "other requests to finish"); err != nil {
		return 0, err
	}
	if err = w.take(g.minute, "requests_per_minute"); err != nil {
		<-g.slots
		return 0, err
	}
	if generation, err = g.pass(w); err != nil {
		g.leave()
	}
	return generation, err
}

// leave lets another request take the place of one. In the minute, the place is
// free 60 seconds after the answer, because it is not known when the service
// counted the request.
func (g *gate) leave() {
	<-g.slots
	if g.minute != nil {
		time.AfterFunc(time.Minute, func() { <-g.minute })
	}
}

// take waits for a place in a channel, if there is one.
func (w *waiter) take(places chan struct{}, limit string) error {
	if places == nil {
		return nil
	}
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	w.limit = limit
	select {
	case places <- struct{}{}:
		return nil
	case <-w.ctx.Done():
		return context.Cause(w.ctx)
	}
}
