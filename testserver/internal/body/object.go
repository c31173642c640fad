package body

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Object reads a JSON object of a request field by field. A field that is
// absent or null is read as nil. Reading continues after an error, and
// [Object.End] returns the first one.
type Object struct {
	path   string // path in the body: "" or for example "inbound[0]."
	Values map[string]any
	known  []string // names of the fields that were read
	*reading
}

// reading is the state that an object shares with its nested objects.
type reading struct {
	failure  error
	create   bool // empty values are treated as absent, because generated clients send them in creates
	forced   bool // skip the validation rules for new objects
	answer   bool // the object is one that the API returned: see FromAnswer
	settings bool // see Settings
	quirky   func(name string) bool
	extra    []string
}

// New returns an object for a request body.
func New(values map[string]any, create, forced bool) *Object {
	return &Object{Values: values, reading: &reading{create: create, forced: forced, quirky: func(string) bool { return false }}}
}

// Settings returns an object for the body of a control request. The error for an unknown
// field lists the known ones.
func Settings(text []byte) (*Object, error) {
	values, err := Parse(text)
	if err != nil {
		return nil, err
	}
	in := New(values, false, false)
	in.settings = true
	return in, nil
}

// WithQuirks sets what reports whether a quirk applies to the request.
func (o *Object) WithQuirks(quirky func(name string) bool) *Object {
	o.quirky = quirky
	return o
}

// Quirky reports whether a quirk applies to the request.
func (o *Object) Quirky(name string) bool { return o.quirky(name) }

func (o *Object) member(name string, values map[string]any) *Object {
	return &Object{path: o.path + name + ".", Values: values, reading: o.reading}
}

// End returns the first error. Call it after all fields are read, because it
// treats the others as unknown.
func (o *Object) End() error {
	o.RefuseUnknown()
	return o.failure
}

// RefuseUnknown records an error if the object has a field that was not read.
func (o *Object) RefuseUnknown() {
	names := []string{}
	for name := range o.Values {
		switch {
		case slices.Contains(o.known, name) || o.answer && o.path != "" && name == "uri":
		case o.answer && o.path == "":
			o.extra = append(o.extra, name)
		default:
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		name, expected := slices.Min(names), ""
		if o.settings {
			expected = ": expected " + strings.Join(slices.Sorted(slices.Values(o.known)), ", ")
		}
		o.Refuse(name, "unknown field %s%s", problem.Printable(name), expected)
	}
}

// Refuse records an error for a field, unless there is an earlier one.
func (o *Object) Refuse(name, format string, arguments ...any) {
	if o.failure == nil {
		o.failure = problem.Invalid(problem.FieldName(o.path+name), format, arguments...)
	}
}

// Rule records an error for a field if a validation rule for new objects is not
// met (kept is false). Forced out-of-band requests skip these rules.
func (o *Object) Rule(kept bool, name, format string, arguments ...any) {
	if !kept && !o.forced {
		o.Refuse(name, format, arguments...)
	}
}

// Forced reports whether the validation rules for new objects are skipped.
func (o *Object) Forced() bool {
	return o.forced
}

// Failed reports whether there was an error.
func (o *Object) Failed() bool {
	return o.failure != nil
}

// Empty reports whether no field has a value.
func (o *Object) Empty() bool {
	for _, value := range o.Values {
		if value != nil {
			return false
		}
	}
	return true
}

// IsNull reports whether a field is present and null.
func (o *Object) IsNull(name string) bool {
	value, given := o.Values[name]
	return given && value == nil
}

func (o *Object) value(name string) any {
	o.known = append(o.known, name)
	return o.Values[name]
}

// Text reads a string.
func (o *Object) Text(name string) *string {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case string:
		if value == "" && o.create {
			return nil
		}
		return &value
	}
	o.Refuse(name, "%s must be a string", name)
	return nil
}

// TextUpTo reads a string of at most the given number of bytes in UTF-8.
func (o *Object) TextUpTo(name string, bytes int) *string {
	text := o.Text(name)
	if text != nil {
		o.Rule(len(*text) <= bytes, name, "%s is too long: expected at most %d bytes, found %d", name, bytes, len(*text))
	}
	return text
}

// Required reads a required string.
func (o *Object) Required(name string) string {
	text := o.Text(name)
	if text == nil || *text == "" {
		o.Refuse(name, "%s is required", name)
		return ""
	}
	return *text
}

// Flag reads a boolean.
func (o *Object) Flag(name string) *bool {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case bool:
		return &value
	}
	o.Refuse(name, "%s must be true or false", name)
	return nil
}

// Number reads an integer.
func (o *Object) Number(name string) *int {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case json.Number:
		if n, err := value.Int64(); err == nil {
			if n == 0 && o.create {
				return nil
			}
			whole := int(n)
			return &whole
		}
	}
	o.Refuse(name, "%s must be an integer", name)
	return nil
}

// rfc3339 matches the RFC 3339 format strictly. time.Parse also accepts values
// such as 8:15:30 and fractions after a comma.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// Time reads an RFC 3339 timestamp with a UTC year from 1970 to 9999 and
// returns it in UTC, truncated to seconds. Other years are refused, because
// they cannot always be written in RFC 3339 format.
func (o *Object) Time(name string) *time.Time {
	text := o.Text(name)
	if text == nil {
		return nil
	}
	upper := strings.ToUpper(*text) // RFC 3339 allows lower-case t and z
	at, err := time.Parse(time.RFC3339, upper)
	if err != nil || !rfc3339.MatchString(upper) {
		o.Refuse(name, "%s must be a timestamp in RFC 3339 format, such as 2026-11-21T08:15:30Z", name)
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	if at.Year() < 1970 || at.Year() > 9999 {
		o.Refuse(name, "%s must be between the years 1970 and 9999 in UTC", name)
		return nil
	}
	return &at
}

// List reads an array of any values. It returns nil if the array is absent.
func (o *Object) List(name string) []any {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case []any:
		if len(value) == 0 && o.create {
			return nil
		}
		return value
	}
	o.Refuse(name, "%s must be a list", name)
	return nil
}

// Texts reads a list of strings. It returns nil if the list is absent.
func (o *Object) Texts(name string) []string {
	values := o.List(name)
	if values == nil {
		return nil
	}
	texts := make([]string, 0, len(values))
	for i, value := range values {
		text, isString := value.(string)
		if !isString {
			o.Refuse(Element(name, i), "%s must be a string", Element(name, i))
		}
		texts = append(texts, text)
	}
	return texts
}

// Nested reads a nested object. It returns nil if the object is absent.
func (o *Object) Nested(name string) *Object {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case map[string]any:
		if len(value) == 0 && o.create {
			return nil
		}
		return o.member(name, value)
	}
	o.Refuse(name, "%s must be an object", name)
	return nil
}

// NestedList reads a list of objects. It returns nil if the list is absent.
func (o *Object) NestedList(name string) []*Object {
	values := o.List(name)
	if values == nil {
		return nil
	}
	objects := make([]*Object, 0, len(values))
	for i, value := range values {
		fields, isObject := value.(map[string]any)
		if !isObject {
			o.Refuse(Element(name, i), "%s must be an object", Element(name, i))
		}
		objects = append(objects, o.member(Element(name, i), fields))
	}
	return objects
}

// Pairs reads an object with string values. It returns nil if the object is
// absent.
func (o *Object) Pairs(name string) map[string]string {
	fields := o.Nested(name)
	if fields == nil {
		return nil
	}
	pairs := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(fields.Values)) {
		text, isString := fields.Values[key].(string)
		if !isString {
			fields.Refuse(key, "the value of %s must be a string", problem.Printable(key))
		}
		pairs[key] = text
	}
	return pairs
}

// RawObject reads an object with arbitrary fields and returns it as JSON. It
// returns nil if the object is absent or null.
func (o *Object) RawObject(name string) json.RawMessage {
	fields := o.Nested(name)
	if fields == nil {
		return nil
	}
	return Marshal(fields.Values)
}

// Element returns the path of an element of a list, such as acl[0].
func Element(name string, index int) string {
	return fmt.Sprintf("%s[%d]", name, index)
}
