package conformance

import (
	"cmp"
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

// Result is what a variant of a request showed, or what several of them have in common.
type Result struct {
	Method   string   `json:"method,omitempty"`
	Route    string   `json:"route"`
	Rule     string   `json:"rule"`
	Status   Status   `json:"status"`
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Why      string   `json:"why,omitempty"`     // it was not tried
	Times    int      `json:"times,omitempty"`   // how many rules or responses differ
	First    string   `json:"first,omitempty"`   // method and route of the first of them
	Rules    []string `json:"rules,omitempty"`   // those that differ
	Source   Source   `json:"source"`            // where the expectation comes from
	Request  string   `json:"request,omitempty"` // of a difference, as a curl command
	Open     bool     `json:"-"`                 // it was not tried although it could have been
	Accepted bool     `json:"-"`                 // its request should succeed
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
	if r.Times > 1 {
		text += fmt.Sprintf(" (%s, the first: %s)", problem.Count(r.Times, "time"), r.First)
	}
	return text
}

// difference is what a response should have, and what it has instead.
type difference struct {
	status          Status // Differs or Otherwise
	about           string // a member, a header or a status; all differences about it are one result
	expected, found string
}

// statuses is the difference of two statuses.
func statuses(status Status, expected, found int) difference {
	return difference{status, "", fmt.Sprintf("status %d", expected), fmt.Sprintf("status %d", found)}
}

// judged adds the result of a rule: what differs, or why it could not be judged.
func (run *Run) judged(v testCase, differences []difference, err error) {
	switch {
	case err != nil:
		run.notTried(v, true, err.Error())
	case len(differences) == 0:
		run.report(v, Result{Status: Agrees})
	}
	for _, d := range differences {
		if err == nil {
			run.differs(v, d)
		}
	}
}

// holds adds the result of a rule: it holds, or a response differs.
func (run *Run) holds(v testCase, holds bool, d difference) {
	if holds {
		run.judged(v, nil, nil)
	} else {
		run.judged(v, []difference{d}, nil)
	}
}

// differs adds a difference to the result with the same subject, or a new one. One
// decision of a service can make thousands of rules differ: another status for all
// refusals, a member in another form, a text that is never stored. The most serious
// difference is shown.
func (run *Run) differs(v testCase, d difference) {
	rule := Result{Method: v.method, Route: v.route, Rule: v.name}.Name()
	key := cmp.Or(d.about, rule)
	if strings.HasPrefix(d.about, "status of ") {
		key += d.expected + d.found
	}
	i, known := run.differing[key]
	if !known {
		i = len(run.Results)
		run.differing[key] = i
		run.report(v, Result{Status: d.status, Expected: d.expected, Found: d.found, First: v.method + " " + v.route, Request: run.curl(v)})
	}
	r := &run.Results[i]
	switch {
	case slices.Contains(generalRules, d.about):
		r.Times++
		r.Method, r.Route, r.Rule = "", everyRoute, d.about
		return
	case slices.Contains(r.Rules, rule):
	default:
		r.Times++
		r.Rules = append(r.Rules, rule)
	}
	if run.source(v) == Contract {
		r.Source = Contract
	}
	if d.status == Differs && r.Status == Otherwise {
		r.Status, r.Expected, r.Found, r.First, r.Request = d.status, d.expected, d.found, v.method+" "+v.route, run.curl(v)
	}
	if d.about != "" && r.Times > 1 {
		r.Method, r.Rule = "", d.about
		if r.Route != v.route {
			r.Route = everyRoute
		}
	}
}

// report adds a result of a variant.
func (run *Run) report(v testCase, result Result) {
	result.Method, result.Route, result.Rule = v.method, v.route, v.name
	result.Accepted = v.status > 0 && v.status < http.StatusBadRequest
	result.Source = run.source(v)
	run.Results = append(run.Results, result)
}

func (run *Run) notTried(v testCase, open bool, why string) {
	run.report(v, Result{Status: NotTried, Why: why, Open: open})
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
var stated = []string{"two elements", "allowed value", "timestamp", "as long as allowed", "as long as allowed in bytes"}

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
		return slices.Contains(optional, string(where))
	case strings.HasPrefix(what, "as long as") && strings.HasPrefix(v.route, "/backends/"):
		return false
	}
	return slices.Contains(stated, what)
}

// maxCurl is the maximum length of a body in a curl command.
const maxCurl = 300

// curl returns the request of a variant as a command. It contains no key.
func (run *Run) curl(v testCase) string {
	if v.method == "" || v.path == "" {
		return ""
	}
	r, content, err := run.request(v)
	if err != nil {
		return ""
	}
	names := []string{run.config.Base, "$TUNNEL_BASE_URL", run.config.Key, "$TUNNEL_API_KEY"}
	if run.config.ReadOnlyKey != "" {
		names = append(names, run.config.ReadOnlyKey, "$TUNNEL_READ_ONLY_API_KEY")
	}
	named := strings.NewReplacer(names...).Replace
	var text strings.Builder
	fmt.Fprintf(&text, "curl -i -X %s \"%s\"", v.method, named(r.URL.String()))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(&text, " -H \"%s: %s\"", name, named(r.Header.Get(name)))
	}
	if v.body != nil {
		if len(content) > maxCurl {
			content = content[:maxCurl] + "..."
		}
		text.WriteString(" -d '" + strings.ReplaceAll(content, "'", `'\''`) + "'")
	}
	return text.String()
}
