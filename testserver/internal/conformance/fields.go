package conformance

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// fieldVariants sends the variants of a body. Each variant sets one value and defines the
// expected result.
type fieldVariants struct {
	run     *Run
	good    testCase
	content func() any
	create  bool
}

// fields sends the variants of a request body.
func (run *Run) fields(good testCase, content func() any) {
	v := &fieldVariants{run: run, good: good, content: content, create: good.method == http.MethodPost}
	v.object("", good.input)
	for name := range run.config.Document.Response(good.route, good.method, good.status).Value.Properties {
		if good.input.Fields[name] == nil && !run.lacks(good.route, name) {
			v.accept("null, which only responses contain", place(name), nil)
		}
	}
	for i, name := range parameters(good.route) {
		v.accept("as in the path", place(name), strings.Split(good.path, "/")[i])
		v.refuse("other than in the path", place(name), "other")
	}
}

// with sets another field for the next variants.
func (v *fieldVariants) with(where place, value any) {
	content := v.content
	v.content = func() any {
		body, _ := set(where.steps(), content(), clone(value))
		return body
	}
}

// accept adds a variant for each value that a service accepts.
func (v *fieldVariants) accept(what string, where place, values ...any) {
	for _, value := range values {
		v.add(what, where, value, "")
	}
}

// refuse adds a variant for each value that a service refuses.
func (v *fieldVariants) refuse(what string, where place, values ...any) {
	for _, value := range values {
		v.add(what, where, value, where)
	}
}

// add sends a variant. Without a field that is to blame, the request is accepted.
func (v *fieldVariants) add(what string, where place, value any, blamed place) {
	one, isTop := v.good, len(where.steps()) == 1
	body, ok := set(where.steps(), v.content(), value)
	one.name, one.body, one.mayRefuse = string(where)+" "+what, body, !v.run.isStated(v.good, what, where)
	switch {
	case !ok:
		v.run.notTried(one, true, "the service has no object that the field could refer to")
		return
	case blamed != "":
		one.status, one.field = http.StatusBadRequest, string(blamed)
	case isTop && one.method == http.MethodPatch && (what == "null" || what == "missing") && where != "backends":
		one.kept = string(where)
	}
	v.run.send(one)
}

// object adds the variants of an object with documented fields.
func (v *fieldVariants) object(where place, s *shape) {
	if s.Closed {
		v.refuse("unknown field", where.then("x_unknown"), 1, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Fields)) {
		if s.ExactlyOne { // an update cannot have another one than the object has
			if v.create {
				v.accept("alternative "+name, where, map[string]any{name: v.run.field(name, s.Fields[name])})
			}
			continue
		}
		field, at := s.Fields[name], where.then(name)
		before := v.content
		for other, value := range field.OnlyWith {
			v.with(where.then(other), absent{})
			v.refuse("without the field that it needs", at, v.run.value(field))
			v.with(where.then(other), value)
		}
		if field.NotWith != "" {
			if v.run.object(s)[field.NotWith] != nil { // not if it refers to a kind that the service lacks
				v.refuse("with the field that excludes it", at, v.run.value(field))
			}
			v.with(where.then(field.NotWith), absent{})
			v.with(at, v.run.value(field))
		}
		blamed := place("")
		if slices.Contains(s.Required, name) {
			blamed = at
		}
		missing := blamed
		if v.create && len(s.Fields) == 1 && where != "" && !strings.HasSuffix(string(where), "]") { // an empty object counts as absent
			missing = where[:max(0, strings.LastIndex(string(where), "."))]
		}
		v.add("missing", at, absent{}, missing)
		if field.allows("null") {
			v.accept("null", at, nil)
		} else {
			v.refuse("null", at, nil)
		}
		v.empty(at, field, blamed)
		v.value(at, field)
		v.content = before
	}
}

// empty adds the variants with an empty value. A create treats it as absent and
// then blames absentBlame.
func (v *fieldVariants) empty(at place, s *shape, absentBlame place) {
	for kind, value := range map[string]any{"string": "", "integer": 0, "array": []any{}, "object": map[string]any{}} {
		blamed := place("")
		switch {
		case !s.allows(kind) || kind == "integer" && !v.create:
			continue
		case v.create:
			blamed = absentBlame
		case kind == "string" && !s.allowsEmptyText(), kind == "array" && s.MinItems > 0, s.ExactlyOne:
			blamed = at
		case kind == "object" && len(s.Required) > 0:
			blamed = at.then(s.Required[0])
		}
		v.add("empty", at, value, blamed)
	}
}

func (s *shape) allowsEmptyText() bool {
	isListed := len(s.Enum) == 0 || slices.Contains(s.Enum, any(""))
	return s.MinLength == 0 && isListed && s.matches("")
}

func (s *shape) matches(text string) bool {
	return regexp.MustCompile(s.Pattern).MatchString(text)
}

// value adds the variants of a value that is present.
func (v *fieldVariants) value(at place, s *shape) {
	for kind, value := range map[string]any{
		"string": "x", "integer": 7, "boolean": true, "array": []any{"x"}, "object": map[string]any{"x": 1},
	} {
		if !s.allows(kind) {
			v.refuse("of type "+kind, at, value)
		}
	}
	for _, value := range s.Enum {
		if value != nil && value != "" {
			v.accept("allowed value", at, value)
		}
	}
	if s.Not != nil {
		v.refuse("value that is not allowed", at, s.Not.Enum...)
	}
	switch {
	case s.allows("string"):
		v.text(at, s)
	case s.allows("boolean"):
		v.accept("false", at, false)
	case s.allows("integer"):
		v.integer(at, s)
	case s.allows("array"):
		v.list(at, s)
	case s.Values != nil:
		v.pairs(at, s)
	case s.allows("object"):
		v.object(at, s)
	}
}

func (v *fieldVariants) text(at place, s *shape) {
	if len(s.Enum) > 0 {
		v.refuse("unknown value", at, "x-unknown", strings.ToUpper(s.Enum[0].(string)))
		return
	}
	if s.MaxBytes > 0 {
		v.refuse("too long in bytes, not in characters", at, strings.Repeat("é", s.MaxBytes/2+1))
	}
	if s.MaxBytes > 0 && s.Pattern == "" && s.MinLength == 0 {
		v.accept("as long as allowed", at, strings.Repeat("é", s.MaxBytes/2)+strings.Repeat("x", s.MaxBytes%2))
	}
	bad := []string{"=", " ", "a\nb", ":", "x"}
	if i := slices.IndexFunc(bad, func(text string) bool { return !s.matches(text) }); i >= 0 {
		v.refuse("text that does not match", at, bad[i])
	}
	if s.Format == "date-time" {
		v.accept("timestamp", at, "2027-01-01T00:00:00.123456789+05:30", "2028-02-29T00:00:00Z")
		v.accept("timestamp in lower case", at, "2027-01-01t00:00:00z")
		v.refuse("invalid timestamp", at, "x", "2027-01-01", "2027-01-01T00:00:00", "2027-02-29T00:00:00Z", "2027-01-01T24:00:00Z")
	}
}

func (v *fieldVariants) integer(at place, s *shape) {
	v.refuse("fraction", at, 200.5)
	if s.MultipleOf != nil {
		v.accept("multiple", at, *s.MultipleOf)
		v.refuse("next to a multiple", at, *s.MultipleOf+1)
	}
	if s.Minimum != nil {
		v.accept("smallest", at, *s.Minimum)
		v.refuse("too small", at, *s.Minimum-1)
	}
	if s.Maximum != nil {
		v.accept("largest", at, *s.Maximum)
		v.refuse("too large", at, *s.Maximum+1, 1e30)
	}
}

func (v *fieldVariants) list(at place, s *shape) {
	steps := at.steps()
	name := steps[len(steps)-1]
	many := func(n int) (all []any) {
		for range n {
			all = append(all, clone(v.run.field(name, s).([]any)[0]))
		}
		return all
	}
	if s.MaxItems > 0 {
		v.accept("as many as allowed", at, many(s.MaxItems))
		v.refuse("one too many", at, many(s.MaxItems+1))
	}
	if s.Unique {
		twice, blamed := many(1), at.then(1)
		if s.Items.allows("object") {
			blamed = blamed.then(s.Items.Required[0])
		}
		v.add("element twice", at, append(twice, clone(twice[0])), blamed)
		v.accept("two elements", at, many(2))
	}
	if name == "inbound" {
		v.accept("several rules", at, hardRules)
	}
	first := at.then(0)
	v.refuse("element null", first, nil)
	if s.Items.allows("string") && !s.Items.allowsEmptyText() {
		v.refuse("element empty", first, "")
	}
	v.value(first, s.Items)
}

// pairs adds the variants of an object with user-defined keys.
func (v *fieldVariants) pairs(at place, s *shape) {
	key := at.then("key")
	v.refuse("value null", key, nil)
	v.accept("value empty", key, "")
	v.value(key, s.Values)
	if s.Keys != nil {
		v.refuse("key with =", at.then("a=b"), "v")
		v.add("empty key", at, map[string]any{"": "v"}, at)
	}
}
