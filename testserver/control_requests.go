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
	Number    int        `json:"number"`
	Time      time.Time  `json:"time"`
	Method    string     `json:"method"`
	Path      string     `json:"path"`
	Route     string     `json:"route"`
	Query     url.Values `json:"query,omitempty"`
	Status    int        `json:"status"`
	Duration  float64    `json:"duration_ms"`
	Owner     string     `json:"owner,omitempty"`
	Failure   string     `json:"failure,omitempty"`
	Operation string     `json:"operation_id"`
	UserAgent string     `json:"user_agent,omitempty"`
	Note      string     `json:"note,omitempty"`
	Request   any        `json:"request,omitempty"`
	Response  any        `json:"response,omitempty"`
}

// defaultLast is the default number of requests that the control endpoint
// returns.
const defaultLast = 100

// controlRequests returns the newest requests of the log, oldest first. The
// query parameters route, status, number and last filter them.
func (s *Server) controlRequests(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("route", "status", "number", "last")
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
	if route != unknownRoute && !s.api.Routes.Matches(route) {
		return nil, problem.Invalid("route", "unknown route %s", problem.Printable(route))
	}
	chosen := []loggedRequest{}
	log := s.Requests()
	for i := len(log) - 1; i >= 0 && len(chosen) < last; i-- {
		if differs(status, log[i].Status) || differs(number, log[i].Number) || !engine.MatchesRoute(route, log[i].route()) {
			continue
		}
		chosen = append(chosen, log[i].asJSON())
	}
	slices.Reverse(chosen)
	return s.success(c, http.StatusOK, map[string]any{"requests": chosen}), nil
}

// maxAgent is the maximum length of a User-Agent in bytes.
const maxAgent = 200

// differs reports whether a query parameter is given and is another number.
func differs(parameter string, number int) bool {
	return parameter != "" && parameter != strconv.Itoa(number)
}

func (r *Request) route() string {
	switch {
	case r.Note != "":
		return controlRoute
	case r.Pattern == "":
		return unknownRoute
	}
	return r.Pattern
}

func (r *Request) asJSON() loggedRequest {
	return loggedRequest{
		Number: r.Number, Time: r.Time, Method: r.Method, Path: r.Path, Route: r.route(), Query: r.Query, Status: r.Status,
		Duration: float64(r.Duration) / float64(time.Millisecond), Owner: r.Owner, Failure: r.Failure, Operation: r.Operation,
		UserAgent: short(r.Header.Get("User-Agent"), maxAgent), Note: r.Note,
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
