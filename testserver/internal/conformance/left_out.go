package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// A service that lacks one member of a request refuses all requests with it. What
// details.field names is left out of the requests of that operation and tried again, so
// that the other rules are judged.

// withoutRefused sends a valid body, leaves out each optional member that the service
// refuses by its name, and says so. It changes the shape of the requests that follow.
func (run *Run) withoutRefused(good testCase, content func() any) {
	for range good.input.fields {
		v := good
		v.name, v.body = "", content()
		if run.lack != nil {
			run.lack = nil // the rules say so
			return
		}
		got, err := run.exchange(v)
		if path := run.created(v, got); path != "" {
			run.discard(path)
		}
		name, _, _ := strings.Cut(strings.ReplaceAll(got.field(), "[", "."), ".")
		_, sent := v.body.(map[string]any)[name]
		isRefusal := got.status >= http.StatusBadRequest && got.status < http.StatusInternalServerError
		if err != nil || !isRefusal || !sent || slices.Contains(good.input.required, name) {
			return
		}
		if run.leftOut[v.method+" "+v.route] == nil {
			run.leftOut[v.method+" "+v.route] = map[string]bool{}
		}
		run.leftOut[v.method+" "+v.route][name] = true
		delete(good.input.fields, name)
		v.name = "the service accepts " + name
		if run.source(v) == Contract {
			run.judged(v, differs(fmt.Sprintf("status %d for a request with %s", v.status, name), fmt.Sprintf("status %d", got.status)), nil)
			continue
		}
		const why = "the service refuses %s (status %d), so it was left out, and its rules were not tried"
		run.notTried(v, run.isWanted(v), fmt.Sprintf(why, name, got.status))
	}
}

// lacks reports whether a member was left out of requests that make or change objects of
// the kind, so that responses need not show it.
func (run *Run) lacks(route, name string) bool {
	for operation, names := range run.leftOut {
		_, its, _ := strings.Cut(operation, " ")
		if names[name] && rootOf(its) == rootOf(route) {
			return true
		}
	}
	return false
}
