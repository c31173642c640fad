package testserver

import (
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
	Number    int       // 1 for the first request since the start; a reset does not restart it
	Time      time.Time // time of arrival
	Duration  time.Duration
	Method    string      // or "(unknown method)" if HTTP does not define the method
	Path      string      // percent-encoded, as sent, truncated to 1024 bytes; redacted if it contains a secret
	Pattern   string      // the route, for example /ssh_credentials/{id}; empty for an unknown path
	Query     url.Values  // nil if the key is unknown, or dropped to limit the log size
	Header    http.Header // without Authorization, Proxy-Authorization and Cookie; nil as Query
	Owner     string      // usr_ or bot_ id of the caller; empty if the key is unknown
	Status    int         // 0 if the connection was reset
	Failure   string      // name of the failure that has hit it; empty if there is none
	Operation string      // operation id of the response

	// Note says what a request to a control endpoint has switched, such as "behavior:
	// delay=200ms", which is in force from this entry on; empty for a request to the API.
	Note string

	RequestBody  []byte // redacted JSON, or "(not a JSON object)"; nil if empty, or as Query
	ResponseBody []byte // "(redacted)" if it contains a secret; nil if empty or dropped to limit the log size
}

const (
	maxLog     = 10_000   // maximum number of requests in the log
	maxContent = 16 << 20 // maximum total size of the logged bodies, headers and queries in bytes
)

// requestLog counts and logs requests.
type requestLog struct {
	mutex   sync.Mutex
	stats   Stats
	log     []Request
	last    int // number of the newest request
	content int // total size of the logged bodies, headers and queries in bytes
	bare    int // index of the first entry that still has them
}

func (l *requestLog) add(entry Request) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stats.Total++
	increment(&l.stats.Requests, entry.Method+" "+entry.route())
	increment(&l.stats.Statuses, entry.Status)
	if entry.Failure != "" {
		increment(&l.stats.Failures, entry.Failure)
	}
	l.keep(entry)
}

// note logs what a control request has switched, and does not count it.
func (l *requestLog) note(entry Request) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.keep(entry)
}

func (l *requestLog) keep(entry Request) {
	l.last++
	entry.Number = l.last
	l.log = append(l.log, entry)
	l.content += entry.content()
	for ; l.content > maxContent; l.bare++ {
		old := &l.log[l.bare]
		l.content -= old.content()
		old.RequestBody, old.ResponseBody, old.Header, old.Query = nil, nil, nil, nil
	}
	if len(l.log) >= 2*maxLog {
		l.forgetOldest()
	}
}

func (l *requestLog) forgetOldest() {
	kept := slices.Clone(l.newest())
	dropped := len(l.log) - len(kept)
	for _, old := range l.log[:dropped] {
		l.content -= old.content()
	}
	l.log, l.bare = kept, max(0, l.bare-dropped)
}

// newest returns the entries that are still part of the log.
func (l *requestLog) newest() []Request {
	return l.log[max(0, len(l.log)-maxLog):]
}

// after returns up to limit of the newest entries with a higher number, and the
// numbers of the oldest and the newest entry of the log.
func (l *requestLog) after(number, limit int) (found []Request, oldest, newest int) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	kept := l.newest()
	count := min(max(0, l.last-number), len(kept), limit)
	return slices.Clone(kept[len(kept)-count:]), l.last - len(kept) + 1, l.last
}

func (l *requestLog) total() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.stats.Total
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

func increment[K comparable](counts *map[K]int, key K) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	(*counts)[key]++
}

// logEntry returns the log entry for a call and its response. The response is
// nil if the connection was reset. Of a caller without a key, who may be anybody,
// it keeps neither the header nor the query and the body.
func (s *Server) logEntry(c *engine.Call, a *engine.Answer, failure string) Request {
	entry := Request{
		Time:      c.Time,
		Duration:  s.api.Clock().Sub(c.Arrived),
		Method:    knownMethod(methodOf(c)),
		Path:      short(s.redactText(c.Request.URL.EscapedPath()), maxPath),
		Pattern:   c.Endpoint.Pattern,
		Owner:     c.Account.Owner,
		Failure:   failure,
		Operation: c.Operation,
	}
	caller, known := s.api.Caller(c.Request)
	if known {
		entry.Owner = caller.Owner // also if a failure answered before the key was checked
	}
	if known || c.Direct {
		entry.Query = s.redactValues(c.Request.URL.Query())
		entry.Header = s.redactHeader(c.Request.Header)
		entry.RequestBody = s.redactRequest(c.Body)
	}
	if a != nil {
		entry.Status, entry.ResponseBody = a.Status, s.redactResponse(a.Body)
	}
	return entry
}

// maxPath is the maximum length of a logged path in bytes.
const maxPath = 1024

// short returns the first bytes of a text.
func short(text string, bytes int) string {
	return strings.Clone(text[:min(len(text), bytes)]) // the rest would stay in memory
}

// controlRoute is the route of the control requests in the log.
const controlRoute = "(control endpoint)"

// unknownRoute is the route of all paths that are not part of the API.
const unknownRoute = "(unknown path)"

// methodOf returns the HTTP method of a client.
func methodOf(c *engine.Call) string {
	if c.Head {
		return http.MethodHead
	}
	return c.Request.Method
}

// knownMethod returns name if it is a standard HTTP method, and "(unknown
// method)" otherwise. Clients can send any word as a method.
func knownMethod(method string) string {
	known := []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace,
	}
	if slices.Contains(known, method) {
		return method
	}
	return "(unknown method)"
}

// Requests returns the log, oldest request first. The log keeps the last 10,000
// requests, and 16 MiB of their bodies, headers and queries.
func (s *Server) Requests() []Request {
	s.requestLog.mutex.Lock()
	defer s.requestLog.mutex.Unlock()
	return slices.Clone(s.requestLog.newest())
}

// Stats returns the counters.
func (s *Server) Stats() Stats {
	s.requestLog.mutex.Lock()
	defer s.requestLog.mutex.Unlock()
	stats := s.requestLog.stats
	stats.InFlight = int(s.api.InFlight.Load())
	stats.Requests = cloned(stats.Requests)
	stats.Statuses = cloned(stats.Statuses)
	stats.Failures = cloned(stats.Failures)
	return stats
}

// cloned copies a map. nil becomes an empty map, which is {} in JSON.
func cloned[K comparable](counts map[K]int) map[K]int {
	if counts == nil {
		return map[K]int{}
	}
	return maps.Clone(counts)
}

// ResetStats clears the counters and the log.
func (s *Server) ResetStats() {
	s.requestLog.mutex.Lock()
	defer s.requestLog.mutex.Unlock()
	s.requestLog.stats, s.requestLog.log, s.requestLog.content, s.requestLog.bare = Stats{}, nil, 0, 0
}
