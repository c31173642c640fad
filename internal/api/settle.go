package api

import (
	"context"
	"errors"
	"time"
)

const (
	// lagWindow is how long after the creation of an object a 404 may be
	// outdated, because reads of the service lag behind its writes.
	lagWindow = time.Minute
	// lagWait is how long a read with such a 404 is repeated.
	lagWait = 5 * time.Second
)

// Settled reads an object. If the service says that the object is gone less
// than a minute after its creation, by the service's clock, Settled repeats the
// read for up to 5 seconds. If the time of the creation is zero, it returns the
// first result.
func Settled[T any](ctx context.Context, created time.Time, read func(context.Context) (*T, error)) (*T, error) {
	begun := time.Now()
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		object, err := read(ctx)
		answer, ok := errors.AsType[*Error](err)
		if !ok || !IsGone(err) || created.IsZero() || answer.date.Sub(created) > lagWindow || time.Since(begun)+wait > lagWait {
			return object, err
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}
