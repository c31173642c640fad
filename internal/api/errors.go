package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

const operationIDHeader = "Tunnel-Operation-Id"

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
	// FromService reports whether the response can be the service's. The contract
	// does not show how errors look; a page for a browser comes from a proxy.
	FromService bool

	structured  bool      // the body is a JSON object
	contentType string    // of the body
	attempts    int       // of the request
	unclear     bool      // an earlier attempt may have been processed
	hidden      string    // why a text of the response is omitted; "" if none is
	date        time.Time // by the service's clock
	retryAfter  time.Duration
	retryHeader string // the Retry-After
	tooLong     string // why a retryAfter is not waited for; "" if it is
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
	if e.attempts > 1 {
		notes = append(notes, fmt.Sprintf("%d attempts", e.attempts))
	}
	if e.tooLong != "" {
		notes = append(notes, e.tooLong)
	}
	if e.hidden != "" {
		notes = append(notes, "message "+e.hidden)
	}
	if !e.FromService {
		notes = append(notes, fmt.Sprintf("not a response of the API, but %s: check base_url and any proxy", cmp.Or(e.contentType, "a page")))
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, ", ") + ")"
	}
	return text
}

// newError returns the error of a response with a status other than 2xx. It
// omits texts that contain a known secret, and after a request with another
// secret, such as a private key, the texts that may contain that.
func newError(resp *http.Response, body []byte, known secrets, sentSecret bool) *Error {
	e := &Error{Status: resp.StatusCode, date: gate.DateOf(resp)}
	e.retryAfter, e.retryHeader = gate.RetryAfter(resp)
	keep := func(text string) string {
		if text = printable(text); known.in(text) || sentSecret && isLong(text) && !fieldForm.MatchString(text) {
			return ""
		}
		return text
	}
	e.contentType = keep(resp.Header.Get("Content-Type"))
	e.OperationID = keep(resp.Header.Get(operationIDHeader))
	if e.FromService = !isPage(body, e.contentType); !e.FromService {
		return e
	}
	text := strings.TrimSpace(string(body))
	var decoded any
	if json.Unmarshal(body, &decoded) == nil {
		text = message(decoded)
	}
	switch text = printable(text); {
	case known.in(text):
		e.hidden = "hidden because it contains a secret"
	case sentSecret && mayContainSecret(text):
		e.hidden = "hidden because the request or its response has a secret, and a word is as long as one"
	default:
		e.Message = text
	}
	var form map[string]any
	form, e.structured = decoded.(map[string]any)
	e.Code = keep(jsonText(form["error_code"]))
	if details, ok := form["details"].(map[string]any); ok {
		e.Field = keep(jsonText(details["field"]))
		e.OperationID = cmp.Or(keep(jsonText(details["operation_id"])), e.OperationID)
	}
	return e
}

// fieldForm is the form of a field such as inbound[0].actions[1].type.
var fieldForm = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+|\[[0-9]+\])*$`)

// message returns the message of an error. The contract does not show how
// errors look, so it accepts the usual forms.
func message(decoded any) string {
	switch decoded := decoded.(type) {
	case map[string]any:
		for _, name := range []string{"msg", "message", "error", "detail", "title", "errors"} {
			if text := message(decoded[name]); text != "" {
				return text
			}
		}
		return ""
	case []any:
		if len(decoded) == 0 {
			return ""
		}
		return message(decoded[0])
	}
	return jsonText(decoded)
}

// jsonText returns a string or a number of JSON as text, and "" for other values.
func jsonText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

// isPage reports whether the body of an error is a page for a browser, or not text.
func isPage(body []byte, contentType string) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) || strings.Contains(contentType, "html") || !utf8.Valid(body)
}

const maxMessage = 1000 // bytes of a message that are shown

// printable removes the characters of a text that are not safe in a terminal or
// a log, escapes its line ends, and limits its length.
func printable(text string) string {
	text = strings.NewReplacer("\n", `\n`, "\t", " ").Replace(strings.ToValidUTF8(text, ""))
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}, text)
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}

// checkID returns an error if an id is not valid in a path. The error repeats
// the id only if it is safe to print.
func checkID(id string) error {
	unprintable := func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }
	switch {
	case id == "":
		return errors.New("an ID must not be empty")
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unprintable):
		return errors.New("an ID must not contain control characters")
	case id == "." || id == ".." || strings.Contains(id, "/"):
		return fmt.Errorf("an ID must not be \".\" or \"..\", and must not contain \"/\"; found %q", ShortID(id))
	}
	return nil
}

// isLong reports whether a text is longer than any usual id.
func isLong(text string) bool { return len(text) > 39 }

// ShortID returns an id for a message. A text of several words is not an id but
// may be a secret in a wrong place, so it is not shown. The same applies to the
// end of a long text.
func ShortID(id string) string {
	const shown = 12 // bytes, of which a private key in base64 has none of its own
	switch {
	case strings.ContainsFunc(id, unicode.IsSpace):
		return "(a text that is not an ID)"
	case isLong(id):
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(id[:shown], ""), len(id))
	}
	return id
}

// IsRateLimited reports whether a request ended because it waited for a limit.
func IsRateLimited(err error) bool {
	_, ok := errors.AsType[gate.WaitError](err)
	return ok
}
