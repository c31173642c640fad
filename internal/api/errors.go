package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

const operationIDHeader = "Tunnel-Operation-Id"

// ErrNotSet says that a module of an existing parent is not set.
var ErrNotSet = errors.New("not set")

// An Error is an answer of the service, or of something in between, that is no
// success.
type Error struct {
	// Status is the HTTP status. It decides, not what the body says.
	Status int
	// Code is the service's own, such as ERR_TUNNEL_404, or "".
	Code string
	// Message is the service's own, with secrets masked, or "".
	Message string
	// OperationID is what the service's support asks for, or "".
	OperationID string
	// Field is the field of the request that is to blame, or "".
	Field string
	// FromService tells whether the body has the form that the service gives
	// its errors, rather than being some proxy's page.
	FromService bool
	// ContentType is that of a body that is not the service's.
	ContentType string
}

// Error reads like "404 Not Found: no such certificate (ERR_TUNNEL_404,
// operation op_…)".
func (e *Error) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d %s", e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		fmt.Fprintf(&text, ": %s", e.Message)
	}
	var notes []string
	if e.Code != "" {
		notes = append(notes, e.Code)
	}
	if e.Field != "" {
		notes = append(notes, "field "+e.Field)
	}
	if e.OperationID != "" {
		notes = append(notes, "operation "+e.OperationID)
	}
	if !e.FromService {
		notes = append(notes, fmt.Sprintf("the answer (%s) is not one of the service: a proxy in between, or a wrong base_url", e.ContentType))
	}
	if len(notes) > 0 {
		fmt.Fprintf(&text, " (%s)", strings.Join(notes, ", "))
	}
	return text.String()
}

// IsGone tells whether err says that the object, or the parent that it is part
// of, does not exist: 404 with a body of the service's own, or a module that is
// not set. A 404 of anybody else says nothing about the object.
func IsGone(err error) bool {
	var answer *Error
	return errors.Is(err, ErrNotSet) ||
		errors.As(err, &answer) && answer.Status == http.StatusNotFound && answer.FromService
}

// newError reads the body of an answer that is no success. Only its message is
// kept, and that masked: a body may repeat what was sent.
func newError(resp *http.Response, body []byte, mask *strings.Replacer) *Error {
	e := &Error{Status: resp.StatusCode, ContentType: contentType(resp, body)}
	e.OperationID = clean(resp.Header.Get(operationIDHeader), mask)

	var form struct {
		Code    json.RawMessage `json:"error_code"`
		Message json.RawMessage `json:"msg"`
		Details json.RawMessage `json:"details"`
	}
	if json.Unmarshal(body, &form) != nil {
		return e
	}
	text := func(raw json.RawMessage) (string, bool) {
		var s *string
		known := json.Unmarshal(raw, &s) == nil && s != nil
		if !known {
			return "", false
		}
		return clean(*s, mask), true
	}
	var hasCode, hasMessage bool
	e.Code, hasCode = text(form.Code)
	e.Message, hasMessage = text(form.Message)
	e.FromService = hasCode || hasMessage

	var details map[string]json.RawMessage
	if json.Unmarshal(form.Details, &details) == nil {
		e.Field, _ = text(details["field"])
		if id, ok := text(details["operation_id"]); ok {
			e.OperationID = id
		}
	}
	return e
}

// contentType describes the body of an answer that is not the service's.
func contentType(resp *http.Response, body []byte) string {
	named := resp.Header.Get("Content-Type")
	switch {
	case len(body) == 0:
		return "empty"
	case named == "":
		return "of no content type"
	}
	return named
}

var privateKey = regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*`)

const longestMessage = 1000 // bytes; more is no message

// clean makes a text of the service's fit for a terminal and a log.
func clean(text string, mask *strings.Replacer) string {
	text = privateKey.ReplaceAllString(mask.Replace(text), "(private key)")
	if len(text) > longestMessage {
		text = strings.ToValidUTF8(text[:longestMessage], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}
