package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// noRight ends the expectation of a request that a key must not send.
const noRight = ", because the key has no such right"

// everywhere checks a rule of every response.
func (run *Run) everywhere(v testCase, isBroken bool, d difference) {
	run.general[d.about] = true
	if isBroken {
		v.name = d.about
		run.differs(v, d)
	}
}

// observe checks what every response has in common.
func (run *Run) observe(v testCase, got answer) {
	shows := func(secret string) bool {
		return len(secret) >= minSecret && (bytes.Contains(got.raw, []byte(secret)) || strings.Contains(fmt.Sprint(got.header), secret))
	}
	kind := got.header.Get("Content-Type")
	media, _, _ := strings.Cut(kind, ";")
	isJSON := got.body == nil || strings.EqualFold(strings.TrimSpace(media), mediaType)
	code, isNumber := got.body["status_code"].(float64)
	isOther := isNumber && got.status >= http.StatusBadRequest && int(code) != got.status
	isKey := shows(run.config.Key) || shows(run.config.ReadOnlyKey)
	isPrivate := shows(strings.Split(run.key, "\n")[1])
	noID := got.header.Get("Tunnel-Operation-Id") == ""
	run.everywhere(v, noID, difference{Otherwise, "header Tunnel-Operation-Id", "a header Tunnel-Operation-Id", "none"})
	run.everywhere(v, !isJSON, difference{Otherwise, "header Content-Type", "Content-Type application/json", fmt.Sprintf("%q", cut(kind))})
	run.everywhere(v, isOther, difference{
		Otherwise, "status_code of an error is that of the response", fmt.Sprintf("status_code %d", got.status), fmt.Sprint(code),
	})
	run.everywhere(v, isKey, difference{Differs, "no API key in a response", "a response without the API key", "the API key"})
	run.everywhere(v, isPrivate, difference{Differs, "no private key in a response", "a response without the private key", "a part of it"})
	run.everywhere(v, shows(run.secret()), difference{
		Differs, "no secret of an event destination in a response", "a response without the secret that was sent", "the secret",
	})
	run.everywhere(v, run.showsToken(v, got), difference{
		Differs, "no token but in the response to the creation", "a token in the response to the creation only", "a token",
	})
}

// minSecret is the minimum length of a secret that is looked for in responses.
const minSecret = 8

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
	for _, rule := range slices.Sorted(maps.Keys(run.general)) {
		if _, broken := run.causes[rule]; !broken {
			run.judged(testCase{name: rule, route: "every response"}, nil, nil)
		}
	}
}
