package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// notOffered is the name of the rule for a kind that a service does not have.
const notOffered = "the service offers the kind"

// isAbsent reports whether a route belongs to a kind that the service does not have. It
// asks once for each kind, and adds one result if it is absent.
func (run *Run) isAbsent(route string) bool {
	root, _, _ := strings.Cut(route, "/{")
	if absent, known := run.absent[root]; known {
		return absent
	}
	run.absent[root] = false
	item := run.config.Document.Paths.Value(root)
	if item == nil || item.Get == nil || item.Post == nil {
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
	described := !slices.Contains(item.Get.Tags, "Parents")
	why := fmt.Sprintf("not offered: the list has status %d, so its rules were not tried", lists.status)
	run.notTried(v, described && run.config.Only == nil || run.config.Only != nil, why)
	return true
}

func unknownPath(status int) bool {
	return status == http.StatusNotFound || status == http.StatusNotImplemented || status == http.StatusGone
}
