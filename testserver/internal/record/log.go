// Package record counts and logs the requests of clients, without their secrets. It uses
// engine, body, and problem. What a control endpoint answers must stay out.
package record

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Stats counts the API requests since the start or the last reset. Control
// requests and Go methods are not counted.
type Stats struct {
	Total    int            `json:"total"`
	Requests map[string]int `json:"requests"` // by method and route, for example "GET /ssh_credentials/{id}"
	Statuses map[int]int    `json:"statuses"` // by status; 0 means that the connection was reset

	// InFlight is the number of requests that are not answered yet. A request that
	// is delayed is in flight even if its client has gone.
	InFlight int `json:"in_flight"`

	Failures map[string]int `json:"failures"` // requests that a failure has hit, by its name
}

// Request is a log entry for one API request, or for a control request that has switched
// the behavior. It contains no API keys and no private keys.
type Request struct {
	Number    int           `json:"number"` // 1 for the first request since the start; a reset does not restart it
	Time      time.Time     `json:"time"`   // of arrival
	Duration  time.Duration `json:"-"`
	Method    string        `json:"method"`           // or "(unknown method)" if HTTP does not define the method
	Path      string        `json:"path"`             // percent-encoded, as sent, truncated to 1024 bytes; redacted if it contains a secret
	Pattern   string        `json:"-"`                // the route, for example /ssh_credentials/{id}; empty for an unknown path
	Query     url.Values    `json:"query,omitempty"`  // nil if the key is unknown, or dropped to limit the log size
	Header    http.Header   `json:"header,omitempty"` // without Authorization, Proxy-Authorization and Cookie; nil as Query
	UserAgent string        `json:"user_agent,omitempty"`
	Owner     string        `json:"owner,omitempty"`   // usr_ or bot_ id of the caller; empty if the key is unknown
	Status    int           `json:"status"`            // 0 if the connection was reset
	Failure   string        `json:"failure,omitempty"` // name of the failure that has hit it; empty if there is none
	Operation string        `json:"operation_id"`      // of the response
	// Note says what a request to a control endpoint has switched, such as "behavior:
	// delay=200ms", which is in force from this entry on; empty for a request to the API.
	Note string `json:"note,omitempty"`

	RequestBody  []byte `json:"-"` // redacted JSON, or "(not a JSON object)"; nil if empty, or as Query
	ResponseBody []byte `json:"-"` // "(redacted)" if it contains a secret; nil if empty or dropped to limit the log size
}

// The routes of requests that have none.
const (
	controlRoute = "(control endpoint)"
	UnknownRoute = "(unknown path)" // of all paths that are not part of the API
)

// Route returns the route of a request, or what stands for one.
func (r *Request) Route() string {
	switch {
	case r.Note != "":
		return controlRoute
	case r.Pattern == "":
		return UnknownRoute
	}
	return r.Pattern
}

// maxAgent is the maximum length of a User-Agent in bytes.
const maxAgent = 200

// MarshalJSON encodes a request as the control endpoints show it.
func (r Request) MarshalJSON() ([]byte, error) {
	type plain Request // has no MarshalJSON
	return json.Marshal(struct {
		plain
		Route    string  `json:"route"`
		Duration float64 `json:"duration_ms"`
		Request  any     `json:"request,omitempty"`
		Response any     `json:"response,omitempty"`
	}{
		plain(r), r.Route(), float64(r.Duration) / float64(time.Millisecond), bodyAsJSON(r.RequestBody), bodyAsJSON(r.ResponseBody),
	})
}

// bodyAsJSON returns JSON unchanged and other text, for example an HTML page of
// a proxy, as a string.
func bodyAsJSON(body []byte) any {
	switch {
	case len(body) == 0:
		return nil
	case json.Valid(body):
		return json.RawMessage(body)
	}
	return string(body)
}

const (
	maxLog     = 10_000   // maximum number of requests in the log
	maxContent = 16 << 20 // maximum total size of the logged bodies, headers and queries in bytes
)

// Log counts and logs requests. It keeps the last 10,000, and 16 MiB of their bodies,
// headers and queries.
type Log struct {
	API       *engine.API
	WriteOnly func() map[string]bool // names of fields with secrets
	Token     string                 // with which the keys begin that clients create

	mutex   sync.Mutex
	stats   Stats
	log     []Request
	last    int // number of the newest request
	content int // total size of the logged bodies, headers and queries in bytes
	bare    int // index of the first entry that still has them
}

// Add logs and counts a request and its response. The response is nil if the connection
// was reset.
func (l *Log) Add(c *engine.Call, a *engine.Answer, failure string) Request {
	entry := l.entry(c, a)
	entry.Failure = failure
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stats.Total++
	increment(&l.stats.Requests, entry.Method+" "+entry.Route())
	increment(&l.stats.Statuses, entry.Status)
	if failure != "" {
		increment(&l.stats.Failures, failure)
	}
	l.keep(entry)
	return entry
}

// Note logs what a control request has switched, and does not count it.
func (l *Log) Note(c *engine.Call, a *engine.Answer, note string) {
	entry := l.entry(c, a)
	entry.Note = note
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.keep(entry)
}

func (l *Log) keep(entry Request) {
	l.last++
	entry.Number = l.last
	l.log = append(l.log, entry)
	l.content += entry.content()
	for ; l.content > maxContent; l.bare++ {
		old := &l.log[l.bare]
		l.content -= old.content()
		old.RequestBody, old.ResponseBody, old.Header, old.Query = nil, nil, nil, nil
	}
	if dropped := len(l.log) - maxLog; dropped == maxLog { // rarely, because it copies
		for _, old := range l.log[:dropped] {
			l.content -= old.content()
		}
		l.log, l.bare = slices.Clone(l.log[dropped:]), max(0, l.bare-dropped)
	}
}

// Requests returns the log, oldest request first.
func (l *Log) Requests() []Request {
	all, _, _ := l.After(0, maxLog)
	return all
}

// After returns up to limit of the newest entries with a higher number, and the
// numbers of the oldest and the newest entry of the log.
func (l *Log) After(number, limit int) (found []Request, oldest, newest int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	kept := l.log[max(0, len(l.log)-maxLog):]
	count := min(max(0, l.last-number), len(kept), limit)
	return slices.Clone(kept[len(kept)-count:]), l.last - len(kept) + 1, l.last
}

// Stats returns the counters.
func (l *Log) Stats() Stats {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return Stats{
		l.stats.Total, cloned(l.stats.Requests), cloned(l.stats.Statuses), int(l.API.InFlight.Load()), cloned(l.stats.Failures),
	}
}

// Reset clears the counters and the log.
func (l *Log) Reset() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stats, l.log, l.content, l.bare = Stats{}, nil, 0, 0
}

// cloned copies a map. nil becomes an empty map, which is {} in JSON.
func cloned[K comparable](counts map[K]int) map[K]int {
	if counts == nil {
		return map[K]int{}
	}
	return maps.Clone(counts)
}

func increment[K comparable](counts *map[K]int, key K) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	(*counts)[key]++
}

// content returns how much memory the parts of an entry take that a client can
// make large, about.
func (r *Request) content() int {
	const perValue = 100 // bytes, besides the text
	size := len(r.RequestBody) + len(r.ResponseBody)
	for _, values := range []map[string][]string{r.Header, r.Query} {
		for name, texts := range values {
			size += perValue + len(name)
			for _, text := range texts {
				size += perValue + len(text)
			}
		}
	}
	return size
}

// maxPath is the maximum length of a logged path in bytes.
const maxPath = 1024

// short returns the first bytes of a text.
func short(text string, bytes int) string {
	return strings.Clone(text[:min(len(text), bytes)]) // the rest would stay in memory
}
