package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// isAbsent reports whether a route belongs to a kind or a module that the service does
// not have. It asks once for each, and adds one result if it is absent.
func (run *Run) isAbsent(route string) bool {
	v := testCase{name: "the service offers the kind", method: http.MethodPost, route: rootOf(route)}
	if item := run.config.Document.Paths.Value(route); item.Put != nil && run.isModule(route) {
		if run.isAbsent(v.route) {
			return true
		}
		v = testCase{name: "the service offers the module", method: http.MethodPut, route: route}
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
	return run.config.Only != nil || run.isDocumented(v)
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
	run.notTried(v, run.isWanted(v), fmt.Sprintf("not offered (status %d), so its rules were not tried", got.status))
	return true
}

// unknownPath are the statuses of a path or a method that a service does not have.
var unknownPath = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented}

// withoutRefused sends a valid body, leaves out each optional member that the service
// refuses by its name, and says so, so that the other rules of the kind are judged.
func (run *Run) withoutRefused(good testCase, content func() any) {
	for range good.input.Fields {
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
		if err != nil || !isRefusal || !sent || slices.Contains(good.input.Required, name) {
			return
		}
		run.leftOut[rootOf(v.route)+" "+name] = true
		delete(good.input.Fields, name)
		v.name = "the service accepts " + name
		if run.isDocumented(v) {
			d := statuses(Differs, v.status, got.status)
			d.expected += " for a request with " + name
			run.differs(v, d)
		} else {
			const why = "the service refuses %s (status %d), so it was omitted, and its rules were not tried"
			run.notTried(v, run.isWanted(v), fmt.Sprintf(why, name, got.status))
		}
	}
}

// lacks reports whether a member is omitted from the requests of a kind, so that its
// responses need not show it.
func (run *Run) lacks(route, name string) bool {
	return run.leftOut[rootOf(route)+" "+name]
}
