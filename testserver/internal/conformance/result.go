package conformance

import "fmt"

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

// Result is what a variant of a request showed.
type Result struct {
	Method   string `json:"method"`
	Route    string `json:"route"`
	Rule     string `json:"rule"`
	Status   Status `json:"status"`
	Expected string `json:"expected,omitempty"`
	Found    string `json:"found,omitempty"`
	Why      string `json:"why,omitempty"` // if it was not tried
	Open     bool   `json:"-"`             // it was not tried although it could have been
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
	if result.Status == Differs || result.Status == Otherwise {
		run.differences++
	}
	run.Results = append(run.Results, result)
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
