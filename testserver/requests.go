package testserver

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/record"
)

// Stats counts the API requests since the start or the last reset. Control
// requests and Go methods are not counted.
type Stats = record.Stats

// Request is a log entry for one API request, or for a control request that has switched
// the behavior. It contains no API keys and no private keys.
type Request = record.Request

// Requests returns the log, oldest request first. The log keeps the last 10,000
// requests, and 16 MiB of their bodies, headers and queries.
func (s *Server) Requests() []Request { return s.log.Requests() }

// Stats returns the counters.
func (s *Server) Stats() Stats { return s.log.Stats() }

// ResetStats clears the counters and the log.
func (s *Server) ResetStats() { s.log.Reset() }

// writeOnly returns the names of the fields that are write-only in the API contract.
var writeOnly = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, field := range regexp.MustCompile(`(\w+): \{[^{}]*\bwriteOnly: true`).FindAllSubmatch(OpenAPI, -1) {
		names[string(field[1])] = true
	}
	return names
})

// defaultLast is the default number of requests that the control endpoint
// returns.
const defaultLast = 100

// controlRequests returns the newest requests of the log, oldest first. The
// query parameters route, status, number, since, until and last filter them.
func (s *Server) controlRequests(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("route", "status", "number", "since", "until", "last")
	if err != nil {
		return nil, err
	}
	route, status, last := query.Get("route"), query.Get("status"), defaultLast
	if query.Has("last") {
		if last, err = strconv.Atoi(query.Get("last")); err != nil || last < 1 {
			return nil, problem.Invalid("last", "last must be a positive integer")
		}
	}
	number := query.Get("number")
	for _, name := range []string{"status", "number"} {
		if _, err := strconv.Atoi(query.Get(name)); err != nil && query.Has(name) {
			return nil, problem.Invalid(name, "%s must be an integer", name)
		}
	}
	var times [2]time.Time
	for i, name := range []string{"since", "until"} {
		if times[i], err = time.Parse(time.RFC3339, query.Get(name)); err != nil && query.Has(name) {
			return nil, problem.Invalid(name, "%s must be a time such as 2027-03-01T00:00:00Z", name)
		}
	}
	if err := (&behavior.Conditions{Route: route}).Check(s.api.Routes); route != record.UnknownRoute && err != nil {
		return nil, problem.Invalid("route", "%v", err)
	}
	chosen := []Request{}
	log := s.Requests()
	for i := len(log) - 1; i >= 0 && len(chosen) < last; i-- {
		late := query.Has("until") && log[i].Time.After(times[1])
		if late || log[i].Time.Before(times[0]) || differs(status, log[i].Status) || differs(number, log[i].Number) ||
			!engine.MatchesRoute(route, log[i].Route()) {
			continue
		}
		chosen = append(chosen, log[i])
	}
	slices.Reverse(chosen)
	return s.success(c, http.StatusOK, map[string]any{"requests": chosen}), nil
}

// differs reports whether a query parameter is given and is another number.
func differs(parameter string, number int) bool {
	return parameter != "" && parameter != strconv.Itoa(number)
}

// activity is what has happened since a client asked last, and what is in force. The
// page in a browser asks for it several times a second, so it is small.
type activity struct {
	Server   string             `json:"server"`   // differs after a restart, which begins the numbers anew
	First    int                `json:"first"`    // number of the oldest request in the log
	Last     int                `json:"last"`     // number of the newest one
	Requests []Request          `json:"requests"` // without bodies and headers, oldest first
	Total    int                `json:"total"`    // since the start or the last reset
	InFlight int                `json:"in_flight"`
	Objects  uint64             `json:"objects"` // version of the objects
	Rules    []behavior.InForce `json:"rules"`
}

// maxActivity is the maximum number of requests in an activity. A client that asks
// less often than they arrive gets the newest ones.
const maxActivity = 1000

// controlActivity returns what has happened after the request with the number after.
func (s *Server) controlActivity(c *engine.Call) (*engine.Answer, error) {
	after, err := version(c)
	if err != nil {
		return nil, err
	}
	log, first, last := s.log.After(int(after), maxActivity)
	found := activity{Server: s.identity(), First: first, Last: last, Requests: make([]Request, 0, len(log)), Total: s.log.Stats().Total,
		InFlight: int(s.api.InFlight.Load()), Objects: s.api.Store.Version(), Rules: s.behavior.InForce()}
	for i := range log {
		log[i].RequestBody, log[i].ResponseBody, log[i].Header = nil, nil, nil
		found.Requests = append(found.Requests, log[i])
	}
	return s.success(c, http.StatusOK, found), nil
}

// accountOverview is the objects of the account, with what is needed to choose from
// them.
type accountOverview struct {
	kinds.Overview
	Routes []string `json:"routes"` // of the API, for rules
}

// controlOverview returns the objects that changed after a version, with their
// parents and references.
func (s *Server) controlOverview(c *engine.Call) (*engine.Answer, error) {
	after, err := version(c)
	if err != nil {
		return nil, err
	}
	found := accountOverview{Overview: kinds.Changes(s.api.Store, after)}
	for i := range found.Objects {
		if object := &found.Objects[i]; s.log.IsSecret(object.Label) {
			object.Label = record.Redacted
		}
	}
	found.Routes = s.api.Routes.Patterns()
	return s.success(c, http.StatusOK, found), nil
}

// version returns the query parameter after, or 0.
func version(c *engine.Call) (uint64, error) {
	query, err := c.Query("after")
	if err != nil || !query.Has("after") {
		return 0, err
	}
	after, err := strconv.ParseUint(query.Get("after"), 10, 63)
	if err != nil {
		return 0, problem.Invalid("after", "after must be a non-negative integer")
	}
	return after, nil
}
