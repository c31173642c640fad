package testserver

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/record"
)

// expectation is what the requests since the last reset have to be.
type expectation struct {
	Method string `json:"method"` // "" means any
	Route  string `json:"route"`  // "" means any; can end in *
	Count  *int   `json:"count"`  // exactly
	Min    *int   `json:"min"`
	Max    *int   `json:"max"`
	Only   bool   `json:"only"` // no request is another one
}

func (e expectation) String() string {
	method, route := e.Method, e.Route
	if method == "" {
		method = "any method"
	}
	if route == "" {
		route = "any route"
	}
	return method + " " + route
}

// matches reports whether a request, as in Stats.Requests, is one that is meant.
func (e expectation) matches(request string) bool {
	method, route, _ := strings.Cut(request, " ")
	return (e.Method == "" || e.Method == method) && engine.MatchesRoute(e.Route, route)
}

// controlExpect compares the requests since the last reset with expectations. It answers
// 422 if they differ, so that curl --fail fails, and says how, with the requests that
// come near.
func (s *Server) controlExpect(c *engine.Call) (*engine.Answer, error) {
	var expected []expectation
	err := body.DecodeStrict(c.Body, &expected)
	if err == nil && len(expected) == 0 {
		err = errors.New("expected one at least; found none")
	}
	if err != nil {
		return nil, problem.Invalid("", `expected a list of expectations such as {"method": "POST", "route": "/ssh_credentials", "count": 1}, `+
			`with count, min and max, or "only": true: %v`, err)
	}
	requests := s.Stats().Requests
	var differences []string
	for i, e := range expected {
		if e.Route != "" && !s.api.Routes.Matches(e.Route) {
			return nil, problem.Invalid(fmt.Sprintf("[%d].route", i), "unknown route %s%s", problem.Printable(e.Route),
				problem.Nearest(e.Route, s.api.Routes.Patterns()))
		}
		if e.Method != "" && record.KnownMethod(e.Method) != e.Method {
			return nil, problem.Invalid(fmt.Sprintf("[%d].method", i), "expected a method such as POST; found %s", problem.Printable(e.Method))
		}
		if e.Count == nil && e.Min == nil && e.Max == nil && (!e.Only || e.Method == "" && e.Route == "") { // nothing would differ
			return nil, problem.Invalid(fmt.Sprintf("[%d]", i), "expected count, min, max, or only with a method or a route")
		}
		differences = append(differences, e.differences(requests)...)
	}
	if len(differences) > 0 {
		return nil, &problem.Problem{Status: http.StatusUnprocessableEntity, Message: strings.Join(differences, "; ")}
	}
	return s.success(c, http.StatusOK, map[string]int{"met": len(expected)}), nil
}

// differences says how the counted requests differ from what is expected.
func (e expectation) differences(requests map[string]int) (found []string) {
	same, near, others := 0, []string{}, []string{}
	for _, request := range slices.Sorted(maps.Keys(requests)) {
		method, route, _ := strings.Cut(request, " ")
		counted := fmt.Sprintf("%d %s", requests[request], request)
		if e.matches(request) {
			same += requests[request]
			continue
		}
		others = append(others, counted)
		if e.Method == method || e.Route == route {
			near = append(near, counted)
		}
	}
	says := func(what string, n int, besides []string) {
		text := fmt.Sprintf("expected %s %d of %s; found %d", what, n, e, same)
		if len(besides) > 0 {
			text += ", and " + strings.Join(besides, ", ")
		}
		found = append(found, text)
	}
	switch {
	case e.Count != nil && same != *e.Count:
		says("exactly", *e.Count, near)
	case e.Min != nil && same < *e.Min:
		says("at least", *e.Min, near)
	case e.Max != nil && same > *e.Max:
		says("at most", *e.Max, nil)
	}
	if e.Only && len(others) > 0 {
		found = append(found, fmt.Sprintf("expected only %s; found %s", e, strings.Join(others, ", ")))
	}
	return found
}
