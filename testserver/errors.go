package testserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// problem is an error that the API answers with.
type problem struct {
	status     int
	code       string // without the prefix ERR_TUNNEL_; empty: the status
	message    string
	field      string        // the request field that is wrong, if it is one
	allow      string        // the Allow header of a 405
	retryAfter time.Duration // of a 429
}

func (p *problem) Error() string {
	return p.message
}

// errorBody is the JSON form of every answer that is not a success.
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

// invalid is a 400. field may be empty. The message must not repeat a secret of the request.
func invalid(field, format string, arguments ...any) *problem {
	return &problem{status: http.StatusBadRequest, field: field, message: fmt.Sprintf(format, arguments...)}
}

// unknown is a 404 for an object.
func unknown(noun, id string) *problem {
	return &problem{status: http.StatusNotFound, message: fmt.Sprintf("%s %s does not exist", noun, printable(id))}
}

func unknownPath() *problem {
	return &problem{status: http.StatusNotFound, message: "the API does not have this path"}
}

// inUse is a 409 for an object that others refer to.
func inUse(noun, id string) *problem {
	return &problem{status: http.StatusConflict,
		message: fmt.Sprintf("the %s %s is in use by other objects, which must be deleted or changed first", noun, id)}
}

// maxQuoted is how much of a client's text an error repeats, in bytes.
const maxQuoted = 80

// printable quotes what came from a client, shortened.
func printable(text string) string {
	return strconv.Quote(shortened(text))
}

// fieldName is the path of a field as details.field gives it: shortened, since it may hold a name of the client's own.
func fieldName(path string) string {
	return shortened(path)
}

func shortened(text string) string {
	if len(text) <= maxQuoted {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuoted], "") + "…"
}

func panicf(format string, arguments ...any) {
	panic("testserver: " + fmt.Sprintf(format, arguments...))
}
