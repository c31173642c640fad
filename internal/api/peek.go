package api

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// peekTimeout limits the request of Peek, including its waits.
const peekTimeout = 10 * time.Second

// Peek returns an object for a warning that is worth one request: it sends one GET
// for each id, without retries, and returns nil if that fails. Later calls return the
// same, so only what never changes of an object may be used.
func (c *Collection[T]) Peek(ctx context.Context, id string) *T {
	once, _ := c.peeked.LoadOrStore(id, sync.OnceValue(func() *T {
		ctx, cancel := context.WithTimeout(withRetries(ctx, retryNever), peekTimeout)
		defer cancel()
		object, err := c.one(ctx, http.MethodGet, id, nil)
		if err != nil {
			return nil
		}
		return object
	}))
	return once.(func() *T)() //nolint:forcetypeassert // as stored above
}
