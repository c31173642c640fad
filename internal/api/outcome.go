package api

// This file keeps a promise: a creation whose outcome is unknown names what it
// may have created.

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"
)

// unanswered is the error of a request that was sent, but got no response that
// shows whether it was processed.
type unanswered struct{ cause error }

func (u unanswered) Error() string { return u.cause.Error() }

func (u unanswered) Unwrap() error { return u.cause }

// PossiblyProcessed reports whether a write that ended with an error may have
// been processed, by this or an earlier attempt. Only a refusal of the service proves
// that it was not, because a proxy can replace any response by a page. A 408 or 5xx is
// not a refusal.
func PossiblyProcessed(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.unclear || !answer.FromService || answer.Status >= 500 || answer.Status == http.StatusRequestTimeout
	}
	_, ok := errors.AsType[unanswered](err)
	return ok
}

// UnknownOutcomeError is the error of a creation or a PUT that may have been
// processed. Such a POST is not repeated, because that could create a second
// object.
type UnknownOutcomeError struct {
	// Cause is the error that leaves the outcome unknown.
	Cause error
}

// Error returns the text of the cause.
func (e *UnknownOutcomeError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// RefusedAsDuplicate reports whether a refusal can mean that an object with the
// same natural key exists. Services report this in different ways, so the
// caller must check the list.
func RefusedAsDuplicate(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && slices.Contains([]int{http.StatusConflict, http.StatusBadRequest, http.StatusUnprocessableEntity}, answer.Status)
}

const (
	// searchDelay is how long a search waits before it reads the list. The
	// service may still process the request, and other creations that fail can
	// share the search.
	searchDelay = 5 * time.Second
	// searchTime limits the duration of a search, including the delay.
	searchTime = 10 * time.Second
	// listTime limits the walk through the list. It is less than the rest of
	// searchTime, so that the caller gets the objects of a list that hangs.
	listTime = 4 * time.Second
	// lateSearchTime limits the rest of a search after the context of the
	// operation has ended.
	lateSearchTime = time.Second
)

var errSearchTime = errors.New("reading the list timed out")

// Candidates returns the objects that a creation with an unknown outcome may
// have created: those of the list that this client did not create. It waits a
// few seconds, and takes at most 10 seconds, and at most one second after the
// end of ctx. All creations that fail together share one walk through the list.
// The error says why the list was not read to its end; the objects before that
// are returned.
func (c *Collection[T]) Candidates(ctx context.Context) ([]*T, error) {
	bounded, cancel := detachedContext(ctx, searchTime, lateSearchTime)
	defer cancel()
	search := c.walks.DoChan("candidates", func() (any, error) { return c.search(ctx), nil })
	select {
	case result := <-search:
		found := result.Val.(candidates[T]) //nolint:forcetypeassert // as returned by search
		return slices.Clone(found.objects), found.err
	case <-bounded.Done():
		return nil, errSearchTime
	}
}

type candidates[T any] struct {
	objects []*T
	err     error
}

func (c *Collection[T]) search(ctx context.Context) candidates[T] {
	pause(ctx, c.client.searchDelay) //nolint:errcheck // if ctx ends, the search starts early
	c.walks.Forget("candidates")     // later failures need another search
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), listTime, errSearchTime)
	defer cancel()
	var found candidates[T]
	for object, err := range c.List(ctx) {
		if err != nil {
			found.err = err
			break
		}
		if !c.Created(c.id(object)) {
			found.objects = append(found.objects, object)
		}
	}
	return found
}

// detachedContext returns a context that ends after a time, and some time after
// the end of ctx.
func detachedContext(ctx context.Context, limit, late time.Duration) (context.Context, context.CancelFunc) {
	detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(late, cancel) })
	return detached, func() {
		stop()
		cancel()
	}
}
