package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Names of the rules for what a service does not have.
const (
	notOffered   = "the service offers the kind"
	noModule     = "the service offers the module"
	noOperation  = "the service offers the operation"
	notOfferedIs = "not offered (status %d), so its rules were not tried"
)

// isAbsent reports whether a route belongs to a kind or a module that the service does
// not have. It asks once for each, and adds one result if it is absent.
func (run *Run) isAbsent(route string) bool {
	v := testCase{name: notOffered, method: http.MethodPost, route: rootOf(route)}
	if item := run.config.Document.Paths.Value(route); item.Put != nil && run.isModule(route) {
		if run.isAbsent(v.route) {
			return true
		}
		v = testCase{name: noModule, method: http.MethodPut, route: route}
	}
	if absent, known := run.absent[v.route]; known {
		return absent
	}
	run.absent[v.route] = false
	var err error
	if v.path, err = run.Path(v.route); err == nil { // otherwise, the operations say why
		run.absent[v.route] = run.isMissing(v)
	}
	return run.absent[v.route]
}

// isWanted reports whether a run is incomplete without an operation: the documentation
// describes it, or the user has asked for the kind.
func (run *Run) isWanted(v testCase) bool {
	return run.config.Only != nil || run.source(v) == Contract
}

// isMissing reports whether the service does not have an operation, and adds one result
// if so. The request changes nothing.
func (run *Run) isMissing(v testCase) bool {
	switch v.method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		v.body, v.change = "{", nil // which no service can accept
	case http.MethodDelete:
		v.path = pathParameter.ReplaceAllString(v.route, "unknown.v0")
	}
	got, err := run.exchange(v)
	isUnset := got.status == http.StatusNotFound && (v.method == http.MethodDelete || run.isModule(v.route) && v.method == http.MethodGet)
	if err != nil || isUnset || !slices.Contains(unknownPath, got.status) {
		return false
	}
	run.notTried(v, run.isWanted(v), fmt.Sprintf(notOfferedIs, got.status))
	return true
}

// unknownPath are the statuses of a path or a method that a service does not have.
var unknownPath = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented}

// A service that lacks one member of a request refuses all requests with it. What
// details.field names is omitted from the requests of that operation and tried again, so
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
			d := statuses(Differs, v.status, got.status)
			d.expected += " for a request with " + name
			run.judged(v, []difference{d}, nil)
			continue
		}
		const why = "the service refuses %s (status %d), so it was omitted, and its rules were not tried"
		run.notTried(v, run.isWanted(v), fmt.Sprintf(why, name, got.status))
	}
}

// lacks reports whether a member was omitted from requests that make or change objects of
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
