package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
)

// shape is the part of a schema that the variants need, with references
// resolved.
type shape struct {
	types              []string // string, integer, boolean, array, object, null
	enum, refused      []any    // allowed values; values that are not allowed
	pattern, format    string
	minLength          int
	maxBytes, maxItems int // 0 means no limit
	minItems           int
	minimum, maximum   *float64
	multipleOf         *float64
	unique             bool
	items              *shape
	fields             map[string]*shape
	required           []string
	closed             bool              // unknown fields are refused
	keys, values       *shape            // schemas of user-defined keys and values
	onlyWith           map[string]string // the field must be absent unless another field has this value
	notWith            string            // the field must be absent if this other field has a value
	exactlyOne         bool              // exactly one of the fields must have a value
	refersTo           []string          // collections, one of which must have an object with this id
}

// schemaTree returns a document as decoded JSON. It panics if that fails, because the
// document is part of the program.
func schemaTree(document *contract.Document) map[string]any {
	text, err := document.MarshalJSON()
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil {
		panic(fmt.Sprintf("testserver: decode openapi.yaml: %v", err))
	}
	return tree
}

// shapeOf returns the shape of a schema.
func shapeOf(tree map[string]any, schema any) *shape {
	s := &shape{fields: map[string]*shape{}}
	s.merge(tree, schema)
	slices.Sort(s.required)
	return s
}

func (s *shape) merge(tree map[string]any, schema any) {
	members, _ := schema.(map[string]any)
	if ref, isRef := members["$ref"].(string); isRef {
		var target any = tree
		for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			target = target.(map[string]any)[step]
		}
		s.merge(tree, target)
	}
	s.mergeLimits(members)
	if items, there := members["items"]; there {
		s.items = shapeOf(tree, items)
	}
	properties, _ := members["properties"].(map[string]any)
	for name, property := range properties {
		if s.fields[name] == nil {
			s.fields[name] = shapeOf(tree, property)
		} else {
			s.fields[name].merge(tree, property)
		}
	}
	if keys, there := members["propertyNames"]; there {
		s.keys = shapeOf(tree, keys)
	}
	switch more := members["additionalProperties"].(type) {
	case bool:
		s.closed = !more
	case map[string]any:
		s.values = shapeOf(tree, more)
	}
	parts, _ := members["allOf"].([]any)
	if alternatives := withValues(members["anyOf"]); len(alternatives) == 1 {
		parts = append(parts, alternatives[0])
	}
	for _, part := range parts {
		if part.(map[string]any)["if"] == nil { // conditions on other fields have separate tests
			s.merge(tree, part)
		}
	}
}

// withValues removes the alternatives that only allow the empty value, which
// creates treat as absent.
func withValues(alternatives any) []any {
	list, _ := alternatives.([]any)
	return slices.DeleteFunc(slices.Clone(list), func(alternative any) bool {
		members := alternative.(map[string]any)
		return members["maxLength"] == 0.0 || members["const"] == 0.0 || members["maxProperties"] == 0.0
	})
}

func (s *shape) mergeLimits(members map[string]any) {
	switch types := members["type"].(type) {
	case string:
		s.types = []string{types}
	case []any:
		for _, name := range types {
			s.types = append(s.types, name.(string))
		}
	}
	number := func(name string, into *int) {
		if value, there := members[name].(float64); there {
			*into = int(value)
		}
	}
	number("minLength", &s.minLength)
	number("x-max-bytes", &s.maxBytes)
	number("maxItems", &s.maxItems)
	number("minItems", &s.minItems)
	bound := func(name string, into **float64) {
		if value, there := members[name].(float64); there {
			*into = &value
		}
	}
	bound("minimum", &s.minimum)
	bound("multipleOf", &s.multipleOf)
	bound("maximum", &s.maximum)
	if pattern, there := members["pattern"].(string); there {
		s.pattern = pattern
	}
	if format, there := members["format"].(string); there {
		s.format = format
	}
	if enum, there := members["enum"].([]any); there {
		s.enum = enum
	}
	if not, there := members["not"].(map[string]any); there {
		s.refused = not["enum"].([]any)
	}
	if unique, there := members["uniqueItems"].(bool); there {
		s.unique = unique
	}
	if required, there := members["required"].([]any); there {
		for _, name := range required {
			s.required = append(s.required, name.(string))
		}
	}
	if other, there := members["x-not-with"].(string); there {
		s.notWith = other
	}
	if one, there := members["x-exactly-one"].(bool); there {
		s.exactlyOne = one
	}
	if collections, there := members["x-refers-to"].([]any); there {
		for _, route := range collections {
			s.refersTo = append(s.refersTo, route.(string))
		}
	}
	if with, there := members["x-only-with"].(map[string]any); there {
		s.onlyWith = map[string]string{}
		for name, value := range with {
			s.onlyWith[name] = value.(string)
		}
	}
}

func (s *shape) allows(kind string) bool {
	return slices.Contains(s.types, kind)
}
