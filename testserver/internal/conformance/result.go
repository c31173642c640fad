package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
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
	Method   string `json:"method"`
	Route    string `json:"route"`
	Rule     string `json:"rule"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Why      string `json:"why,omitempty"`     // if it was not tried
	Source   Source `json:"source,omitempty"`  // where the expectation comes from
	Request  string `json:"request,omitempty"` // of a difference, as a curl command
	Open     bool   `json:"-"`                 // it was not tried although it could have been
}

func (r Result) String() string {
	text := fmt.Sprintf("%s %s, %s: %s", r.Method, r.Route, r.Rule, r.Status)
	switch r.Status {
	case Differs, Otherwise:
		text += fmt.Sprintf(": expected %s, found %s", r.Expected, r.Found)
	case NotTried:
		text += ": " + r.Why
	}
	return text
}

// difference is what a response should have, and what it has instead.
type difference struct {
	expected, found string
	status          Status // Differs or Otherwise
}

func differs(expected, found string) *difference   { return &difference{expected, found, Differs} }
func otherwise(expected, found string) *difference { return &difference{expected, found, Otherwise} }

// report adds a result of a variant.
func (run *Run) report(v testCase, result Result) {
	result.Method, result.Route, result.Rule = v.method, v.route, v.name
	if result.Source == "" {
		result.Source = run.source(v)
	}
	if result.Status == Differs || result.Status == Otherwise {
		run.differences++
		if result.Request == "" {
			result.Request = run.curl(v)
		}
		if run.config.StopAtFirst && run.stopped == nil {
			run.stopped = errFirst
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
		run.report(v, Result{Status: d.status, Expected: d.expected, Found: d.found})
	}
}

// source returns where the expectation of a variant comes from.
func (run *Run) source(v testCase) Source {
	if v.status >= http.StatusBadRequest || v.kept != "" {
		return OpenPoint
	}
	item := run.config.Document.Paths.Value(v.route)
	if item == nil || item.GetOperation(v.method) == nil || !slices.Contains(item.GetOperation(v.method).Tags, "Parents") {
		return Contract
	}
	return Extension
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
		if name == "Accept-Encoding" {
			continue
		}
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

// Differences returns the results that differ from openapi.yaml.
func (run *Run) Differences() []Result {
	var all []Result
	for _, result := range run.Results {
		if result.Status == Differs || result.Status == Otherwise {
			all = append(all, result)
		}
	}
	return all
}

// Variants returns the number of variants of each route.
func (run *Run) Variants() map[string]int {
	count := map[string]int{}
	for _, result := range run.Results {
		count[result.Route]++
	}
	return count
}

// Used returns the paths of the collections in which the run may have made objects.
func (run *Run) Used() map[string]bool { return run.used }

// Lost reports whether an object may exist that only its mark can find.
func (run *Run) Lost() bool { return run.lost }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
