package api

import (
	"context"
	"time"
)

// settling is how long after its creation an object may be missing from reads
// on a service that takes a while to tell all of itself about it.
const settling = 5 * time.Second

// Settled reads an object that was created at some time, and repeats that as
// long as the service says that the object is gone and too little time has
// passed to believe it. A zero time believes it at once.
func Settled[T any](ctx context.Context, created time.Time, read func(context.Context) (*T, error)) (*T, error) {
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		object, err := read(ctx)
		if age := time.Since(created); !IsGone(err) || age < 0 || age > settling {
			return object, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// pause waits; the error says why it did not wait to the end.
func pause(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
