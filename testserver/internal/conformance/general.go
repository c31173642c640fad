package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// The rules of every response. One decision of a service can break them in thousands of
// responses, so each one is a single result, and the other rules are judged without it.
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

var generalRules = []string{
	ruleOperation, ruleType, ruleSecret, rulePrivate, ruleTarget, ruleToken, ruleStatus, ruleError, ruleField,
}

// broken is a rule of every response that some responses break.
type broken struct {
	first *difference
	v     testCase // the first request
	count int
}

// general counts a response that breaks a rule of every response.
func (run *Run) general(rule string, d *difference, v testCase) {
	if run.broken[rule] == nil {
		run.broken[rule] = &broken{first: d, v: v}
	}
	run.broken[rule].count++
}

// observe checks what every response has in common.
func (run *Run) observe(v testCase, got answer) {
	if got.header.Get("Tunnel-Operation-Id") == "" {
		run.general(ruleOperation, otherwise("a header Tunnel-Operation-Id", "none"), v)
	}
	kind := got.header.Get("Content-Type")
	if media, _, _ := strings.Cut(kind, ";"); got.body != nil && !strings.EqualFold(strings.TrimSpace(media), mediaType) {
		run.general(ruleType, otherwise("Content-Type application/json", fmt.Sprintf("%q", cut(kind))), v)
	}
	if code, isNumber := got.body["status_code"].(float64); isNumber && got.status >= http.StatusBadRequest && int(code) != got.status {
		run.general(ruleStatus, otherwise(fmt.Sprintf("status_code %d", got.status), fmt.Sprint(code)), v)
	}
	if secret := secretOf(v.body); secret != "" && bytes.Contains(got.raw, []byte(secret)) {
		run.general(rulePrivate, differs("a response without the private key that was sent", "a part of it"), v)
	}
	if bytes.Contains(got.raw, []byte(run.secret())) {
		run.general(ruleTarget, differs("a response without the secret that was sent", "the secret"), v)
	}
	if run.showsToken(v, got) {
		run.general(ruleToken, differs("a token in the response to the creation only", "a token"), v)
	}
	for _, key := range []string{run.config.Key, run.config.ReadOnlyKey} {
		if key == "" || len(key) < minSecret {
			continue
		}
		if bytes.Contains(got.raw, []byte(key)) || strings.Contains(fmt.Sprint(got.header), key) {
			run.general(ruleSecret, differs("a response without the API key", "the API key"), v)
		}
	}
}

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

// minSecret is the minimum length of a key that is looked for in responses.
const minSecret = 8

// reportGeneral adds a result for each rule of every response.
func (run *Run) reportGeneral() {
	if run.Requests == 0 {
		return
	}
	for _, rule := range generalRules {
		b := run.broken[rule]
		if b == nil {
			run.report(testCase{name: rule, route: everyRoute}, Result{Status: Agrees, Source: OpenPoint})
			continue
		}
		run.report(testCase{name: rule, route: everyRoute}, Result{
			Status: b.first.status, Expected: b.first.expected, Found: b.first.found, Source: OpenPoint, Request: run.curl(b.v),
			Times: b.count, First: b.v.method + " " + b.v.route,
		})
	}
}

const everyRoute = "every response"
