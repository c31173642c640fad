package testserver

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Stats counts the requests to the API since the start or the last reset. Control requests and Go methods do not count.
type Stats struct {
	Total    int            `json:"total"`
	Requests map[string]int `json:"requests"` // by method and route: "GET /ssh_credentials/{id}"
	Statuses map[int]int    `json:"statuses"` // by the status answered; 0 is a connection that was reset

	Faults     int               `json:"faults"`      // how many faults were injected
	FaultKinds map[FaultKind]int `json:"fault_kinds"` // and of which kinds
}

// Request is one request to the API, as the log keeps it. No part of it holds an API key or a private key.
type Request struct {
	Time      time.Time // of arrival
	Duration  time.Duration
	Method    string // "(unknown method)" if HTTP does not define it
	Path      string // as sent, still percent-encoded
	Pattern   string // the route, such as /ssh_credentials/{id}; empty for an unknown path
	Query     url.Values
	Header    http.Header // without Authorization, Proxy-Authorization and Cookie
	Owner     string      // the usr_ or bot_ id of the caller; empty if the key was unknown
	Status    int         // 0 if the connection was reset
	Fault     FaultKind   // what was injected; empty: nothing
	Operation string      // the operation id of the answer

	RequestBody  []byte // JSON; "(...)" if it was not a JSON object. nil: none, or given up for newer ones
	ResponseBody []byte // as sent; nil: none, or given up for newer ones
}

const (
	maxLog    = 10_000   // how many requests the log keeps, the newest
	maxBodies = 16 << 20 // how many bytes of bodies the log keeps, the newest
)

// journal counts and logs requests.
type journal struct {
	mutex  sync.Mutex
	stats  Stats
	log    []Request
	bodies int // bytes of bodies in the log
	bare   int // the log entries before this index have no bodies any more
}

func (j *journal) add(entry Request) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.stats.Total++
	increment(&j.stats.Requests, entry.Method+" "+entry.route())
	increment(&j.stats.Statuses, entry.Status)
	if entry.Fault != "" {
		j.stats.Faults++
		increment(&j.stats.FaultKinds, entry.Fault)
	}
	j.log = append(j.log, entry)
	j.bodies += entry.bodies()
	for ; j.bodies > maxBodies; j.bare++ {
		old := &j.log[j.bare]
		j.bodies -= old.bodies()
		old.RequestBody, old.ResponseBody = nil, nil
	}
	if len(j.log) >= 2*maxLog {
		j.forgetOldest()
	}
}

func (j *journal) forgetOldest() {
	kept := slices.Clone(j.newest())
	dropped := len(j.log) - len(kept)
	for _, old := range j.log[:dropped] {
		j.bodies -= old.bodies()
	}
	j.log, j.bare = kept, max(0, j.bare-dropped)
}

// newest returns the entries that the log promises to keep.
func (j *journal) newest() []Request {
	return j.log[max(0, len(j.log)-maxLog):]
}

func (r *Request) bodies() int {
	return len(r.RequestBody) + len(r.ResponseBody)
}

func increment[K comparable](counts *map[K]int, key K) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	(*counts)[key]++
}

// logEntry describes a call and its answer, which is nil if the connection was reset.
func (s *Server) logEntry(c *call, a *answer, fault *activeFault) Request {
	entry := Request{
		Time:        c.time,
		Duration:    s.now().Sub(c.time),
		Method:      knownMethod(c.request.Method),
		Path:        shortPath(s.redactText(c.request.URL.EscapedPath())),
		Pattern:     c.endpoint.pattern,
		Query:       url.Values(s.redactValues(c.request.URL.Query())),
		Header:      s.redactHeader(c.request.Header),
		Owner:       c.account.owner,
		Operation:   c.operation,
		RequestBody: s.redactRequest(c.body),
	}
	if a != nil {
		entry.Status, entry.ResponseBody = a.status, s.redactResponse(a.body)
	}
	if fault != nil {
		entry.Fault = fault.rule.Kind
	}
	return entry
}

// maxPath is how much of a path the log keeps, in bytes.
const maxPath = 1024

func shortPath(path string) string {
	return path[:min(len(path), maxPath)]
}

// unknownRoute stands for every path that the API does not have.
const unknownRoute = "(unknown path)"

// knownMethod returns a method of HTTP as it is. Clients may send any word as a method.
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

// Requests returns the log, the oldest request first. It keeps the last 10,000 requests and 16 MiB of their bodies.
func (s *Server) Requests() []Request {
	s.journal.mutex.Lock()
	defer s.journal.mutex.Unlock()
	return slices.Clone(s.journal.newest())
}

// Stats returns the counters.
func (s *Server) Stats() Stats {
	s.journal.mutex.Lock()
	defer s.journal.mutex.Unlock()
	stats := s.journal.stats
	stats.Requests = cloned(stats.Requests)
	stats.Statuses = cloned(stats.Statuses)
	stats.FaultKinds = cloned(stats.FaultKinds)
	return stats
}

// cloned copies a map; nil becomes an empty map, so that JSON shows {}.
func cloned[K comparable](counts map[K]int) map[K]int {
	if counts == nil {
		return map[K]int{}
	}
	return maps.Clone(counts)
}

// ResetStats clears counters and log.
func (s *Server) ResetStats() {
	s.journal.mutex.Lock()
	defer s.journal.mutex.Unlock()
	s.journal.stats, s.journal.log, s.journal.bodies, s.journal.bare = Stats{}, nil, 0, 0
}
