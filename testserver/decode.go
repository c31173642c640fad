package testserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// object is a JSON object of a request, read field by field. A field that is absent or null reads as nil. Reading goes on
// after a mistake; [object.end] tells the first one.
type object struct {
	path    string // where it is in the body: "", or "inbound[0]."
	values  map[string]any
	known   []string // the fields asked for
	mistake *error   // shared with the objects inside
}

func newObject(path string, values map[string]any, mistake *error) *object {
	return &object{path: path, values: values, mistake: mistake}
}

// end gives the first mistake. It comes after the last field was asked for, since what was not asked for is unknown.
func (o *object) end() error {
	o.refuseUnknown()
	return *o.mistake
}

func (o *object) refuseUnknown() {
	names := make([]string, 0, len(o.values))
	for name := range o.values {
		if !slices.Contains(o.known, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		o.refuse(names[0], "there is no field %s here", printable(names[0]))
	}
}

// refuse notes a mistake in a field, unless there is an earlier one.
func (o *object) refuse(name, format string, arguments ...any) {
	if *o.mistake == nil {
		*o.mistake = invalid(o.path+name, format, arguments...)
	}
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
		return &value
	}
	o.refuse(name, "%s must be a string", name)
	return nil
}

// textUpTo reads a string of at most so many bytes.
func (o *object) textUpTo(name string, bytes int) *string {
	text := o.text(name)
	if text != nil && len(*text) > bytes {
		o.refuse(name, "%s has %d bytes, at most %d are allowed", name, len(*text), bytes)
	}
	return text
}

// need reads a string that must be there.
func (o *object) need(name string) string {
	text := o.text(name)
	if text == nil {
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

// number reads a whole number.
func (o *object) number(name string) *int {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case json.Number:
		if n, err := value.Int64(); err == nil {
			whole := int(n)
			return &whole
		}
	}
	o.refuse(name, "%s must be a whole number", name)
	return nil
}

// time reads an RFC 3339 timestamp and gives it in UTC, in whole seconds.
func (o *object) time(name string) *time.Time {
	text := o.text(name)
	if text == nil {
		return nil
	}
	at, err := time.Parse(time.RFC3339, *text)
	if err != nil {
		o.refuse(name, "%s must be a timestamp in RFC 3339 format, such as 2026-11-21T08:15:30Z", name)
		return nil
	}
	at = at.UTC().Truncate(time.Second)
	return &at
}

// list reads an array; nil means absent, an empty list means empty.
func (o *object) list(name string) []any {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case []any:
		return value
	}
	o.refuse(name, "%s must be a list", name)
	return nil
}

// texts reads a list of strings; nil means absent.
func (o *object) texts(name string) []string {
	values := o.list(name)
	if values == nil {
		return nil
	}
	texts := make([]string, 0, len(values))
	for i, value := range values {
		text, ok := value.(string)
		if !ok {
			o.refuse(element(name, i), "%s must be a string", element(name, i))
		}
		texts = append(texts, text)
	}
	return texts
}

// object reads an object inside; nil means absent.
func (o *object) object(name string) *object {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case map[string]any:
		return newObject(o.path+name+".", value, o.mistake)
	}
	o.refuse(name, "%s must be an object", name)
	return nil
}

// objects reads a list of objects; nil means absent.
func (o *object) objects(name string) []*object {
	values := o.list(name)
	if values == nil {
		return nil
	}
	objects := make([]*object, 0, len(values))
	for i, value := range values {
		fields, ok := value.(map[string]any)
		if !ok {
			o.refuse(element(name, i), "%s must be an object", element(name, i))
		}
		objects = append(objects, newObject(o.path+element(name, i)+".", fields, o.mistake))
	}
	return objects
}

// anything reads an object whose fields are open, as JSON; nil means absent or null.
func (o *object) anything(name string) json.RawMessage {
	switch value := o.value(name).(type) {
	case nil:
		return nil
	case map[string]any:
		return marshal(value)
	}
	o.refuse(name, "%s must be an object or null", name)
	return nil
}

func element(name string, index int) string {
	return fmt.Sprintf("%s[%d]", name, index)
}
