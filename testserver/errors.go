package testserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// problem is an error response of the API.
type problem struct {
	status     int
	code       string // error code without the prefix ERR_TUNNEL_; empty means the status
	message    string
	field      string        // path of the invalid request field; empty if no single field is invalid
	allow      string        // value of the Allow header for a 405
	retryAfter time.Duration // value of the Retry-After header for a 429
}

func (p *problem) Error() string {
	return p.message
}

// errorBody is the JSON body of an error response.
type errorBody struct {
	ErrorCode  string            `json:"error_code"`
	StatusCode int               `json:"status_code"`
	Message    string            `json:"msg"`
	Details    map[string]string `json:"details"`
}

func (p *problem) body(operation string) errorBody {
	code := p.code
	if code == "" {
		code = strconv.Itoa(p.status)
	}
	details := map[string]string{"operation_id": operation}
	if p.field != "" {
		details["field"] = p.field
	}
	return errorBody{ErrorCode: "ERR_TUNNEL_" + code, StatusCode: p.status, Message: p.message, Details: details}
}

// invalid returns a 400. field can be empty. The message must not contain
// secrets of the request.
func invalid(field, format string, arguments ...any) *problem {
	return &problem{status: http.StatusBadRequest, field: field, message: fmt.Sprintf(format, arguments...)}
}

// unknown returns a 404 for an object.
func unknown(noun, id string) *problem {
	return &problem{status: http.StatusNotFound, message: fmt.Sprintf("%s %s does not exist", noun, printable(id))}
}

func unknownPath() *problem {
	return &problem{status: http.StatusNotFound, message: "unknown API path"}
}

// inUse returns a 409 for an object that other objects refer to. users are the
// ids of these objects, if they are known.
func inUse(noun, id string, users ...string) *problem {
	by := ""
	if len(users) > 0 {
		by = " by " + strings.Join(users, ", ")
	}
	return &problem{status: http.StatusConflict,
		message: fmt.Sprintf("the %s %s is in use%s: delete or change the objects that refer to it first", noun, id, by)}
}

// maxQuoted is the maximum number of bytes of client text in an error message.
const maxQuoted = 80

// printable quotes and shortens text from a client.
func printable(text string) string {
	return strconv.Quote(shortened(text))
}

// fieldName returns the value of details.field for a field path. It is
// shortened, because it can contain names from the client.
func fieldName(path string) string {
	return shortened(path)
}

func shortened(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}
