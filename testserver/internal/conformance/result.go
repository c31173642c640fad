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

// Result is what a rule showed. Rules that differ for the same cause, or that were not
// tried for the same reason, are one result: one decision of a service can make thousands
// of rules differ.
type Result struct {
	Method   string   `json:"method,omitempty"`
	Route    string   `json:"route"`
	Rule     string   `json:"rule"` // or the member or header that differs
	Status   Status   `json:"status"`
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Why      string   `json:"why,omitempty"`     // it was not tried
	Rules    []string `json:"rules,omitempty"`   // names of the rules that do not agree
	Request  string   `json:"request,omitempty"` // of a difference, as a curl command
	Open     bool     `json:"-"`                 // it was not tried although it could have been
	Accepted bool     `json:"-"`                 // its request should succeed
}

// Name names the rule.
func (r Result) Name() string { return fmt.Sprintf("%s %s, %s", r.Method, r.Route, r.Rule) }

// Cause says what was expected and found, or why rules were not tried.
func (r Result) Cause() string {
	return cmp.Or(r.Why, fmt.Sprintf("expected %s, found %s", r.Expected, r.Found))
}

func (r Result) String() string { return fmt.Sprintf("%s: %s: %s", r.Name(), r.Status, r.Cause()) }

// Count returns the number of results with a status.
func (run *Run) Count(status Status) (n int) {
	for _, r := range run.Results {
		if r.Status == status {
			n++
		}
	}
	return n
}

// difference is what a response should have, and what it has instead.
type difference struct {
	status          Status // Differs or Otherwise
	about           string // a member or a header; all differences about it have the same cause
	expected, found string
}

// statuses is the difference of two statuses.
func statuses(status Status, expected, found int) difference {
	return difference{status, "", fmt.Sprintf("status %d", expected), fmt.Sprintf("status %d", found)}
}

// result returns the result of a rule.
func (v testCase) result(status Status) Result {
	return Result{Method: v.method, Route: v.route, Rule: v.name, Status: status, Accepted: v.status > 0 && v.status < http.StatusBadRequest}
}

// judged adds the result of a rule: what differs, or why it could not be judged.
func (run *Run) judged(v testCase, differences []difference, err error) {
	switch {
	case err != nil:
		run.notTried(v, true, err.Error())
	case len(differences) == 0:
		run.Results = append(run.Results, v.result(Agrees))
	default:
		for _, d := range differences {
			run.differs(v, d)
		}
	}
}

// holds adds the result of a rule: it holds, or a response differs.
func (run *Run) holds(v testCase, holds bool, d difference) {
	if holds {
		run.judged(v, nil, nil)
	} else {
		run.differs(v, d)
	}
}

func (run *Run) differs(v testCase, d difference) {
	cause := cmp.Or(d.about, fmt.Sprint(d.status, d.expected, d.found))
	run.add(v, cause, Result{Rule: d.about, Status: d.status, Expected: d.expected, Found: run.names(d.found), Request: run.curl(v)})
}

func (run *Run) notTried(v testCase, open bool, why string) {
	run.add(v, why, Result{Status: NotTried, Why: why, Open: open})
}

// add adds a rule to the result of a cause, which shows the first of the most serious
// differences. Texts of the service are escaped.
func (run *Run) add(v testCase, cause string, result Result) {
	i, known := run.causes[cause]
	if !known {
		i = len(run.Results)
		run.causes[cause] = i
		run.Results = append(run.Results, Result{})
	}
	r := &run.Results[i]
	result.Rules, result.Open = r.Rules, r.Open || result.Open
	if r.Open = result.Open; !known || result.Status == Differs && r.Status == Otherwise {
		result.Method, result.Route, result.Rule = v.method, v.route, problem.Escape(cmp.Or(result.Rule, v.name))
		result.Expected, result.Found, result.Why = problem.Escape(result.Expected), problem.Escape(result.Found), problem.Escape(result.Why)
		*r = result
	}
	if rule := v.result(result.Status).Name(); !slices.Contains(r.Rules, rule) {
		r.Rules = append(r.Rules, rule)
	}
}

// isDocumented reports whether the API documentation describes an operation. It only
// refers to the kinds with the tag Parents, and shows only the POST of tunnel groups.
func (run *Run) isDocumented(v testCase) bool {
	operation := run.config.Document.Paths.Value(v.route).GetOperation(v.method)
	isParent := operation != nil && slices.Contains(operation.Tags, "Parents")
	return !isParent && (v.method == http.MethodPost || !strings.HasPrefix(v.route, "/backends/tunnel_group"))
}

// stated are the values of fields of which the API documentation says that requests with
// them succeed, by their variant.
var stated = []string{"two elements", "allowed value", "timestamp", "as long as allowed"}

// optional are the fields that the API documentation calls optional or gives a default.
var optional = []string{"description", "metadata", "acl", "owner_id", "principals", "valid_after", "valid_until", "enabled", "outbound"}

// isStated reports whether the API documentation says that a request with a variant of a
// field succeeds. It says nothing about null, empty values, members of responses in
// requests, and limits of kinds that it does not describe.
func (run *Run) isStated(v testCase, what string, where place) bool {
	switch {
	case !run.isDocumented(v), what == "as long as allowed" && strings.HasPrefix(v.route, "/backends/"):
		return false
	case what == "missing":
		return slices.Contains(optional, string(where))
	}
	return slices.Contains(stated, what)
}

// names returns a text with names of variables instead of the address and the keys.
func (run *Run) names(text string) string { return strings.NewReplacer(run.named...).Replace(text) }

// maxCurl is the maximum length of a body in a curl command.
const maxCurl = 300

// curl returns the request of a variant as a command. It contains no key.
func (run *Run) curl(v testCase) string {
	r, content, err := run.request(v)
	if err != nil || v.path == "" {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "curl -i -X %s \"%s\"", v.method, run.names(r.URL.String()))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintf(&text, " -H \"%s: %s\"", name, run.names(r.Header.Get(name)))
	}
	if v.body != nil {
		if len(content) > maxCurl {
			content = content[:maxCurl] + "..."
		}
		text.WriteString(" -d '" + strings.ReplaceAll(content, "'", `'\''`) + "'")
	}
	return problem.Escape(text.String())
}
