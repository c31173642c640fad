package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// hardTexts are texts that services change: trimmed, escaped, normalized, cut or
// reformatted. Each one is added to the mark.
var hardTexts = []struct{ name, text string }{
	{"spaces around", "  %s  "},
	{"line ends", "%s\r\na\rb\n\n"},
	{"HTML", "<b>%s</b> & \"a\" 'b' &amp; \\ /"},
	{"combining characters", "%s e\u0301 \u212b \ufb01"},
	{"JSON", `{"b": 1.0, "a":[ ],"mark":"%s","n":12345678901234567890}`},
	{"NUL", "%s\x00end"},
}

// setting returns a request that sets a field: an update, or a creation if no update can.
// It reports false if neither can.
func (s *story) setting(field string, value any) (v testCase, ok bool) {
	create, update := s.run.input(s.route, http.MethodPost), s.patch()
	switch {
	case update != nil && update.fields[field] != nil:
		v = testCase{method: http.MethodPatch, route: s.item, path: s.objects[1].path, status: http.StatusOK, input: update}
		v.body = map[string]any{field: value}
	case create.fields[field] != nil:
		v = testCase{method: http.MethodPost, route: s.route, path: s.path, status: http.StatusCreated, input: create}
		members := s.run.smallestOf(s.route)
		members[field] = value
		v.body = members
	default:
		return v, false
	}
	return v, true
}

// texts checks that free texts come back as they were sent.
func (s *story) texts() {
	for _, field := range []string{"description", "metadata", "name", "body"} {
		for _, hard := range hardTexts {
			value := fmt.Sprintf(hard.text, s.run.config.Mark)
			if v, ok := s.setting(field, value); ok {
				v.name, v.mayRefuse = field+" with "+hard.name, strings.Contains(value, "\x00")
				s.run.send(v)
			}
		}
	}
	_ = s.read(s.objects[1])
}

// hardValues are values of fields that services change: sorted, made unique, cut after
// the first, in another case, or added to what was there.
var hardValues = map[string][]any{
	"labels": {
		map[string]any{"Key": "Value", "other": "X y"}, map[string]any{"empty": " v ", "A.b/c": "\u00e9", "\tk": ""},
	},
	"headers":     {map[string]any{"x-one": "One, two", "x-two": " b"}, map[string]any{"x-three": ""}},
	"acl":         {[]any{"bind:b.example.com", "bind:A.example.com", "bind:b.example.com"}, []any{"bind:*", "*"}, []any{"bind:k=*"}},
	"hostports":   {[]any{"b.example.com:443", "A.example.com:443"}, []any{"c.example.com:443"}},
	"principals":  {[]any{"b.example.com", "A.example.com", "b.example.com", "2001:0db8::1"}},
	"status_code": {404.0, 100.0, 599.0},
	"sources": {
		[]any{map[string]any{"type": "tls_certificate_created.v0"}, map[string]any{"type": "domain_created.v0"}},
		[]any{map[string]any{"type": "domain_deleted.v0"}},
	},
	"policy":   {map[string]any{"enabled": false, "inbound": hardRules, "outbound": []any{hardRules[2]}}, map[string]any{"inbound": []any{}}},
	"inbound":  {hardRules, []any{}},
	"outbound": {[]any{hardRules[2]}},
	"active":   {false},
	"enabled":  {false},
}

// hardRules are rules with equal names and in an order that no sort keeps.
var hardRules = []any{
	map[string]any{"name": "z", "expressions": []any{"a == 'x'", "b"}, "actions": []any{
		map[string]any{"type": "log", "config": map[string]any{"metadata": map[string]any{"B": 1.0, "a": []any{"x", 2.5, true}}}},
		map[string]any{"type": "restrict-ips", "config": map[string]any{"allow": []any{"10.0.0.0/8"}}},
	}},
	map[string]any{"name": "z", "expressions": []any{}, "actions": []any{map[string]any{"type": "deny"}}},
	map[string]any{"name": "a", "expressions": []any{"true"}, "actions": []any{
		map[string]any{"type": "log", "config": map[string]any{"metadata": map[string]any{"c": "d"}}},
	}},
}

// values checks that fields which are no texts come back as they were sent.
func (s *story) values() {
	for _, field := range slices.Sorted(maps.Keys(hardValues)) {
		for _, value := range hardValues[field] {
			if v, ok := s.setting(field, clone(value)); ok {
				v.name = field + " " + cut(asJSON(value))
				v.mayRefuse = true // the API documentation does not show these values
				s.run.send(v)
			}
		}
	}
	s.children(s.patch())
	if s.read(s.objects[1]) == nil {
		s.listed("list after other values")
	}
}

// children checks the order of the backends of a failover backend.
func (s *story) children(update *shape) {
	if update == nil || update.fields["backends"] == nil {
		return
	}
	a, b := s.objects[0].id, s.objects[2].id
	for _, order := range [][]any{{b, a}, {}, {a, b}} {
		name := "backends " + problem.Count(len(order), "child")
		s.run.send(testCase{name: name, method: http.MethodPatch, route: s.item, path: s.objects[1].path,
			input: update, status: http.StatusOK, body: map[string]any{"backends": order}})
	}
}
