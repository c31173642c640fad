package main

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// report is what verify found out.
type report struct {
	Service   string               `json:"service"`
	Mark      string               `json:"mark"`
	Complete  bool                 `json:"complete"` // the run did not end early
	Requests  int                  `json:"requests"`
	Agree     int                  `json:"agree"`
	Differ    int                  `json:"differ"`
	Otherwise int                  `json:"otherwise"` // differ where the API documentation is silent
	NotTried  int                  `json:"not_tried"`
	Results   []conformance.Result `json:"results"`

	accepted int // rules of requests that should succeed, and did
	rights   int // requests that succeeded with a key that has no such right
}

// newReport returns the report of a run. Texts of the service are escaped.
func newReport(service, mark string, run *conformance.Run, complete bool) *report {
	r := &report{Service: service, Mark: mark, Complete: complete, Requests: run.Requests}
	for _, result := range run.Results {
		result.Found, result.Why, result.Expected = printable(result.Found), printable(result.Why), printable(result.Expected)
		result.Rule, result.Request = printable(result.Rule), printable(result.Request)
		r.Results = append(r.Results, result)
		switch result.Status {
		case conformance.Agrees:
			r.Agree++
			if result.Accepted {
				r.accepted++
			}
		case conformance.Differs:
			r.Differ++
			if strings.Contains(result.Expected, conformance.NoRight) {
				r.rights += max(result.Times, 1)
			}
		case conformance.Otherwise:
			r.Otherwise++
		default:
			r.NotTried++
		}
	}
	return r
}

// printable escapes characters that a terminal or a CI runner could interpret.
func printable(text string) string { return problem.Escape(text) }

// reports are the formats of a report.
var reports = map[string]func(io.Writer, *report) error{
	"text": writeText, "json": func(out io.Writer, r *report) error { return writeJSON(out, r) }, "junit": writeJUnit,
}

func writeJSON(out io.Writer, value any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// writeText prints the causes of what breaks clients, of what the service decides
// otherwise, and of what was not tried. The other formats contain every rule.
func writeText(out io.Writer, r *report) error {
	var text strings.Builder
	r.summary(&text)
	fmt.Fprintf(&text, "%d rules agree, %d differ, %d are decided otherwise, %d were not tried; %d requests to %s\n",
		r.Agree, r.Differ, r.Otherwise, r.NotTried, r.Requests, r.Service)
	if !r.Complete {
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
	if r.rights > 0 {
		fmt.Fprintf(text, "A key can do what it has no right to do: %d of the requests without rights succeeded.\n", r.rights)
	}
	if r.Differ > 0 {
		fmt.Fprintf(text, "These differences break clients, or contradict the API documentation. Change the service, or report them to it:\n%s",
			r.causes(conformance.Differs))
	} else if r.accepted > 0 {
		text.WriteString("Nothing differs from the API documentation.\n")
	}
	if r.Otherwise > 0 {
		fmt.Fprintf(text, "The service decides these otherwise. \"otherwise\" does not count as a mistake: the API documentation "+
			"is silent there:\n%s", r.causes(conformance.Otherwise))
	}
	if r.NotTried > 0 {
		fmt.Fprintf(text, "These rules were not tried:\n%s", r.causes(conformance.NotTried))
	}
}

const nothingAgrees = "No response to a request that should succeed is as documented: this is not the service, or the key cannot use it."

// maxCauses is the number of causes of each status that a text report shows.
const maxCauses = 15

var quoted = regexp.MustCompile(`"[^"]*"`)

// causes groups the results with a status that are the same but for quoted values,
// because one decision of a service can make thousands of rules differ.
func (r *report) causes(status conformance.Status) string {
	count, first, routes := map[string]int{}, map[string]conformance.Result{}, map[string][]string{}
	for _, result := range r.Results {
		if result.Status != status {
			continue
		}
		cause := result.Why
		if status != conformance.NotTried {
			cause = quoted.ReplaceAllString(fmt.Sprintf("expected %s, found %s", result.Expected, result.Found), `"..."`)
		}
		if !slices.Contains(routes[cause], result.Route) {
			routes[cause] = append(routes[cause], result.Route)
		}
		if count[cause] == 0 {
			first[cause] = result
		}
		count[cause] += max(result.Times, 1)
	}
	causes := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), strings.Compare(a, b))
	})
	var text strings.Builder
	for _, cause := range causes[:min(len(causes), maxCauses)] {
		one := first[cause]
		fmt.Fprintf(&text, "  %d x %s\n", count[cause], cause)
		where := strings.Trim(strings.TrimSpace(one.Method+" "+one.Route)+", "+one.Rule, ", ")
		if status == conformance.NotTried {
			where = strings.Join(routes[cause][:min(len(routes[cause]), maxCauses)], ", ")
		} else {
			where += " (" + string(one.Source) + ")"
		}
		fmt.Fprintf(&text, "    %s\n", where)
		if one.Request != "" {
			fmt.Fprintf(&text, "    %s\n", one.Request)
		}
	}
	if more := len(causes) - maxCauses; more > 0 {
		fmt.Fprintf(&text, "  and %d other causes: see -format json\n", more)
	}
	return text.String()
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

// writeJUnit prints a test case for each rule.
func writeJUnit(out io.Writer, r *report) error {
	suite := &junitSuite{
		Name: "tunnel-testserver verify " + r.Service, Tests: len(r.Results), Failures: r.Differ, Skipped: r.NotTried + r.Otherwise,
	}
	for _, result := range r.Results {
		one := junitCase{Class: strings.TrimSpace(result.Method + " " + result.Route), Name: result.Rule}
		switch result.Status {
		case conformance.Differs:
			one.Failure = &junitMessage{result.Difference()}
		case conformance.Otherwise:
			one.Skipped = &junitMessage{"decided otherwise: " + result.Difference()}
		case conformance.NotTried:
			one.Skipped = &junitMessage{result.Why}
		}
		suite.Cases = append(suite.Cases, one)
	}
	return writeSuite(out, suite)
}

func writeSuite(out io.Writer, suite *junitSuite) error {
	content, err := xml.MarshalIndent(suite, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s%s\n", xml.Header, content)
	return err
}
