package testserver

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// object reads a JSON object of a request field by field. A field that is
// absent or null is read as nil. Reading continues after an error, and
// [object.end] returns the first one.
type object struct {
	path   string // path in the body: "" or for example "inbound[0]."
	values map[string]any
	known  []string // names of the fields that were read
	*reading
}

// reading is the state that an object shares with its nested objects.
type reading struct {
	failure error
	create  bool // empty values are treated as absent, because generated clients send them in creates
	forced  bool // skip the validation rules for new objects
}

// newObject returns an object for a request body.
func newObject(values map[string]any, create, forced bool) *object {
	return &object{values: values, reading: &reading{create: create, forced: forced}}
}

func (o *object) member(name string, values map[string]any) *object {
	return &object{path: o.path + name + ".", values: values, reading: o.reading}
}

// end returns the first error. Call it after all fields are read, because it
// treats the others as unknown.
func (o *object) end() error {
	o.refuseUnknown()
	return o.failure
}

func (o *object) refuseUnknown() {
	names := []string{}
	for name := range o.values {
		if !slices.Contains(o.known, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		name := slices.Min(names)
		o.refuse(name, "unknown field %s", printable(name))
	}
}

// refuse records an error for a field, unless there is an earlier one.
func (o *object) refuse(name, format string, arguments ...any) {
	if o.failure == nil {
		o.failure = invalid(fieldName(o.path+name), format, arguments...)
	}
}

// rule records an error for a field if a validation rule for new objects is not
// met (kept is false). Forced out-of-band requests skip these rules.
func (o *object) rule(kept bool, name, format string, arguments ...any) {
	if !kept && !o.forced {
		o.refuse(name, format, arguments...)
	}
}

// isForced reports whether the validation rules for new objects are skipped.
func (o *object) isForced() bool {
	return o.forced
}

// failed reports whether there was an error.
func (o *object) failed() bool {
	return o.failure != nil
}

// empty reports whether no field has a value.
func (o *object) empty() bool {
	for _, value := range o.values {
		if value != nil {
			return false
		}
	}
	return true
}

// isNull reports whether a field is present and null.
func (o *object) isNull(name string) bool {
	value, given := o.values[name]
	return given && value == nil
}

func (o *object) value(name string) any {
	o.known = append(o.known, name)
	return o.values[name]
}

// text reads a string.
func (o *object) text(name string) *string {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case string:
		if value == "" && o.create {
			return nil
		}
		return &value
	}
	o.refuse(name, "%s must be a string", name)
	return nil
}

// textUpTo reads a string of at most the given number of bytes in UTF-8.
func (o *object) textUpTo(name string, bytes int) *string {
	text := o.text(name)
	if text != nil {
		o.rule(len(*text) <= bytes, name, "%s is too long: expected at most %d bytes, found %d", name, bytes, len(*text))
	}
	return text
}

// need reads a required string.
func (o *object) need(name string) string {
	text := o.text(name)
	if text == nil || *text == "" {
		o.refuse(name, "%s is required", name)
		return ""
	}
	return *text
}

// flag reads a boolean.
func (o *object) flag(name string) *bool {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case bool:
		return &value
	}
	o.refuse(name, "%s must be true or false", name)
	return nil
}

// number reads an integer.
func (o *object) number(name string) *int {
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
	o.refuse(name, "%s must be an integer", name)
	return nil
}

// rfc3339 matches the RFC 3339 format strictly. time.Parse also accepts values
// such as 8:15:30 and fractions after a comma.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// time reads an RFC 3339 timestamp with a UTC year from 1970 to 9999 and
// returns it in UTC, truncated to seconds. Other years are refused, because
// they cannot always be written in RFC 3339 format.
func (o *object) time(name string) *time.Time {
	text := o.text(name)
	if text == nil {
		return nil
	}
	upper := strings.ToUpper(*text) // RFC 3339 allows lower-case t and z
	at, err := time.Parse(time.RFC3339, upper)
	if err != nil || !rfc3339.MatchString(upper) {
		o.refuse(name, "%s must be a timestamp in RFC 3339 format, such as 2026-11-21T08:15:30Z", name)
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	if at.Year() < 1970 || at.Year() > 9999 {
		o.refuse(name, "%s must be between the years 1970 and 9999 in UTC", name)
		return nil
	}
	return &at
}

// list reads an array. It returns nil if the array is absent.
func (o *object) list(name string) []any {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case []any:
		if len(value) == 0 && o.create {
			return nil
		}
		return value
	}
	o.refuse(name, "%s must be a list", name)
	return nil
}

// texts reads a list of strings. It returns nil if the list is absent.
func (o *object) texts(name string) []string {
	values := o.list(name)
	if values == nil {
		return nil
	}
	texts := make([]string, 0, len(values))
	for i, value := range values {
		text, isString := value.(string)
		if !isString {
			o.refuse(element(name, i), "%s must be a string", element(name, i))
		}
		texts = append(texts, text)
	}
	return texts
}

// object reads a nested object. It returns nil if the object is absent.
func (o *object) object(name string) *object {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case map[string]any:
		if len(value) == 0 && o.create {
			return nil
		}
		return o.member(name, value)
	}
	o.refuse(name, "%s must be an object", name)
	return nil
}

// objects reads a list of objects. It returns nil if the list is absent.
func (o *object) objects(name string) []*object {
	values := o.list(name)
	if values == nil {
		return nil
	}
	objects := make([]*object, 0, len(values))
	for i, value := range values {
		fields, isObject := value.(map[string]any)
		if !isObject {
			o.refuse(element(name, i), "%s must be an object", element(name, i))
		}
		objects = append(objects, o.member(element(name, i), fields))
	}
	return objects
}

// pairs reads an object with string values. It returns nil if the object is
// absent.
func (o *object) pairs(name string) map[string]string {
	fields := o.object(name)
	if fields == nil {
		return nil
	}
	pairs := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(fields.values)) {
		text, isString := fields.values[key].(string)
		if !isString {
			fields.refuse(key, "the value of %s must be a string", printable(key))
		}
		pairs[key] = text
	}
	return pairs
}

// anything reads an object with arbitrary fields and returns it as JSON. It
// returns nil if the object is absent or null.
func (o *object) anything(name string) json.RawMessage {
	fields := o.object(name)
	if fields == nil {
		return nil
	}
	return marshal(fields.values)
}

func element(name string, index int) string {
	return fmt.Sprintf("%s[%d]", name, index)
}
