package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// shape is the part of a schema that the variants need, without references and parts.
type shape struct {
	Type       any               `json:"type"` // string, integer, boolean, array, object, null, or a list of them
	Enum       []any             `json:"enum"`
	Not        *shape            `json:"not"`
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
	Items      *shape            `json:"items"`
	Fields     map[string]*shape `json:"properties"`
	Required   []string          `json:"required"`
	Keys       *shape            `json:"propertyNames"`
	Values     *shape            `json:"additionalProperties"`
	Closed     bool              `json:"x-closed"`      // unknown fields are refused
	OnlyWith   map[string]string `json:"x-only-with"`   // the field must be absent unless another field has this value
	NotWith    string            `json:"x-not-with"`    // the field must be absent if this other field has a value
	ExactlyOne bool              `json:"x-exactly-one"` // exactly one of the fields must have a value
	RefersTo   []string          `json:"x-refers-to"`   // collections, one of which must have an object with this id
	NullClears bool              `json:"x-null-clears"` // in an update; the document does not say so of other fields
	ShownAs    string            `json:"x-shown-as"`    // the name in responses, if it is another one
	WriteOnly  bool              `json:"writeOnly"`     // no response needs to show it
}

func (s *shape) allows(kind string) bool {
	list, _ := s.Type.([]any)
	return s.Type == any(kind) || slices.Contains(list, any(kind))
}

// schemas are the schemas of a document by name, as decoded JSON.
type schemas map[string]any

// decoded decodes what was encoded. It panics if that fails, because requests and the
// document are part of the program.
func decoded[T any](encoded []byte) (value T) {
	if err := json.Unmarshal(encoded, &value); err != nil {
		panic(fmt.Sprintf("testserver: decode a request or openapi.yaml: %v", err))
	}
	return value
}

// shape returns the shape of the schema with a reference.
func (all schemas) shape(ref string) *shape {
	return decoded[*shape](body.Marshal(all.whole(map[string]any{"$ref": ref})))
}

// whole returns a schema with its references and parts in it.
func (all schemas) whole(schema any) any {
	members, isObject := schema.(map[string]any)
	if !isObject {
		return schema
	}
	whole := map[string]any{}
	if ref, isRef := members["$ref"].(string); isRef {
		merge(whole, all.whole(all[strings.TrimPrefix(ref, "#/components/schemas/")]))
	}
	parts, _ := members["allOf"].([]any)
	if alternatives := withValues(members["anyOf"]); len(alternatives) == 1 {
		parts = append(slices.Clone(parts), alternatives[0])
	}
	for name, value := range members {
		switch more, isBool := value.(bool); {
		case name == "additionalProperties" && isBool:
			whole["x-closed"] = !more
		case name != "allOf" && name != "anyOf":
			merge(whole, map[string]any{name: all.whole(value)})
		}
	}
	for _, part := range parts {
		if part.(map[string]any)["if"] == nil { // conditions on other fields have separate tests
			merge(whole, all.whole(part))
		}
	}
	return whole
}

// merge adds the members of a part of a schema, which override what is there.
func merge(into map[string]any, part any) {
	for name, value := range part.(map[string]any) {
		its, isObject := into[name].(map[string]any)
		required, isList := into[name].([]any)
		switch {
		case isObject:
			merge(its, value)
		case isList && name == "required":
			into[name] = slices.Concat(required, value.([]any))
		default:
			into[name] = value
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
