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
	others  []assignment // other fields of the next variants
}

type assignment struct {
	where place
	value any
}

// fields sends the variants of a request body.
func (run *Run) fields(good testCase, content func() any) {
	v := &fieldVariants{run: run, good: good, content: content, create: good.method == http.MethodPost}
	v.object("", good.input)
	for name := range run.config.Document.Response(good.route, good.method, good.status).Value.Properties {
		if good.input.fields[name] == nil && !run.leftOut[good.method+" "+good.route][name] {
			v.add("null, which only responses contain", place(name), nil, "")
		}
	}
	for i, name := range parameters(good.route) {
		v.add("as in the path", place(name), strings.Split(good.path, "/")[i], "")
		v.add("other than in the path", place(name), "other", place(name))
	}
}

// with sets another field for the next variants.
func (v *fieldVariants) with(where place, value any) {
	v.others = append(slices.Clone(v.others), assignment{where, value})
}

// add sends a variant. Without a field that is to blame, the request is accepted.
func (v *fieldVariants) add(what string, where place, value any, blamed place) {
	body := v.content()
	for _, other := range v.others {
		body, _ = other.where.set(body, clone(other.value))
	}
	one, isTop := v.good, len(where.steps()) == 1
	body, ok := where.set(body, value)
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
	if s.closed {
		v.add("unknown field", where.then("x_unknown"), 1, where.then("x_unknown"))
		v.add("unknown field that is null", where.then("x_unknown"), nil, where.then("x_unknown"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		if s.ExactlyOne { // an update cannot have another one than the object has
			if v.create {
				v.add("alternative "+name, where, map[string]any{name: v.run.field(name, s.fields[name])}, "")
			}
			continue
		}
		field, at := s.fields[name], where.then(name)
		before := v.others
		for other, value := range field.OnlyWith {
			v.with(where.then(other), absent{})
			v.add("without the field that it needs", at, v.run.value(field), at)
			v.with(where.then(other), value)
		}
		if field.NotWith != "" {
			if v.run.object(s)[field.NotWith] != nil { // not if it refers to a kind that the service lacks
				v.add("with the field that excludes it", at, v.run.value(field), at)
			}
			v.with(where.then(field.NotWith), absent{})
			v.with(at, v.run.value(field))
		}
		failedKeyword := place("")
		if slices.Contains(s.required, name) {
			failedKeyword = at
		}
		missing := failedKeyword
		if v.create && len(s.fields) == 1 && where != "" && !strings.HasSuffix(string(where), "]") { // an empty object counts as absent
			missing = where[:max(0, strings.LastIndex(string(where), "."))]
		}
		v.add("missing", at, absent{}, missing)
		v.null(at, field)
		v.empty(at, field, failedKeyword)
		v.value(at, field)
		v.others = before
	}
}

func (v *fieldVariants) null(at place, s *shape) {
	if s.allows("null") {
		v.add("null", at, nil, "")
	} else {
		v.add("null", at, nil, at)
	}
}

// empty adds the variants with an empty value. A create treats it as absent and
// then blames absentBlame.
func (v *fieldVariants) empty(at place, s *shape, absentBlame place) {
	if v.create {
		for kind, value := range map[string]any{"string": "", "integer": 0, "array": []any{}, "object": map[string]any{}} {
			if s.allows(kind) {
				v.add("empty", at, value, absentBlame)
			}
		}
		return
	}
	refused := place("")
	switch {
	case s.allows("string") && !s.allowsEmptyText():
		refused = at
	case s.allows("array") && s.MinItems > 0:
		refused = at
	case s.ExactlyOne:
		refused = at
	case s.allows("object") && len(s.required) > 0:
		refused = at.then(s.required[0])
	}
	for kind, value := range map[string]any{"string": "", "array": []any{}, "object": map[string]any{}} {
		if s.allows(kind) {
			v.add("empty", at, value, refused)
		}
	}
}

func (s *shape) allowsEmptyText() bool {
	isListed := len(s.Enum) == 0 || slices.Contains(s.Enum, any(""))
	return s.MinLength == 0 && isListed && regexp.MustCompile(s.Pattern).MatchString("")
}

// value adds the variants of a value that is present.
func (v *fieldVariants) value(at place, s *shape) {
	for kind, value := range map[string]any{
		"string": "x", "integer": 7, "boolean": true, "array": []any{"x"}, "object": map[string]any{"x": 1},
	} {
		if !s.allows(kind) {
			v.add("of type "+kind, at, value, at)
		}
	}
	for _, value := range s.Enum {
		if value != nil && value != "" && value != 0.0 {
			v.add("allowed value", at, value, "")
		}
	}
	for _, value := range s.refused {
		v.add("value that is not allowed", at, value, at)
	}
	switch {
	case s.allows("string"):
		v.text(at, s)
	case s.allows("integer"):
		v.integer(at, s)
	case s.allows("array"):
		v.list(at, s)
	case s.values != nil:
		v.pairs(at, s)
	case s.allows("object"):
		v.object(at, s)
	}
}

func (v *fieldVariants) text(at place, s *shape) {
	if len(s.Enum) > 0 {
		v.add("unknown value", at, "x-unknown", at)
		v.add("value in capitals", at, strings.ToUpper(s.Enum[0].(string)), at)
		return
	}
	if s.MaxBytes > 0 {
		v.add("one byte too long", at, strings.Repeat("x", s.MaxBytes+1), at)
		v.add("too long in bytes, not in characters", at, strings.Repeat("é", s.MaxBytes/2+1), at)
	}
	if s.MaxBytes > 0 && s.Pattern == "" && s.MinLength == 0 {
		v.add("as long as allowed", at, strings.Repeat("x", s.MaxBytes), "")
		v.add("as long as allowed in bytes", at, strings.Repeat("é", s.MaxBytes/2)+strings.Repeat("x", s.MaxBytes%2), "")
	}
	if s.Pattern != "" {
		for _, bad := range []string{"=", " ", "ssh-dss AAAA", "a\nb", ":", "Ümlaut"} {
			if !regexp.MustCompile(s.Pattern).MatchString(bad) {
				v.add("text that does not match", at, bad, at)
			}
		}
	}
	if s.Format == "date-time" {
		for _, good := range []string{
			"2027-01-01T00:00:00.123456789+05:30", "2027-12-31T23:59:59-23:59", "2028-02-29T00:00:00Z",
		} {
			v.add("timestamp", at, good, "")
		}
		v.add("timestamp in lower case", at, "2027-01-01t00:00:00z", "")
		for _, bad := range []string{
			"x", "2027-01-01", "2027-01-01T00:00:00", "2027-01-01 00:00:00Z", "2027-01-01T8:15:30Z", "2027-01-01T00:00:00,5Z",
			"2027-02-29T00:00:00Z", "2027-01-01T24:00:00Z", "2027-01-01T00:00:00+24:00", "9999-12-31T23:59:59-00:01", "1970-01-01T00:00:00+00:01",
		} {
			v.add("timestamp "+bad, at, bad, at)
		}
	}
}

func (v *fieldVariants) integer(at place, s *shape) {
	v.add("fraction", at, 200.5, at)
	if s.MultipleOf != nil {
		v.add("multiple", at, *s.MultipleOf, "")
		v.add("next to a multiple", at, *s.MultipleOf+1, at)
	}
	if s.Minimum != nil {
		v.add("smallest", at, *s.Minimum, "")
		v.add("too small", at, *s.Minimum-1, at)
		v.add("negative", at, -1, at)
	}
	if s.Maximum != nil {
		v.add("largest", at, *s.Maximum, "")
		v.add("too large", at, *s.Maximum+1, at)
		v.add("beyond 64 bits", at, 1e30, at)
	}
}

func (v *fieldVariants) list(at place, s *shape) {
	steps := at.steps()
	name := steps[len(steps)-1]
	element := func() any { return clone(v.run.field(name, s).([]any)[0]) }
	many := func(n int) []any {
		all := []any{}
		for range n {
			all = append(all, element())
		}
		return all
	}
	if s.MaxItems > 0 {
		v.add("as many as allowed", at, many(s.MaxItems), "")
		v.add("one too many", at, many(s.MaxItems+1), at)
	}
	if s.Unique {
		twice, failedKeyword := element(), at.then(1)
		if s.items.allows("object") {
			failedKeyword = failedKeyword.then(s.items.required[0])
		}
		v.add("element twice", at, []any{twice, clone(twice)}, failedKeyword)
		v.add("two elements", at, many(2), "")
	}
	first := at.then(0)
	v.add("element null", first, nil, first)
	if s.items.allows("string") && (s.items.MinLength > 0 || !regexp.MustCompile(s.items.Pattern).MatchString("")) {
		v.add("element empty", first, "", first)
	}
	v.value(first, s.items)
}

// pairs adds the variants of an object with user-defined keys.
func (v *fieldVariants) pairs(at place, s *shape) {
	v.add("value of a key is a number", at, map[string]any{"key": 1}, at.then("key"))
	v.add("value of a key is null", at, map[string]any{"key": nil}, at.then("key"))
	v.add("value of a key is empty", at, map[string]any{"key": ""}, "")
	if !regexp.MustCompile(s.values.Pattern).MatchString("a=b") {
		v.add("value of a key with =", at, map[string]any{"key": "a=b"}, at.then("key"))
	}
	if s.keys != nil {
		v.add("key with =", at, map[string]any{"a=b": "v"}, at.then("a=b"))
		v.add("empty key", at, map[string]any{"": "v"}, at)
	}
}
