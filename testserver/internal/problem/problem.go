// Package problem contains the error responses of the API. Every other package
// of the test server may use it. It uses none of them, and knows no kind of
// object: what only one kind says stands with that kind.
package problem

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// CodePrefix begins all error codes.
const CodePrefix = "ERR_TUNNEL_"

// Problem is an error response of the API.
type Problem struct {
	Status     int
	Code       string // error code without CodePrefix; empty means the status
	Message    string
	Field      string        // path of the invalid request field; empty if no single field is invalid
	Allow      string        // value of the Allow header for a 405
	RetryAfter time.Duration // value of the Retry-After header for a 429
}

// Error returns the message.
func (p *Problem) Error() string {
	return p.Message
}

// errorBody is the JSON body of an error response.
type errorBody struct {
	ErrorCode  string            `json:"error_code"`
	StatusCode int               `json:"status_code"`
	Message    string            `json:"msg"`
	Details    map[string]string `json:"details"`
}

// Body returns the JSON body of the response with an operation id.
func (p *Problem) Body(operation string) any {
	code := p.Code
	if code == "" {
		code = strconv.Itoa(p.Status)
	}
	details := map[string]string{"operation_id": operation}
	if p.Field != "" {
		details["field"] = p.Field
	}
	return errorBody{ErrorCode: CodePrefix + code, StatusCode: p.Status, Message: p.Message, Details: details}
}

// Invalid returns a 400. field can be empty. The message must not contain
// secrets of the request.
func Invalid(field, format string, arguments ...any) *Problem {
	return &Problem{Status: http.StatusBadRequest, Field: field, Message: fmt.Sprintf(format, arguments...)}
}

// NotFound returns a 404 for an object.
func NotFound(noun, id string) *Problem {
	return &Problem{Status: http.StatusNotFound, Message: fmt.Sprintf("%s %s does not exist", noun, Printable(id))}
}

// UnknownPath returns a 404 for a path that is not part of the API.
func UnknownPath() *Problem {
	return &Problem{Status: http.StatusNotFound, Message: "unknown API path"}
}

// InUse returns a 409 for an object that other objects refer to. users are the
// ids of these objects, if they are known.
func InUse(noun, id string, users ...string) *Problem {
	by := ""
	if len(users) > 0 {
		by = " by " + strings.Join(users, ", ")
	}
	return &Problem{Status: http.StatusConflict,
		Message: fmt.Sprintf("the %s %s is in use%s: delete or change the objects that refer to it first", noun, id, by)}
}

// Count returns a number with a noun.
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ply"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(noun, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

// maxQuoted is the maximum number of bytes of client text in an error message.
const maxQuoted = 80

// Printable quotes and shortens text from a client.
func Printable(text string) string {
	return strconv.Quote(shortened(text))
}

// FieldName returns the value of details.field for a field path. It is
// shortened and escaped, because it can contain names from the client.
func FieldName(path string) string {
	return Escape(shortened(path))
}

// Escape escapes characters that a terminal or a CI runner could interpret.
func Escape(text string) string {
	var safe strings.Builder
	for _, c := range text {
		if unicode.IsPrint(c) {
			safe.WriteRune(c)
		} else {
			safe.WriteString(strings.Trim(strconv.QuoteRuneToASCII(c), "'"))
		}
	}
	return safe.String()
}

func shortened(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}
