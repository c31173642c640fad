package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// report is what verify found out.
type report struct {
	service  string
	requests int
	complete bool // the run did not end early
	results  []conformance.Result
	counts   map[conformance.Status]int
	accepted int // rules of requests that should succeed, and did
}

// newReport returns the report of a run. Texts of the service are escaped.
func newReport(service string, run *conformance.Run, complete bool) *report {
	r := &report{service, run.Requests, complete, nil, map[conformance.Status]int{}, 0}
	for _, result := range run.Results {
		result.Found, result.Why, result.Expected = problem.Escape(result.Found), problem.Escape(result.Why), problem.Escape(result.Expected)
		result.Rule, result.Request = problem.Escape(result.Rule), problem.Escape(result.Request)
		r.results = append(r.results, result)
		r.counts[result.Status]++
		if result.Status == conformance.Agrees && result.Accepted {
			r.accepted++
		}
	}
	return r
}

// reports are the formats of a report.
var reports = map[string]func(io.Writer, *report) error{"text": writeText, "json": writeJSON}

// writeText prints the causes of what breaks clients, of what the service decides
// otherwise, and of what was not tried. JSON contains every result.
func writeText(out io.Writer, r *report) error {
	var text strings.Builder
	r.summary(&text)
	fmt.Fprintf(&text, "%d rules agree, %d differ, %d are decided otherwise, %d were not tried; %d requests to %s\n",
		r.counts[conformance.Agrees], r.counts[conformance.Differs], r.counts[conformance.Otherwise], r.counts[conformance.NotTried], r.requests,
		r.service)
	if !r.complete {
		text.WriteString("the run is incomplete\n")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// summary prints the causes of each status.
func (r *report) summary(text *strings.Builder) {
	if r.accepted == 0 {
		fmt.Fprintf(text, "%s\n", nothingAgrees)
	}
	if r.counts[conformance.Differs] > 0 {
		fmt.Fprintf(text, "These differences break clients, or contradict the API documentation. Change the service, or report them to it:\n%s",
			r.causes(conformance.Differs))
	} else if r.accepted > 0 {
		text.WriteString("Nothing differs from the API documentation.\n")
	}
	if r.counts[conformance.Otherwise] > 0 {
		fmt.Fprintf(text, "The service decides these otherwise. \"otherwise\" does not count as a mistake: the API documentation "+
			"is silent there:\n%s", r.causes(conformance.Otherwise))
	}
	if r.counts[conformance.NotTried] > 0 {
		fmt.Fprintf(text, "These rules were not tried:\n%s", r.causes(conformance.NotTried))
	}
}

const nothingAgrees = "No response to a request that should succeed is as documented: this is not the service, or the key cannot use it."

// maxCauses is the number of causes of each status that a text report shows.
const maxCauses = 15

// causes groups the results with a status that say the same, because one decision of a
// service can make thousands of rules differ.
func (r *report) causes(status conformance.Status) string {
	groups := map[string][]conformance.Result{}
	count := func(cause string) (n int) {
		for _, result := range groups[cause] {
			n += max(result.Times, 1)
		}
		return n
	}
	for _, result := range r.results {
		cause := cmp.Or(result.Why, fmt.Sprintf("expected %s, found %s", result.Expected, result.Found))
		if result.Status == status {
			groups[cause] = append(groups[cause], result)
		}
	}
	causes := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(count(b), count(a)), strings.Compare(a, b))
	})
	var text strings.Builder
	for _, cause := range causes[:min(len(causes), maxCauses)] {
		one, routes := groups[cause][0], []string{}
		for _, result := range groups[cause] {
			routes = append(routes, result.Route)
		}
		where := strings.TrimSpace(one.Method+" "+one.Route) + ", " + one.Rule + " (" + string(one.Source) + ")"
		if routes = slices.Compact(routes); status == conformance.NotTried {
			where = strings.Join(routes[:min(len(routes), maxCauses)], ", ")
		}
		fmt.Fprintf(&text, "  %d x %s\n    %s\n", count(cause), cause, where)
		if one.Request != "" {
			fmt.Fprintf(&text, "    %s\n", one.Request)
		}
	}
	if more := len(causes) - maxCauses; more > 0 {
		fmt.Fprintf(&text, "  and %d other causes: see -format json\n", more)
	}
	return text.String()
}

// writeJSON prints every result.
func writeJSON(out io.Writer, r *report) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"service": r.service, "requests": r.requests, "complete": r.complete, "results": r.results})
}
