package testserver

import (
	"maps"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Stats counts the requests to the API since the start or the last reset. Control requests and Go methods do not count.
type Stats struct {
	Total    int            `json:"total"`
	Requests map[string]int `json:"requests"` // by method and path pattern: "GET /ssh_credentials/{id}"
	Statuses map[int]int    `json:"statuses"` // by the status answered; 0 is a connection that was reset

	Faults     int               `json:"faults"`      // how many faults were injected
	FaultKinds map[FaultKind]int `json:"fault_kinds"` // and of which kinds
}

// Request is one request to the API, as the log keeps it.
type Request struct {
	Time      time.Time // of arrival
	Duration  time.Duration
	Method    string
	Path      string // as sent, still percent-encoded
	Pattern   string // as in the API documentation, such as /ssh_credentials/{id}; empty for an unknown path
	Query     url.Values
	Header    http.Header // without Authorization, Proxy-Authorization and Cookie
	Owner     string      // the usr_ or bot_ id of the caller; empty if the key was unknown
	Status    int         // 0 if the connection was reset
	Fault     FaultKind   // what was injected; empty: nothing
	Operation string      // the operation id of the answer
}

// maxLog is how many requests the log keeps, the newest.
const maxLog = 10_000

// journal counts and logs requests.
type journal struct {
	mutex sync.Mutex
	stats Stats
	log   []Request
}

func (j *journal) add(c *call, status int, fault *activeFault) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	entry := logEntry(c, status)
	j.count(entry.Method+" "+c.endpoint.name(), status)
	if fault != nil {
		entry.Fault = fault.rule.Kind
		j.stats.Faults++
		increment(&j.stats.FaultKinds, entry.Fault)
	}
	if j.log = append(j.log, entry); len(j.log) >= 2*maxLog {
		j.log = append([]Request(nil), j.log[len(j.log)-maxLog:]...)
	}
}

func (j *journal) count(name string, status int) {
	j.stats.Total++
	increment(&j.stats.Requests, name)
	increment(&j.stats.Statuses, status)
}

func increment[K comparable](counts *map[K]int, key K) {
	if *counts == nil {
		*counts = map[K]int{}
	}
	(*counts)[key]++
}

func logEntry(c *call, status int) Request {
	header := c.request.Header.Clone()
	for _, secret := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		header.Del(secret)
	}
	return Request{
		Time:      c.time,
		Duration:  c.server.now().Sub(c.time),
		Method:    c.request.Method,
		Path:      c.request.URL.EscapedPath(),
		Pattern:   c.endpoint.pattern,
		Query:     c.request.URL.Query(),
		Header:    header,
		Owner:     c.account.owner,
		Status:    status,
		Operation: c.operation,
	}
}

// Requests gives the log, the oldest request first. It keeps the last 10,000.
func (s *Server) Requests() []Request {
	s.journal.mutex.Lock()
	defer s.journal.mutex.Unlock()
	return append([]Request(nil), s.journal.log[max(0, len(s.journal.log)-maxLog):]...)
}

// Stats gives the counters.
func (s *Server) Stats() Stats {
	s.journal.mutex.Lock()
	defer s.journal.mutex.Unlock()
	stats := s.journal.stats
	stats.Requests = cloned(stats.Requests)
	stats.Statuses = cloned(stats.Statuses)
	stats.FaultKinds = cloned(stats.FaultKinds)
	return stats
}

// cloned copies a map; a missing one becomes an empty one, so that JSON shows {}.
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
	s.journal.stats, s.journal.log = Stats{}, nil
}
