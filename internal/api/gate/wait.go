package gate

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// waiter is a request that waits for admission or is in flight.
type waiter struct {
	ctx     context.Context
	waited  time.Duration // in total, for all attempts
	limit   string        // what it waited for last
	refused time.Time     // when it got its first 429
}

type patienceKey struct{}

// WithPatience returns a context whose requests give up if they would wait longer
// after a 429, and then do not make others wait: the operations after them find out
// themselves.
func WithPatience(ctx context.Context, patience time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, patience)
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
