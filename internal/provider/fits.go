package provider

import (
	"bytes"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fits tells whether a JSON text is a value of a type with nothing left out and
// nothing on top, so that Terraform can take it as it is.
func fits(text json.RawMessage, of tftypes.Type) bool {
	if bytes.Equal(text, []byte("null")) {
		return true
	}
	switch of := of.(type) {
	case tftypes.Object:
		var attributes map[string]json.RawMessage
		if json.Unmarshal(text, &attributes) != nil || len(attributes) != len(of.AttributeTypes) {
			return false
		}
		for name, attribute := range attributes {
			if inside, known := of.AttributeTypes[name]; !known || !fits(attribute, inside) {
				return false
			}
		}
		return true
	case tftypes.Map:
		var elements map[string]json.RawMessage
		if json.Unmarshal(text, &elements) != nil {
			return false
		}
		for _, element := range elements {
			if !fits(element, of.ElementType) {
				return false
			}
		}
		return true
	case tftypes.List:
		return eachFits(text, of.ElementType)
	case tftypes.Set:
		return eachFits(text, of.ElementType)
	}
	return len(text) > 0 && kinds[text[0]] != nil && kinds[text[0]].Is(of)
}

func eachFits(text json.RawMessage, of tftypes.Type) bool {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil {
		return false
	}
	for _, element := range elements {
		if !fits(element, of) {
			return false
		}
	}
	return true
}

// kinds are the types of JSON values, by what they begin with.
var kinds = map[byte]tftypes.Type{'"': tftypes.String, 't': tftypes.Bool, 'f': tftypes.Bool}

func init() {
	for _, digit := range []byte("-0123456789") {
		kinds[digit] = tftypes.Number
	}
}
