package body

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

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

// Number reads an integer. It can be written 404, 404.0 or 4.04e2.
func (o *Object) Number(name string) *int {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case json.Number:
		if n, err := value.Float64(); err == nil && n == math.Trunc(n) && math.Abs(n) < 1<<53 { // which is exact
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
