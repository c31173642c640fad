package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Status says how a response compares with the document.
type Status string

// The statuses of a result. A response is Otherwise if it differs from openapi.yaml
// where the API documentation is silent: it does not show which requests fail, with
// which status, what an error contains, and what an update does to a field that it omits.
const (
	Agrees    Status = "agrees"
	Differs   Status = "differs"
	Otherwise Status = "otherwise"
	NotTried  Status = "not tried"
)

// Source says where the expectation of a rule comes from.
type Source string

// The sources of rules. What the API documentation does not show is an open point: the
// test server has decided it. Kinds that the documentation only refers to are extensions.
const (
	Contract  Source = "contract"
	OpenPoint Source = "open point"
	Extension Source = "extension"
)

// Result is what a variant of a request showed.
type Result struct {
	Method   string
	Route    string
	Rule     string
	Status   Status
	Expected string
	Found    string
	Why      string   // if it was not tried
	Times    int      // how many rules or responses differ for this cause
	First    string   // method and route of the first of them
	Rules    []string // the rules that are judged without this cause
	Source   Source   // where the expectation comes from
	Request  string   // of a difference, as a curl command
	Open     bool     // it was not tried although it could have been
	Accepted bool     // its request should succeed, and nothing in the response differs

	v     testCase
	parts []*difference // all that differs
}

// Name names the rule.
func (r Result) Name() string { return fmt.Sprintf("%s %s, %s", r.Method, r.Route, r.Rule) }

func (r Result) String() string {
	text := fmt.Sprintf("%s: %s", r.Name(), r.Status)
	switch r.Status {
	case Differs, Otherwise:
		text += ": " + r.Difference()
	case NotTried:
		text += ": " + r.Why
	}
	return text
}

// Difference says what was expected and found.
func (r Result) Difference() string {
	text := fmt.Sprintf("expected %s, found %s", r.Expected, r.Found)
	if r.Times > 0 {
		text += fmt.Sprintf(" (%s, the first: %s)", problem.Count(r.Times, "time"), r.First)
	}
	return text
}

// difference is what a response should have, and what it has instead.
type difference struct {
	expected, found string
	status          Status        // Differs or Otherwise
	what, how       string        // see about
	hides           bool          // the rule cannot be judged without it
	more            []*difference // other parts of the same response
}

func differs(expected, found string) *difference {
	return &difference{expected: expected, found: found, status: Differs}
}

func otherwise(expected, found string) *difference {
	return &difference{expected: expected, found: found, status: Otherwise}
}

// as is a difference with a status, or nil if two values are the same.
func as(status Status, expected, found string) *difference {
	if status == same {
		return nil
	}
	return &difference{expected: expected, found: found, status: status}
}

// statuses are two statuses that should be one.
func statuses(expected, found int) (string, string) {
	return fmt.Sprintf("status %d", expected), fmt.Sprintf("status %d", found)
}

// report adds a result of a variant.
func (run *Run) report(v testCase, result Result) {
	result.Method, result.Route, result.Rule, result.v = v.method, v.route, v.name, v
	result.Accepted = v.status > 0 && v.status < http.StatusBadRequest
	if result.Source == "" {
		result.Source = run.source(v)
	}
	if result.Status == Differs || result.Status == Otherwise {
		run.differences++
		if result.Request == "" {
			result.Request = run.curl(v)
		}
	}
	run.Results = append(run.Results, result)
}

// judged adds the result of a rule: what differs, or why it could not be judged.
func (run *Run) judged(v testCase, d *difference, err error) {
	switch {
	case err != nil:
		run.notTried(v, true, err.Error())
	case d == nil:
		run.report(v, Result{Status: Agrees})
	default:
		r := Result{parts: d.all()}
		r.show(d)
		run.report(v, r)
	}
}

// holds adds the result of a rule: it holds, or a response differs.
func (run *Run) holds(v testCase, holds bool, d *difference) {
	if holds {
		d = nil
	}
	run.judged(v, d, nil)
}

// show makes a difference that of a result.
func (r *Result) show(d *difference) {
	r.Status, r.Expected, r.Found = d.status, d.expected, d.found
}

// source returns where the expectation of a variant comes from.
func (run *Run) source(v testCase) Source {
	item := run.config.Document.Paths.Value(v.route)
	if item == nil {
		return OpenPoint
	}
	operation := item.GetOperation(v.method)
	switch {
	case operation != nil && slices.Contains(operation.Tags, "Parents"):
		return Extension
	case v.status >= http.StatusBadRequest || v.kept != "" || v.mayRefuse:
		return OpenPoint
	case strings.HasPrefix(v.route, tunnelGroups) && v.method != http.MethodPost: // the API documentation shows only its POST
		return OpenPoint
	}
	return Contract
}

// stated are the values of fields of which the API documentation says that requests with
// them succeed, by their variant.
var stated = map[string]bool{
	"two elements": true, "allowed value": true, "timestamp": true,
	"as long as allowed": true, "as long as allowed in bytes": true,
}

// optional are the fields that the API documentation calls optional or gives a default.
var optional = []string{"description", "metadata", "acl", "owner_id", "principals", "valid_after", "valid_until", "enabled", "outbound"}

// isStated reports whether the API documentation says that a request with a variant of a
// field succeeds. It says nothing about null, empty values, members of responses in
// requests, and limits of kinds that it does not describe.
func (run *Run) isStated(v testCase, what string, where place) bool {
	switch {
	case run.source(v) == Extension:
		return false
	case what == "missing":
		return len(where) == 1 && slices.Contains(optional, where.String())
	case strings.HasPrefix(what, "as long as") && strings.HasPrefix(v.route, "/backends/"):
		return false
	}
	return stated[what]
}

// maxCurl is the maximum length of a body in a curl command.
const maxCurl = 300

// curl returns the request of a variant as a command. It contains no key.
func (run *Run) curl(v testCase) string {
	if v.method == "" || v.path == "" {
		return ""
	}
	r, err := run.request(v)
	if err != nil {
		return ""
	}
	address := strings.Replace(r.URL.String(), run.config.Base, "$TUNNEL_BASE_URL", 1)
	var text strings.Builder
	fmt.Fprintf(&text, "curl -i -X %s \"%s\"", v.method, address)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		value := strings.ReplaceAll(r.Header.Get(name), run.config.Key, "$TUNNEL_API_KEY")
		if run.config.ReadOnlyKey != "" {
			value = strings.ReplaceAll(value, run.config.ReadOnlyKey, "$TUNNEL_READ_ONLY_API_KEY")
		}
		fmt.Fprintf(&text, " -H \"%s: %s\"", name, value)
	}
	if content, isText := v.body.(string); v.body != nil {
		if !isText {
			content = asJSON(v.body)
		}
		if len(content) > maxCurl {
			content = content[:maxCurl] + "..."
		}
		text.WriteString(" -d '" + strings.ReplaceAll(content, "'", `'\''`) + "'")
	}
	return text.String()
}

func (run *Run) notTried(v testCase, open bool, why string) {
	run.report(v, Result{Status: NotTried, Why: why, Open: open})
}
