package conformance

import (
	"fmt"
	"net/http"
)

// Names of the rules for what a service does not have.
const (
	notOffered   = "the service offers the kind"
	noModule     = "the service offers the module"
	noOperation  = "the service offers the operation"
	notOfferedIs = "not offered: %s %s has status %d, so its rules were not tried"
)

// isAbsent reports whether a route belongs to a kind or a module that the service does
// not have. It asks once for each, and adds one result if it is absent.
func (run *Run) isAbsent(route string) bool {
	item := run.config.Document.Paths.Value(route)
	if item.Put != nil && run.isModule(route) {
		return run.isAbsent(rootOf(route)) || run.lacksModule(route)
	}
	root := rootOf(route)
	if absent, known := run.absent[root]; known {
		return absent
	}
	run.absent[root] = false
	if item = run.config.Document.Paths.Value(root); item == nil || item.Get == nil || item.Post == nil {
		return false
	}
	v := testCase{name: notOffered, method: http.MethodGet, route: root, path: root, status: http.StatusOK}
	lists, err := run.exchange(v)
	if err != nil || !unknownPath(lists.status) {
		return false
	}
	v.method, v.body = http.MethodPost, "{" // which no service can accept
	creates, err := run.exchange(v)
	if err != nil || !unknownPath(creates.status) {
		return false
	}
	run.absent[root] = true
	v.method, v.body = http.MethodGet, nil
	run.notTried(v, run.isWanted(v), fmt.Sprintf(notOfferedIs, v.method, root, lists.status))
	return true
}

// isWanted reports whether a run is incomplete without an operation: the documentation
// describes it, or the user has asked for the kind.
func (run *Run) isWanted(v testCase) bool {
	return run.config.Only != nil || run.source(v) == Contract
}

// lacksModule reports whether the service does not have a module. It asks once.
func (run *Run) lacksModule(route string) bool {
	if missing, known := run.absent[route]; known {
		return missing
	}
	run.absent[route] = false
	path, err := run.Path(route)
	if err != nil {
		return false // the operations say why
	}
	run.absent[route] = run.isMissing(testCase{name: noModule, method: http.MethodPut, route: route, path: path, status: http.StatusOK})
	return run.absent[route]
}

// isMissing reports whether the service does not have an operation, and adds one result
// if so. The request changes nothing.
func (run *Run) isMissing(v testCase) bool {
	switch v.method {
	case http.MethodPost, http.MethodPut, http.MethodPatch:
		v.body, v.change = "{", nil // which no service can accept
	case http.MethodDelete:
		v.path = replaceParameters(v.route, "unknown.v0")
	}
	got, err := run.exchange(v)
	isUnset := got.status == http.StatusNotFound && (v.method == http.MethodDelete || run.isModule(v.route) && v.method == http.MethodGet)
	if err != nil || isUnset || !unknownPath(got.status) {
		return false
	}
	run.notTried(v, run.isWanted(v), fmt.Sprintf(notOfferedIs, v.method, v.route, got.status))
	return true
}

func unknownPath(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return false
}
