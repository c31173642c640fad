package testserver

import (
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"time"
)

// reply is the successful result of an endpoint. value is encoded as the JSON
// body unless the status is 204.
type reply struct {
	status int
	value  any
}

func okReply(value any) (*reply, error) {
	return &reply{status: http.StatusOK, value: value}, nil
}

func createdReply(value any) (*reply, error) {
	return &reply{status: http.StatusCreated, value: value}, nil
}

func noContentReply() (*reply, error) {
	return &reply{status: http.StatusNoContent}, nil
}

// answer is a complete HTTP response that can be sent, checked or corrupted by
// a fault.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// encode builds the HTTP response from a reply or, if err is not nil, from the
// error. It applies the quirks.
func (api *api) encode(c *call, r *reply, err error) *answer {
	a := &answer{header: http.Header{}}
	a.header.Set("Date", api.now().Add(api.dateSkew+c.view.skew).Format(http.TimeFormat))
	a.header.Set("Tunnel-Operation-Id", c.operation)
	if err != nil {
		r = api.refusal(c, a.header, err)
	}
	a.status = r.status
	if r.status == http.StatusNoContent {
		return a
	}
	a.header.Set("Content-Type", "application/json")
	value := r.value
	if c.quirk != nil {
		value = c.quirk.change(toTree(value), err != nil)
	}
	a.body = marshal(value)
	return a
}

// refusal converts an error to a reply and sets the headers that belong to the
// error.
func (api *api) refusal(c *call, header http.Header, err error) *reply {
	var p *problem
	if !errors.As(err, &p) {
		api.log.Error("unexpected", "error", err, "operation", c.operation)
		p = &problem{status: http.StatusInternalServerError, message: "internal error"}
	}
	quirky := c.quirk != nil
	if quirky && p.status == http.StatusUnauthorized {
		p = &problem{status: http.StatusForbidden, message: p.message}
	}
	if p.allow != "" {
		header.Set("Allow", p.allow)
	}
	if p.retryAfter > 0 && !quirky {
		header.Set("Retry-After", strconv.Itoa(wholeSeconds(p.retryAfter)))
	}
	return &reply{status: p.status, value: p.body(c.operation)}
}

// keepsEmpty reports whether empty values in the request are ignored.
func (c *call) keepsEmpty() bool {
	return c.request.Method == http.MethodPatch && c.normal.keepEmpty()
}

// normalise changes the values in a successful response.
func (c *call) normalise(a *answer) {
	if len(c.normal) == 0 || a.status >= http.StatusBadRequest || len(a.body) == 0 {
		return
	}
	schema := c.api.contract.response(c.endpoint.pattern, c.request.Method, a.status)
	tree := c.normal.change(schema, decodeTree(a.body))
	a.body = marshal(tree)
	members, _ := tree.(map[string]any)
	if c.request.Method != http.MethodPatch || members == nil {
		return
	}
	sent, _ := parseBody(c.body) // the request was accepted, so the body is valid or empty
	var noContent bool
	if a.body, noContent = c.normal.patched(members, sent); noContent {
		a.status = http.StatusNoContent
		a.header.Del("Content-Type")
	}
}

// send writes the response to the client.
func (a *answer) send(w http.ResponseWriter) {
	a.sendHeader(w, len(a.body))
	_, _ = w.Write(a.body) // the client may have disconnected
}

func (a *answer) sendHeader(w http.ResponseWriter, length int) {
	maps.Copy(w.Header(), a.header)
	if a.status != http.StatusNoContent && length >= 0 {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.status)
}

// wholeSeconds rounds d up to whole seconds, because Retry-After has no
// fractions.
func wholeSeconds(d time.Duration) int {
	return int(math.Ceil(d.Seconds()))
}
