package testserver

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// expectation is what the requests since the last reset have to be.
type expectation struct {
	behavior.Conditions
	Count  *int                 `json:"count"` // exactly
	Min    *int                 `json:"min"`
	Max    *int                 `json:"max"`
	Before *behavior.Conditions `json:"before"` // each request comes before each of these
	Only   bool                 `json:"only"`   // no request is another one
}

// check returns an error if the expectation is always met, or never.
func (e *expectation) check(api engine.Routes) error {
	err := e.Check(api)
	if err == nil && e.Before != nil {
		err = e.Before.Check(api)
	}
	anything := reflect.DeepEqual(e.Conditions, behavior.Conditions{})
	number := func(n *int, without int) int {
		if n == nil {
			return without
		}
		return *n
	}
	least := max(number(e.Min, 0), number(e.Count, 0))
	most := min(number(e.Max, math.MaxInt), number(e.Count, math.MaxInt))
	if err == nil && (least > most || number(e.Min, 1) < 1 || most < 0) {
		err = errors.New("no number of requests meets count, min and max, or each does")
	}
	if err == nil && e.Count == nil && e.Min == nil && e.Max == nil && e.Before == nil && (!e.Only || anything) {
		err = errors.New("expected count, min, max, before, or only with a condition such as a method")
	}
	return err
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
			`with count, min, max and before, or "only": true: %v`, err)
	}
	total := s.Stats().Total
	log := slices.DeleteFunc(s.Requests(), func(r Request) bool { return r.Note != "" })
	if len(log) < total || slices.ContainsFunc(log, func(r Request) bool { return r.Owner != "" && r.Header == nil }) {
		return nil, unlike("the log does not have all requests since the last reset: reset the server more often")
	}
	var differences []string
	for i, e := range expected {
		if err := e.check(s.api.Routes); err != nil {
			return nil, problem.Invalid(fmt.Sprintf("[%d]", i), "%v", err)
		}
		differences = append(differences, e.differences(log)...)
	}
	if len(differences) > 0 {
		return nil, unlike(strings.Join(differences, "; "))
	}
	return s.success(c, http.StatusOK, map[string]int{"met": len(expected)}), nil
}

func unlike(message string) error {
	return &problem.Problem{Status: http.StatusUnprocessableEntity, Message: message}
}

// split returns the numbers of the requests that meet conditions, and counts the others
// and those of them that meet the most.
func split(log []Request, c *behavior.Conditions) (numbers []int, others, near map[string]int) {
	others, near = map[string]int{}, map[string]int{}
	least := 1
	for _, r := range log {
		d := c.Differs(&behavior.Sent{Method: r.Method, Route: r.Route(), Path: r.Path, Query: r.Query, Header: r.Header, Body: r.RequestBody})
		if d == nil {
			numbers = append(numbers, r.Number)
			continue
		}
		request := r.Method + " " + r.Route()
		others[request]++
		if d.Met > least {
			least, near = d.Met, map[string]int{}
		}
		if d.Met == least {
			near[request+d.How]++
		}
	}
	return numbers, others, near
}

// maxNear is the maximum number of different requests in a message.
const maxNear = 5

// counted returns requests with their numbers.
func counted(requests map[string]int) string {
	var texts []string
	for _, request := range slices.Sorted(maps.Keys(requests)) {
		texts = append(texts, fmt.Sprintf("%d %s", requests[request], request))
	}
	if more := len(texts) - maxNear; more > 0 {
		texts = append(texts[:maxNear], fmt.Sprintf("%d others", more))
	}
	return strings.Join(texts, ", ")
}

// differences says how the logged requests differ from what is expected.
func (e *expectation) differences(log []Request) (found []string) {
	numbers, others, near := split(log, &e.Conditions)
	same := len(numbers)
	says := func(what string, n int) {
		found = append(found, fmt.Sprintf("expected %s %d of %s; found %d", what, n, &e.Conditions, same))
		if len(near) > 0 && same < n {
			found[len(found)-1] += ", and " + counted(near)
		}
	}
	switch {
	case e.Count != nil && same != *e.Count:
		says("exactly", *e.Count)
	case e.Min != nil && same < *e.Min:
		says("at least", *e.Min)
	case e.Max != nil && same > *e.Max:
		says("at most", *e.Max)
	}
	if e.Only && len(others) > 0 {
		found = append(found, fmt.Sprintf("expected only %s; found %s", &e.Conditions, counted(others)))
	}
	if e.Before == nil {
		return found
	}
	order := fmt.Sprintf("expected %s before %s", &e.Conditions, e.Before)
	switch later, _, _ := split(log, e.Before); {
	case same == 0 || len(later) == 0:
		found = append(found, fmt.Sprintf("%s; found %d and %d", order, same, len(later)))
	case numbers[same-1] > later[0]:
		found = append(found, fmt.Sprintf("%s; found request %d before request %d", order, later[0], numbers[same-1]))
	}
	return found
}
