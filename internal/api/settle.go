package api

import (
	"context"
	"errors"
	"time"
)

const (
	// lagWindow is how long after its creation a 404 may mean that reads of the
	// service lag behind its writes.
	lagWindow = time.Minute
	// lagWait is how long such a 404 is asked about again.
	lagWait = 5 * time.Second
)

// Settled reads an object. If the service says that it is gone less than a minute
// after its creation, by the service's own clock, it reads again for some
// seconds. A zero time of creation believes the first answer.
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
