package api

import (
	"errors"
	"net/http"
)

// unanswered is the error of a request that was sent, but got no response that
// shows whether it was processed.
type unanswered struct{ cause error }

func (u unanswered) Error() string { return u.cause.Error() }

func (u unanswered) Unwrap() error { return u.cause }

// possiblyProcessed reports whether a request that ended with an error may have
// been processed. Only a refusal in the form of the API's errors proves that it
// was not, because a proxy can replace any response. A 408 or 5xx is not a
// refusal.
func possiblyProcessed(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return !answer.FromService || answer.Status >= 500 || answer.Status == http.StatusRequestTimeout
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
	// IDs are the ids of the recent objects that have exactly the values that
	// were sent. Any of them may be the new object, or belong to somebody else.
	// For a module that is set, it is the id of its parent.
	IDs []string
	// Look is the error of the search for such objects, or nil if the search
	// succeeded. If both IDs and Look are empty, no such object is visible yet.
	Look error
	// Unique reports that the service rejects a second object of this kind with
	// the same natural key, so that applying again creates none.
	Unique bool
}

// Error returns the text of the cause.
func (e *UnknownOutcomeError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnknownOutcomeError) Unwrap() error { return e.Cause }

// ExistsError is the error of a creation if the object already exists.
type ExistsError struct {
	// ID is the id of the existing object.
	ID string
	// Cause is the service's response, or another error that says so.
	Cause error
}

// Error returns the text of the cause.
func (e *ExistsError) Error() string { return e.Cause.Error() }

// Unwrap returns the cause.
func (e *ExistsError) Unwrap() error { return e.Cause }
