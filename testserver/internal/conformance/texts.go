package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

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
}

// hardRules are rules with equal names and in an order that no sort keeps.
var hardRules = []any{
	map[string]any{"name": "z", "expressions": []any{"a == 'x'", "b"}, "actions": []any{
		map[string]any{"type": "log", "config": map[string]any{"metadata": map[string]any{"B": 1.0, "a": []any{"x", 2.5, true}}}},
		map[string]any{"type": "restrict-ips", "config": map[string]any{"allow": []any{"10.0.0.0/8"}}},
	}},
	map[string]any{"name": "z", "actions": []any{map[string]any{"type": "deny"}}},
	map[string]any{"name": "a", "actions": []any{map[string]any{"type": "deny"}}},
}

// texts checks that texts and other values come back as they were sent: by an update, or
// by a creation if no update can set them. The API documentation does not show the values
// that are no texts, nor NUL.
func (s *story) texts() {
	create, update := s.run.input(s.route, http.MethodPost), s.patch()
	set := func(field, name string, value any, mayRefuse bool) {
		switch {
		case update != nil && update.Fields[field] != nil:
			v := s.rule(name, http.MethodPatch, s.item, s.objects[1].path)
			v.body, v.input, v.mayRefuse = map[string]any{field: value}, update, mayRefuse
			s.run.send(v)
		case create.Fields[field] != nil:
			s.post(name, field, value, http.StatusCreated, mayRefuse)
		}
	}
	for _, field := range []string{"description", "metadata", "name", "body"} {
		for _, hard := range hardTexts {
			set(field, field+" with "+hard.name, fmt.Sprintf(hard.text, s.run.config.Mark), hard.name == "NUL")
		}
	}
	for _, field := range slices.Sorted(maps.Keys(hardValues)) {
		for _, value := range hardValues[field] {
			set(field, field+" "+cut(asJSON(value)), clone(value), true)
		}
	}
	if update != nil && update.Fields["backends"] != nil { // of a failover backend
		a, b := s.objects[0].id, s.objects[2].id
		for _, order := range [][]any{{b, a}, {}, {a, b}} {
			set("backends", "backends "+problem.Count(len(order), "child"), order, false)
		}
	}
	if s.read(s.objects[1]) == nil {
		s.listed("list after other values", "")
	}
}
