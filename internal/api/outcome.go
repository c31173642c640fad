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
// been processed, by this or an earlier attempt.
func PossiblyProcessed(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.unclear
	}
	_, ok := errors.AsType[unanswered](err)
	return ok
}

// possiblyProcessed reports whether an attempt may have been processed although it
// failed. Only a JSON object, which can be the service's, proves that it was not: a
// gateway can replace any other response. The 404 of a DELETE is a question, which the
// list answers.
func (r *request) possiblyProcessed(err error) bool {
	refusal, answered := errors.AsType[*Error](err)
	switch {
	case r.method == http.MethodGet || r.method == http.MethodDelete && isNotFound(err):
		return false
	case answered:
		return !refusal.structured || refusal.Status >= http.StatusInternalServerError || refusal.Status == http.StatusRequestTimeout
	}
	_, lost := errors.AsType[unanswered](err)
	return lost
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

// notCreated returns the error of a creation.
func (c *Client) notCreated(operation string, err error) error {
	if PossiblyProcessed(err) {
		err = &UnknownOutcomeError{Cause: c.secrets.safe(err)}
	}
	return c.failed(operation, err)
}

// RefusedForAnother reports whether a refusal can come from another object: one that
// has the same natural key, or one that refers to an object to delete. The contract shows
// no status for that, so the caller must check the lists.
func RefusedForAnother(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && slices.Contains([]int{
		http.StatusConflict, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusPreconditionFailed,
	}, answer.Status)
}

const (
	// searchDelay is how long a search waits before it reads the list, because the
	// service may still process the request.
	searchDelay = 5 * time.Second
	// searchTime limits the duration of a search, including the delay, and
	// lateSearchTime the rest of it after the context of the operation has ended.
	searchTime     = 10 * time.Second
	lateSearchTime = time.Second
)

// Candidates returns the objects that a creation with an unknown outcome may
// have created: those of the list that are not Created. It waits a few seconds, and
// takes at most 10 seconds, and at most one second after the end of ctx. The error says
// why the list was not read to its end; the objects before that are returned.
func (c *Collection[T]) Candidates(ctx context.Context) ([]*T, error) {
	bounded, cancel := detachedContext(ctx, searchTime, lateSearchTime)
	defer cancel()
	failed := time.Now()
	pause(ctx, c.client.searchDelay) //nolint:errcheck // if ctx ends, the search starts early
	listed, _, err := c.whole(bounded, failed)
	switch {
	case err == nil || bounded.Err() == nil:
	case errors.Is(ctx.Err(), context.Canceled):
		err = errors.New("the run was interrupted while the list was read")
	default:
		err = errors.New("reading the list timed out")
	}
	return slices.DeleteFunc(listed, func(object *T) bool { return c.Created(c.id(object)) }), err
}

// markExisting makes sure that no object which existed before the first creation is a
// candidate, if candidates are to be deleted because their secret is lost: it may be one
// that the state has, and that is to be replaced. It is worth one request; if that fails,
// the candidates may include them.
func (c *Collection[T]) markExisting(ctx context.Context) {
	if !c.Secret {
		return
	}
	objects, _, _ := c.whole(withoutRetries(ctx), time.Time{}) //nolint:errcheck // see above
	for _, object := range objects {
		c.client.memory.made.Store(c.pathOf(c.id(object)), true)
	}
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
