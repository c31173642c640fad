package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// report is what verify found out.
type report struct {
	*conformance.Run

	service  string
	complete bool // the run did not end early
}

// reports are the formats of a report.
var reports = map[string]func(io.Writer, report) error{"text": writeText, "json": func(out io.Writer, r report) error {
	return printJSON(out, map[string]any{"service": r.service, "requests": r.Requests, "complete": r.complete, "results": r.Results})
}}

// nothingAgrees reports whether no request that should succeed did.
func (r report) nothingAgrees() bool {
	return !slices.ContainsFunc(r.Results, func(result conformance.Result) bool { return result.Accepted })
}

const nothingAgrees = "No response to a request that should succeed is as documented: this is not the service, or the key cannot use it."

// writeText prints the causes of what breaks clients, of what the service decides
// otherwise, and of what was not tried. JSON contains every result.
func writeText(out io.Writer, r report) error {
	var text strings.Builder
	if r.nothingAgrees() {
		fmt.Fprintln(&text, nothingAgrees)
	}
	for _, section := range []struct {
		status conformance.Status
		title  string
	}{
		{conformance.Differs, "These differences break clients, or contradict the API documentation. Change the service, or report them to it:"},
		{conformance.Otherwise, `The service decides these. "otherwise" does not count as a mistake: the API documentation is silent there:`},
		{conformance.NotTried, "These rules were not tried:"},
	} {
		if r.Count(section.status) > 0 {
			fmt.Fprintf(&text, "%s\n%s", section.title, r.causes(section.status))
		}
	}
	fmt.Fprintf(&text, "%d rules agree, %d differ, %d are decided otherwise, %d were not tried; %d requests to %s\n",
		r.Count(conformance.Agrees), r.Count(conformance.Differs), r.Count(conformance.Otherwise), r.Count(conformance.NotTried),
		r.Requests, r.service)
	if !r.complete {
		fmt.Fprintln(&text, "the run is incomplete")
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// maxCauses is the number of causes of each status that a text report shows, and of
// operations that were not tried for one.
const maxCauses = 15

// causes returns the results with a status, the most frequent first.
func (r report) causes(status conformance.Status) string {
	results := slices.DeleteFunc(slices.Clone(r.Results), func(result conformance.Result) bool { return result.Status != status })
	slices.SortStableFunc(results, func(a, b conformance.Result) int { return cmp.Compare(len(b.Rules), len(a.Rules)) })
	var text strings.Builder
	for _, result := range results[:min(len(results), maxCauses)] {
		where := result.Name()
		if status == conformance.NotTried {
			var operations []string
			for _, rule := range result.Rules {
				operation, _, _ := strings.Cut(rule, ", ")
				operations = append(operations, operation)
			}
			operations = slices.Compact(operations)
			where = strings.Join(operations[:min(len(operations), maxCauses)], ", ")
		}
		fmt.Fprintf(&text, "  %d x %s\n    %s\n", len(result.Rules), result.Cause(), where)
		if result.Request != "" {
			fmt.Fprintf(&text, "    %s\n", result.Request)
		}
	}
	if more := len(results) - maxCauses; more > 0 {
		fmt.Fprintf(&text, "  and %d other causes: see -format json\n", more)
	}
	return text.String()
}
