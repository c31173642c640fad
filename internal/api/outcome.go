package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// unanswered says that a request went out, and that no answer came which tells
// what became of it.
type unanswered struct{ cause error }

func (u unanswered) Error() string { return u.cause.Error() }

func (u unanswered) Unwrap() error { return u.cause }

// inDoubt tells whether a request that ended with an error may have been
// processed all the same: no answer came, or one that says nothing of it.
func inDoubt(err error) bool {
	if answer, ok := errors.AsType[*Error](err); ok {
		return answer.Status >= 500 || answer.Status == http.StatusRequestTimeout
	}
	_, ok := errors.AsType[unanswered](err)
	return ok
}

// A Doubt is the error of a write that may have been done. The service holds
// what was to be made, or does not: a person has to look.
type Doubt struct {
	// IDs are of the objects that may be the one. Where there is none, the
	// service could not be asked.
	IDs []string
	// Cause is why the outcome of the write is not known.
	Cause error
	// Look is why looking did not settle it; nil where IDs say it.
	Look error
}

// Error reads like "no answer within 30s (request_timeout); several objects
// carry exactly what was sent: cert_1, cert_2".
func (d *Doubt) Error() string {
	text := d.Cause.Error()
	switch {
	case len(d.IDs) == 1:
		text += "; this may be what was made: " + d.IDs[0]
	case len(d.IDs) > 1:
		text += "; each of these may be what was made: " + strings.Join(d.IDs, ", ")
	}
	if d.Look != nil {
		text += fmt.Sprintf("; what became of it could not be seen (%s)", d.Look)
	}
	return text
}

// Unwrap returns the causes.
func (d *Doubt) Unwrap() []error {
	if d.Look == nil {
		return []error{d.Cause}
	}
	return []error{d.Cause, d.Look}
}
