package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The rules of every response. Each one is a single result.
const (
	ruleOperation = "header Tunnel-Operation-Id"
	ruleType      = "header Content-Type"
	ruleSecret    = "no API key in a response"
	rulePrivate   = "no private key in a response"
	ruleTarget    = "no secret of an event destination in a response"
	ruleToken     = "no token but in the response to the creation"
	ruleStatus    = "status_code of an error is that of the response"
	ruleError     = "body of an error"
	ruleField     = "details.field of an error"
	ruleRights    = "rights: "
)

// NoRight ends the expectation of a request that a key must not send.
const NoRight = ", because the key has no such right"

const everyRoute = "every response"

var generalRules = []string{
	ruleOperation, ruleType, ruleSecret, rulePrivate, ruleTarget, ruleToken, ruleStatus, ruleError, ruleField,
}

// observe checks what every response has in common.
func (run *Run) observe(v testCase, got answer) {
	breaks := func(isBroken bool, status Status, rule, expected, found string) {
		if isBroken {
			run.differs(v, difference{status, rule, expected, found})
		}
	}
	shows := func(secret string) bool {
		return len(secret) >= minSecret && (bytes.Contains(got.raw, []byte(secret)) || strings.Contains(fmt.Sprint(got.header), secret))
	}
	kind := got.header.Get("Content-Type")
	media, _, _ := strings.Cut(kind, ";")
	isJSON := got.body == nil || strings.EqualFold(strings.TrimSpace(media), mediaType)
	code, isNumber := got.body["status_code"].(float64)
	isOther := isNumber && got.status >= http.StatusBadRequest && int(code) != got.status
	isKey := shows(run.config.Key) || shows(run.config.ReadOnlyKey)
	breaks(got.header.Get("Tunnel-Operation-Id") == "", Otherwise, ruleOperation, "a header Tunnel-Operation-Id", "none")
	breaks(!isJSON, Otherwise, ruleType, "Content-Type application/json", fmt.Sprintf("%q", cut(kind)))
	breaks(isOther, Otherwise, ruleStatus, fmt.Sprintf("status_code %d", got.status), fmt.Sprint(code))
	breaks(shows(secretOf(v.body)), Differs, rulePrivate, "a response without the private key that was sent", "a part of it")
	breaks(shows(run.secret()), Differs, ruleTarget, "a response without the secret that was sent", "the secret")
	breaks(run.showsToken(v, got), Differs, ruleToken, "a token in the response to the creation only", "a token")
	breaks(isKey, Differs, ruleSecret, "a response without the API key", "the API key")
}

// minSecret is the minimum length of a secret that is looked for in responses.
const minSecret = 8

// secretOf returns a line of the private key in a request.
func secretOf(body any) string {
	members, _ := body.(map[string]any)
	for line := range strings.SplitSeq(text(members["private_key_pem"]), "\n") {
		if len(line) >= 40 && !strings.Contains(line, "---") {
			return line
		}
	}
	return ""
}

// shownOnce is the secret that only the response to a creation shows. It is never
// printed.
const shownOnce = "token"

// hasToken reports whether the document shows a token in the response to a creation.
func (run *Run) hasToken(route string) bool {
	item := run.config.Document.Paths.Value(rootOf(route))
	return item != nil && item.Post != nil &&
		run.config.Document.Response(rootOf(route), http.MethodPost, success(item.Post)).Value.Properties[shownOnce] != nil
}

// showsToken reports whether a response shows a token, although it is not the one to the
// creation: that of an object, or a list.
func (run *Run) showsToken(v testCase, got answer) bool {
	isCreation := v.method == http.MethodPost && got.status < http.StatusMultipleChoices
	if isCreation || got.body == nil || !run.hasToken(v.route) {
		return false
	}
	tokens := []any{got.body[shownOnce]}
	for _, value := range got.body {
		tokens = append(tokens, each(value, shownOnce)...)
	}
	return slices.ContainsFunc(tokens, func(token any) bool { return !isEmpty(token) })
}

// reportGeneral adds a result for each rule of every response that none breaks.
func (run *Run) reportGeneral() {
	for _, rule := range generalRules {
		if _, broken := run.differing[rule]; !broken && run.Requests > 0 {
			run.report(testCase{name: rule, route: everyRoute}, Result{Status: Agrees})
		}
	}
}
