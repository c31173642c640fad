package api

// This file keeps a promise: an object leaves the state only if two witnesses say
// that it is gone.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// goneError is the error of a request for an object that does not exist, as two
// witnesses say.
type goneError struct{ cause error }

func (e goneError) Error() string { return e.cause.Error() }

func (e goneError) Unwrap() error { return e.cause }

// IsGone reports whether err means that the object does not exist. A 404 alone does
// not: a gateway may have lost a route, a replica may lag.
func IsGone(err error) bool {
	_, ok := errors.AsType[goneError](err)
	return ok
}

// isNotFound reports whether err is a 404 or 410, whatever its body is, or means that a
// module is not set. Only confirmGone decides whether the object is gone.
func isNotFound(err error) bool {
	if _, ok := errors.AsType[*UnconfirmedError](err); ok {
		return false
	}
	answer, ok := errors.AsType[*Error](err)
	return errors.Is(err, errUnset) || ok && (answer.Status == http.StatusNotFound || answer.Status == http.StatusGone)
}

// hasNoEndpoint reports whether err means that the service does not have an endpoint.
// The contract does not describe all parents.
func hasNoEndpoint(err error) bool {
	if unconfirmed, ok := errors.AsType[*UnconfirmedError](err); ok {
		return hasNoEndpoint(unconfirmed.witness)
	}
	answer, ok := errors.AsType[*Error](err)
	return ok && !IsGone(err) &&
		(isNotFound(err) || answer.Status == http.StatusMethodNotAllowed || answer.Status == http.StatusNotImplemented)
}

// UnconfirmedError is the error of a request with a 404, if nothing confirms that the
// object does not exist.
type UnconfirmedError struct {
	// Cause is the 404.
	Cause   error
	reason  string
	witness error // why the second witness said nothing
}

// Error names the 404 and what contradicts it.
func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("%s. The provider cannot confirm that the object does not exist: %s", e.Cause, e.reason)
}

// Unwrap returns the 404.
func (e *UnconfirmedError) Unwrap() error { return e.Cause }

func (c *Client) unconfirmed(cause error, reason string, witness error) *UnconfirmedError {
	return &UnconfirmedError{cause, c.secrets.redact(fmt.Sprintf("%s (base_url is %s)", reason, c.base)), witness}
}

// A witness reports whether an object exists, without a request for the object itself.
type witness func(context.Context) (exists bool, err error)

// A response is the result of a request for an object.
type response struct {
	body []byte // of a successful response
	err  error
}

// confirmGone decides what a response means. It returns the response unless that is
// a 404. Its error is a goneError if the witness, which has a name for errors, says that
// the object does not exist, and if the request gets a 404 once more.
func (c *Client) confirmGone(
	ctx context.Context, first response, name string, says witness, repeat func(context.Context) response,
) response {
	if !isNotFound(first.err) {
		return first
	}
	switch exists, other := says(ctx); {
	case IsGone(other): // the parent
		return response{err: goneError{first.err}}
	case other != nil:
		return response{err: c.unconfirmed(first.err, name+" failed ("+other.Error()+")", other)}
	case exists:
		return response{err: c.unconfirmed(first.err, name+" contains it", nil)}
	}
	second := repeat(ctx)
	if isNotFound(second.err) {
		second.err = goneError{second.err}
	}
	return second
}

// isYoung reports whether an object was recently created when the service sent the
// response of an error, by the service's clocks. Any other age, such as a
// negative one, says nothing.
func isYoung(createdAt time.Time, err error) bool {
	answer, ok := errors.AsType[*Error](err)
	if !ok || createdAt.IsZero() {
		return false
	}
	age := answer.date.Sub(createdAt)
	return age >= 0 && age < recent
}
