package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
)

// shape is the part of a schema that the variants need, with references
// resolved.
type shape struct {
	types []string // string, integer, boolean, array, object, null
	limits
	refused      []any // values that are not allowed
	items        *shape
	fields       map[string]*shape
	required     []string
	closed       bool   // unknown fields are refused
	keys, values *shape // schemas of user-defined keys and values
}

// limits are the keywords of a schema that hold a value. A part of a schema overrides
// those of the other parts.
type limits struct {
	Enum       []any             `json:"enum"`
	Pattern    string            `json:"pattern"`
	Format     string            `json:"format"`
	MinLength  int               `json:"minLength"`
	MaxBytes   int               `json:"x-max-bytes"` // 0 means no limit
	MaxItems   int               `json:"maxItems"`    // 0 means no limit
	MinItems   int               `json:"minItems"`
	Minimum    *float64          `json:"minimum"`
	Maximum    *float64          `json:"maximum"`
	MultipleOf *float64          `json:"multipleOf"`
	Unique     bool              `json:"uniqueItems"`
	OnlyWith   map[string]string `json:"x-only-with"`   // the field must be absent unless another field has this value
	NotWith    string            `json:"x-not-with"`    // the field must be absent if this other field has a value
	ExactlyOne bool              `json:"x-exactly-one"` // exactly one of the fields must have a value
	RefersTo   []string          `json:"x-refers-to"`   // collections, one of which must have an object with this id
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
	if err := json.Unmarshal(body.Marshal(members), &s.limits); err != nil {
		panic(fmt.Sprintf("testserver: read a schema of openapi.yaml: %v", err))
	}
	switch types := members["type"].(type) {
	case string:
		s.types = []string{types}
	case []any:
		s.types = append(s.types, texts(types)...)
	}
	if not, there := members["not"].(map[string]any); there {
		s.refused = not["enum"].([]any)
	}
	s.required = append(s.required, texts(members["required"])...)
}

// texts returns the elements of a list of texts.
func texts(value any) (all []string) {
	elements, _ := value.([]any)
	for _, element := range elements {
		all = append(all, element.(string))
	}
	return all
}

func (s *shape) allows(kind string) bool {
	return slices.Contains(s.types, kind)
}
