package api

import (
	"errors"
	"net/http"
)

// unanswered is the error of a request that was sent and got no answer that
// tells what became of it.
type unanswered struct{ cause error }

func (u unanswered) Error() string { return u.cause.Error() }

func (u unanswered) Unwrap() error { return u.cause }

// possiblyProcessed reports whether a request that ended with an error may have
// been processed. Only a refusal in the API's own error form says that it was
// not: a proxy can replace any answer by a page of its own.
func possiblyProcessed(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return !answer.FromService || answer.Status >= 500 || answer.Status == http.StatusRequestTimeout
	}
	_, ok := errors.AsType[unanswered](err)
	return ok
}

// UnknownOutcomeError is the error of a creation that may have been processed.
// The request is not repeated, since that could create a second object.
type UnknownOutcomeError struct {
	// Cause says why the outcome is not known.
	Cause error
	// IDs are the recent objects that carry exactly what was sent. Any of them
	// may be the one, or belong to somebody else.
	IDs []string
	// Look is why the service could not be asked for such objects, nil if it was
	// asked. No IDs and no Look: none is visible yet.
	Look error
	// Unique reports that the service rejects a second object of this kind with
	// the same natural key, so that applying again creates none.
	Unique bool
}

// Error returns the cause.
func (e *UnknownOutcomeError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// ExistsError is the error of a creation that the service refused because the
// object already exists.
type ExistsError struct {
	// ID is the id of the existing object.
	ID string
	// Cause is the service's answer.
	Cause error
}

// Error returns the service's answer.
func (e *ExistsError) Error() string { return e.Cause.Error() }

// Unwrap returns the service's answer.
func (e *ExistsError) Unwrap() error { return e.Cause }
