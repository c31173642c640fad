package api

// This file keeps a promise: a field that only informs never fails a read.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Info is the text of a field that is only informative, so that it never fails
// a response: a number or a boolean becomes its text, and another value "".
type Info string

// UnmarshalJSON never returns an error.
func (i *Info) UnmarshalJSON(value []byte) error {
	var text string
	switch {
	case json.Unmarshal(value, &text) == nil: // also null
		*i = Info(text)
	case value[0] != '{' && value[0] != '[':
		*i = Info(value)
	}
	return nil
}

// Number is an integer, in any notation of JSON: 404, 404.0 or 4.04e2.
type Number int64

// UnmarshalJSON returns an error for a value that is not an integer, or has more than
// 53 bits. The decoder adds the name of the field.
func (n *Number) UnmarshalJSON(value []byte) error {
	var number float64 // 0 for null
	wrong := &json.UnmarshalTypeError{Value: fmt.Sprintf("number %.40s", value), Type: reflect.TypeFor[Number]()}
	if err := json.Unmarshal(value, &number); err != nil {
		if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			wrong.Value = other.Value
		}
		return wrong
	}
	if number != math.Trunc(number) || math.Abs(number) > 1<<53 {
		return wrong
	}
	*n = Number(number)
	return nil
}

// inWords replaces the error of a value with another JSON type than the
// documented one.
func inWords(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	kind := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "a boolean", reflect.Slice: "a list", reflect.Map: "an object", reflect.Struct: "an object",
	}[wrong.Type.Kind()]
	found, number, _ := strings.Cut(wrong.Value, " ") // "number 4" for example
	found = cmp.Or(map[string]string{"array": "a list", "object": "an object", "bool": "a boolean"}[found], "a "+found)
	if kind == "" { // all numbers are integers
		kind, found = "an integer", strings.TrimSuffix(found+" "+number, " ")
	}
	names := slices.DeleteFunc(strings.Split(wrong.Field, "."), func(name string) bool { // an embedded type is no field
		return strings.ToLower(name) != name
	})
	if field := strings.Join(names, "."); field != "" {
		return fmt.Errorf("field %s: expected %s; found %s", field, kind, found)
	}
	return fmt.Errorf("expected %s; found %s", kind, found)
}

// InfoList is a list of Info. A value that is not a list becomes an empty one,
// and items that are not texts are missing.
type InfoList []string

// UnmarshalJSON never returns an error.
func (l *InfoList) UnmarshalJSON(value []byte) error {
	var items []Info
	json.Unmarshal(value, &items) //nolint:errcheck // then there are no items
	for _, item := range items {
		if item != "" {
			*l = append(*l, string(item))
		}
	}
	return nil
}

// Refs are references to other objects, without those that have no id.
type Refs []Ref

// UnmarshalJSON never returns an error.
func (r *Refs) UnmarshalJSON(value []byte) error {
	var items []json.RawMessage
	json.Unmarshal(value, &items) //nolint:errcheck // then there are no items
	for _, item := range items {
		var ref Ref
		if json.Unmarshal(item, &ref) == nil && ref.ID != "" {
			*r = append(*r, ref)
		}
	}
	return nil
}
