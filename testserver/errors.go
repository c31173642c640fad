package testserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// problem is an error that the API answers. The API documentation leaves its form open; see [errorBody].
type problem struct {
	status     int
	code       string // without the prefix ERR_TUNNEL_; empty: the status
	message    string
	field      string        // the request field that is to blame, if it is one
	allow      string        // the Allow header of a 405
	retryAfter time.Duration // of a 429
}

func (p *problem) Error() string {
	return p.message
}

// errorBody is the JSON form of every answer that is no success.
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

// invalid is a 400. field may be empty. The message must not hold what the request held in a secret field.
func invalid(field, format string, arguments ...any) *problem {
	return &problem{status: http.StatusBadRequest, field: field, message: fmt.Sprintf(format, arguments...)}
}

// unknown is a 404 for an object.
func unknown(noun, id string) *problem {
	return &problem{status: http.StatusNotFound, message: fmt.Sprintf("there is no %s %s", noun, printable(id))}
}

func unknownPath() *problem {
	return &problem{status: http.StatusNotFound, message: "the API has no such path"}
}

// inUse is a 409 for an object that others refer to.
func inUse(noun, id string) *problem {
	return &problem{status: http.StatusConflict,
		message: fmt.Sprintf("the %s %s is in use by other objects, which must be deleted or changed first", noun, id)}
}

// printable quotes what came from a client, shortened.
func printable(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}

func panicf(format string, arguments ...any) {
	panic("testserver: " + fmt.Sprintf(format, arguments...))
}
