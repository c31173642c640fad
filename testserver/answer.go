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

// reply is what an endpoint answers when all went well; value becomes the JSON body, unless the status is 204.
type reply struct {
	status int
	value  any
}

// answer is a whole HTTP response, ready to be sent, checked or broken.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// encode makes the answer out of a reply, or out of the problem that err is, in the form that the quirks choose.
func (s *Server) encode(c *call, r *reply, err error) *answer {
	a := &answer{header: http.Header{}}
	a.header.Set("Date", s.now().Add(s.dateSkew).Format(http.TimeFormat))
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

// refusal returns a problem as a reply and sets the headers that belong to it.
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

// send writes the answer to the client.
func (a *answer) send(w http.ResponseWriter) {
	a.sendHeader(w, len(a.body))
	_, _ = w.Write(a.body) // a client that has gone cannot be told
}

func (a *answer) sendHeader(w http.ResponseWriter, length int) {
	maps.Copy(w.Header(), a.header)
	if a.status != http.StatusNoContent && length >= 0 {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.status)
}

// marshal returns JSON with the characters < > & as they are.
func marshal(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panicf("encode an answer: %v", err) // only values of our own types get here
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// toTree returns value as maps, lists and plain values.
func toTree(value any) any {
	return decodeTree(marshal(value))
}

// decodeTree reads JSON of our own making. Numbers keep their digits.
func decodeTree(data []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		panicf("decode an answer: %v", err)
	}
	return tree
}

// wholeSeconds rounds up, as Retry-After needs it.
func wholeSeconds(d time.Duration) int {
	return int(math.Ceil(d.Seconds()))
}
