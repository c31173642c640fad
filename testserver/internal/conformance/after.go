package conformance

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
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
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	d, holds := differs(statuses(status, got.status)), isKey
	if status != http.StatusOK {
		d.expected, holds = d.expected+NoRight, isNone
	}
	s.run.holds(v, holds, d)
}

// made checks that an object still has the time of its creation after all updates. An
// update right after the creation can be in the same second.
func (s *story) made(one *actor) {
	v := s.rule("created_at of the creation", http.MethodGet, s.item, one.path)
	was, its := one.answer["created_at"], one.body["created_at"]
	d := differs("created_at of the creation, "+cut(asJSON(was)), cut(asJSON(its))).about("created_at", "")
	s.run.holds(v, was == nil || s.run.stored("created_at", was, its) != Differs, d)
}

// usedAgain makes an object with a value that is unique and was that of a deleted one, as
// a replacement does.
func (s *story) usedAgain(deleted *actor) {
	for _, name := range []string{"public_key", "domain", "match"} {
		value := deleted.sent[name]
		if value == nil {
			continue
		}
		v := testCase{name: "the " + name + " of a deleted object", method: http.MethodPost, route: s.route, path: s.path}
		members := s.run.smallestOf(s.route)
		members[name] = value
		v.input, v.body, v.status, v.mayRefuse = s.run.input(s.route, http.MethodPost), members, http.StatusCreated, true
		s.run.send(v)
	}
}

// routes checks that an edge shows its routes.
func (s *story) routes() {
	const edge = "/edges/https/{id}"
	if s.route != "/edges/https/{edge_id}/routes" {
		return
	}
	v := s.rule("its routes", http.MethodGet, edge, strings.TrimSuffix(s.path, "/routes"))
	its, err := s.run.read(v.path, edge)
	shown := list(each(its["routes"], "id"))
	var d *difference
	for _, one := range s.objects {
		if !slices.Contains(shown, asJSON(one.id)) {
			d = differs("an edge that shows each route", problem.Count(len(shown), "route")+" of 3")
		}
	}
	s.run.judged(v, d, err)
}
