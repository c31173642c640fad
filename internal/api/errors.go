package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const operationIDHeader = "Tunnel-Operation-Id"

// ErrNotSet means that a module of an existing parent is not set.
var ErrNotSet = errors.New("not set")

// Error is a response with a status other than 2xx, from the service or from
// something in between, such as a proxy.
type Error struct {
	// Status is the HTTP status. It takes precedence over the body.
	Status int
	// Code is the service's error code, such as ERR_TUNNEL_404, or "".
	Code string
	// Message is the service's message, or "".
	Message string
	// Field is the field of the request that the service blames, or "".
	Field string
	// OperationID identifies the request for the service's support, or "".
	OperationID string
	// FromService reports whether the body has the form of the API's errors.
	// The page of a proxy does not.
	FromService bool

	contentType string    // of the body, for a response that is not the service's
	hidden      bool      // a text of the response repeats a secret and is omitted
	date        time.Time // by the service's clock
}

// Error returns a text such as "404 Not Found: no such certificate
// (ERR_TUNNEL_404, operation ID op_2abc)".
func (e *Error) Error() string {
	text := strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
	if e.Message != "" {
		text += ": " + e.Message
	}
	var notes []string
	if e.Code != "" {
		notes = append(notes, e.Code)
	}
	if e.Field != "" {
		notes = append(notes, "field "+e.Field)
	}
	if e.OperationID != "" {
		notes = append(notes, "operation ID "+e.OperationID)
	}
	if e.hidden {
		notes = append(notes, "message hidden because it contains a secret")
	}
	if !e.FromService {
		notes = append(notes, fmt.Sprintf("not a response of the API, but %s: check base_url and any proxy", e.contentType))
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

// IsGone reports whether err means that the object or its parent does not
// exist, and the response is known to come from the API (see proof).
func IsGone(err error) bool {
	_, unproven := errors.AsType[*UnprovenError](err)
	return IsNotFound(err) && !unproven
}

// IsNotFound reports whether err is a 404 in the form of the API's errors, or
// means that a module is not set. This does not prove that an object is gone;
// see IsGone.
func IsNotFound(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return errors.Is(err, ErrNotSet) || ok && answer.Status == http.StatusNotFound && answer.FromService
}

// newError returns the error of a response with a status other than 2xx. It
// omits texts that repeat a secret.
func newError(resp *http.Response, body []byte, known *secrets) *Error {
	e := &Error{Status: resp.StatusCode, date: dateOf(resp), contentType: contentType(resp, body, known)}
	keep := func(text string) string {
		text = printable(text)
		if known.in(text) {
			e.hidden = true
			return ""
		}
		return text
	}
	e.OperationID = keep(resp.Header.Get(operationIDHeader))
	var form struct {
		Code    any `json:"error_code"`
		Message any `json:"msg"`
		Details any `json:"details"`
	}
	if json.Unmarshal(body, &form) != nil {
		return e
	}
	code, hasCode := form.Code.(string)
	message, hasMessage := form.Message.(string)
	e.Code, e.Message, e.FromService = keep(code), keep(message), hasCode || hasMessage
	if details, ok := form.Details.(map[string]any); ok {
		field, _ := details["field"].(string)
		e.Field = keep(field)
		if id, ok := details["operation_id"].(string); ok {
			e.OperationID = keep(id)
		}
	}
	return e
}

// contentType describes the body of a response that does not come from the API.
func contentType(resp *http.Response, body []byte, known *secrets) string {
	named := printable(resp.Header.Get("Content-Type"))
	switch {
	case len(body) == 0:
		return "empty"
	case named == "" || known.in(named):
		return "no content type"
	}
	return named
}

const maxMessage = 1000 // bytes of a message that are shown

// printable removes the characters of a text that are not safe in a terminal or
// a log, and limits its length.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}

const maxID = 255 // bytes

// checkID returns an error if an id is not valid in a path. The error repeats
// the id only if it is safe to print.
func checkID(id string) error {
	unprintable := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
	switch {
	case id == "":
		return errors.New("an ID must not be empty")
	case len(id) > maxID:
		return fmt.Errorf("an ID must be at most %d bytes long; found %d", maxID, len(id))
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unprintable):
		return errors.New("an ID must not contain control characters")
	case id == "." || strings.Contains(id, "..") || strings.Contains(id, "/"):
		return fmt.Errorf("an ID must not be \".\", and must not contain \"..\" or \"/\"; found %q", id)
	}
	return nil
}
