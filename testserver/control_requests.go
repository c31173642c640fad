package testserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// loggedRequest is the JSON form of a log entry.
type loggedRequest struct {
	Time      time.Time  `json:"time"`
	Method    string     `json:"method"`
	Path      string     `json:"path"`
	Route     string     `json:"route"`
	Query     url.Values `json:"query,omitempty"`
	Status    int        `json:"status"`
	Duration  float64    `json:"duration_ms"`
	Owner     string     `json:"owner,omitempty"`
	Fault     FaultKind  `json:"fault,omitempty"`
	Operation string     `json:"operation_id"`
	Request   any        `json:"request,omitempty"`
	Response  any        `json:"response,omitempty"`
}

// defaultLast is the default number of requests that the control endpoint
// returns.
const defaultLast = 100

// controlRequests returns the newest requests of the log, oldest first. The
// query parameters route, status and last filter them.
func (s *Server) controlRequests(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("route", "status", "last")
	if err != nil {
		return nil, err
	}
	route, status, last := query.Get("route"), query.Get("status"), defaultLast
	if query.Has("last") {
		if last, err = strconv.Atoi(query.Get("last")); err != nil || last < 1 {
			return nil, problem.Invalid("last", "last must be a positive integer")
		}
	}
	if _, err := strconv.Atoi(status); err != nil && query.Has("status") {
		return nil, problem.Invalid("status", "status must be an integer")
	}
	if route != unknownRoute && !s.api.Routes.Matches(route) {
		return nil, problem.Invalid("route", "unknown route %s", problem.Printable(route))
	}
	chosen := []loggedRequest{}
	log := s.Requests()
	for i := len(log) - 1; i >= 0 && len(chosen) < last; i-- {
		if status != "" && status != strconv.Itoa(log[i].Status) || !engine.MatchesRoute(route, log[i].route()) {
			continue
		}
		chosen = append(chosen, log[i].asJSON())
	}
	slices.Reverse(chosen)
	return s.success(c, http.StatusOK, map[string]any{"requests": chosen}), nil
}

func (r *Request) route() string {
	if r.Pattern == "" {
		return unknownRoute
	}
	return r.Pattern
}

func (r *Request) asJSON() loggedRequest {
	return loggedRequest{
		Time: r.Time, Method: r.Method, Path: r.Path, Route: r.route(), Query: r.Query, Status: r.Status,
		Duration: float64(r.Duration) / float64(time.Millisecond), Owner: r.Owner, Fault: r.Fault, Operation: r.Operation,
		Request: bodyAsJSON(r.RequestBody), Response: bodyAsJSON(r.ResponseBody),
	}
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
