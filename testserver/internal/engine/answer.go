package engine

import (
	"errors"
	"io"
	"maps"
	"math"
	"net/http"
	"strconv"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Reply is the successful result of an endpoint. Value is encoded as the JSON
// body unless the status is 204.
type Reply struct {
	Status int
	Value  any
}

func reply(status int, value any) (*Reply, error) { return &Reply{status, value}, nil }

// Answer is a complete HTTP response that can be sent, checked or corrupted by
// a failure.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Stream func(io.Writer) // writes the body instead of Body; nil of what can be checked or corrupted
}

// Encode builds the HTTP response from a reply or, if err is not nil, from the
// error.
func (api *API) Encode(c *Call, r *Reply, err error) *Answer {
	a := &Answer{Header: http.Header{}}
	a.Header.Set("Date", api.Now().Format(http.TimeFormat))
	a.Header.Set("Tunnel-Operation-Id", c.Operation)
	if err != nil {
		r = api.refusal(c, a.Header, err)
	}
	a.Status = r.Status
	if r.Status == http.StatusNoContent {
		return a
	}
	a.Header.Set("Content-Type", "application/json")
	value := r.Value
	if c.Acts != nil {
		value = c.Acts.Form(value, err != nil)
	}
	a.Body = body.Marshal(value)
	return a
}

// refusal converts an error to a reply and sets the headers that belong to the
// error.
func (api *API) refusal(c *Call, header http.Header, err error) *Reply {
	var p *problem.Problem
	if !errors.As(err, &p) {
		api.Log.Error("unexpected", "error", err, "operation", c.Operation)
		p = &problem.Problem{Status: http.StatusInternalServerError, Message: "internal error"}
	}
	if c.Behaves("forbidden_403") && p.Status == http.StatusUnauthorized {
		p = &problem.Problem{Status: http.StatusForbidden, Message: p.Message}
	}
	if p.Allow != "" {
		header.Set("Allow", p.Allow)
	}
	if p.RetryAfter > 0 && !c.Behaves("no_retry_after") {
		header.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	return &Reply{Status: p.Status, Value: p.Body(c.Operation)}
}

// KeepsEmpty reports whether empty values in the request are ignored.
func (c *Call) KeepsEmpty() bool {
	return c.Request.Method == http.MethodPatch && c.Behaves("patch_keeps_empty")
}

// Send writes the response to the client.
func (a *Answer) Send(w http.ResponseWriter) {
	if a.Stream != nil {
		a.SendHeader(w, -1)
		a.Stream(w)
		return
	}
	a.SendHeader(w, len(a.Body))
	_, _ = w.Write(a.Body) // the client may have disconnected
}

// SendHeader writes the status and the header to the client. length is that of the
// body; a negative one is not announced.
func (a *Answer) SendHeader(w http.ResponseWriter, length int) {
	maps.Copy(w.Header(), a.Header)
	if a.Status != http.StatusNoContent && length >= 0 {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.Status)
}
