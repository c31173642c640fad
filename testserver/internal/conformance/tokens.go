package conformance

import (
	"fmt"
	"net/http"
	"slices"
)

// shownOnce is the secret that only the response to a creation shows. It is never
// printed.
const shownOnce = "token"

// hasToken reports whether the document shows a token in the response to a creation.
func (run *Run) hasToken(route string) bool {
	item := run.config.Document.Paths.Value(rootOf(route))
	if item == nil || item.Post == nil {
		return false
	}
	return run.config.Document.Response(rootOf(route), http.MethodPost, success(item.Post)).Value.Properties[shownOnce] != nil
}

// showsToken reports whether a response shows a token, although it is not the one to the
// creation: that of an object, or a list.
func (run *Run) showsToken(v testCase, got answer) bool {
	isCreation := v.method == http.MethodPost && got.status < http.StatusMultipleChoices
	if isCreation || got.body == nil || !run.hasToken(v.route) {
		return false
	}
	objects := []any{got.body}
	for _, value := range got.body {
		elements, _ := value.([]any)
		objects = append(objects, elements...)
	}
	return slices.ContainsFunc(objects, func(one any) bool {
		members, _ := one.(map[string]any)
		return !isEmpty(members[shownOnce])
	})
}

// tokens checks that each API key has a token of its own, and that it is a key.
func (s *story) tokens() {
	if !s.run.hasToken(s.route) {
		return
	}
	v := testCase{name: "a token of its own", method: http.MethodPost, route: s.route, path: s.path, status: http.StatusCreated}
	seen := map[string]bool{}
	var d *difference
	for _, one := range s.objects {
		token := text(one.answer[shownOnce])
		switch {
		case token == "":
			d = differs("a token in the response to the creation", "none")
		case seen[token]:
			d = differs("another token for each object", "the same twice")
		}
		seen[token] = true
	}
	s.run.judged(v, d, nil)
	s.useToken("its token is a key", s.objects[0], http.StatusOK)
}

// useToken sends a request with the token of an object, which is a key or is none, and
// compares the response with that to a key that nobody has.
func (s *story) useToken(name string, one *actor, status int) {
	token := text(one.answer[shownOnce])
	if token == "" {
		return
	}
	v := testCase{name: name, method: http.MethodGet, route: s.route, path: s.path, status: status}
	as := func(key string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
	}
	v.change = as(token)
	got, err := s.run.exchange(v)
	v.change = as("$TOKEN") // as the report shows it
	unknown := answer{}
	if err == nil && got.status != http.StatusOK {
		unknown, err = s.run.exchange(testCase{method: v.method, route: v.route, path: v.path, change: as("unknown")})
	}
	isNone := got.status == unknown.status || got.status == http.StatusUnauthorized
	isKey := got.status == http.StatusOK || got.status == http.StatusForbidden && !isNone // without this right
	var d *difference
	if status == http.StatusOK && !isKey || status != http.StatusOK && !isNone {
		d = differs(fmt.Sprintf("status %d", status), fmt.Sprintf("status %d", got.status))
	}
	if d != nil && status != http.StatusOK {
		d.expected += NoRight
	}
	s.run.judged(v, d, err)
}
