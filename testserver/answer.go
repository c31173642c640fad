package testserver

import (
	"bytes"
	"encoding/json"
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

// answer is a complete HTTP response that can be sent, checked or corrupted by
// a fault.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// encode builds the HTTP response from a reply or, if err is not nil, from the
// error. It applies the quirks.
func (s *Server) encode(c *call, r *reply, err error) *answer {
	a := &answer{header: http.Header{}}
	a.header.Set("Date", s.now().Add(s.dateSkew+c.skew()).Format(http.TimeFormat))
	a.header.Set("Tunnel-Operation-Id", c.operation)
	if err != nil {
		r = s.refusal(c, a.header, err)
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
func (s *Server) refusal(c *call, header http.Header, err error) *reply {
	var p *problem
	if !errors.As(err, &p) {
		s.log.Error("unexpected", "error", err, "operation", c.operation)
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

// marshal encodes value as JSON without escaping the characters <, > and &.
func marshal(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panicf("encode a response: %v", err) // value is always a type of this package
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// toTree converts value to maps, slices and scalars.
func toTree(value any) any {
	return decodeTree(marshal(value))
}

// decodeTree decodes JSON that the server encoded itself. Numbers keep their
// digits.
func decodeTree(data []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		panicf("decode a response: %v", err)
	}
	return tree
}

// wholeSeconds rounds d up to whole seconds, because Retry-After has no
// fractions.
func wholeSeconds(d time.Duration) int {
	return int(math.Ceil(d.Seconds()))
}
