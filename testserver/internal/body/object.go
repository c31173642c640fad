// Package body reads and writes JSON: request bodies strictly and field by field,
// and responses as trees. It uses only problem. HTTP beyond the content type,
// stored objects, and what only one kind of object contains must stay out.
package body

import (
	"slices"
	"strings"

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
	extra    []string
}

// New returns an object for a request body.
func New(values map[string]any, create, forced bool) *Object {
	return &Object{Values: values, reading: &reading{create: create, forced: forced}}
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
		name, expected := slices.Min(names), problem.Nearest(slices.Min(names), o.known)
		if o.settings {
			expected += ": expected " + strings.Join(slices.Sorted(slices.Values(o.known)), ", ")
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
