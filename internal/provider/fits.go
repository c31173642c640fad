package provider

import (
	"bytes"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// fits tells whether a JSON text is a value of a type with nothing on top, so that
// Terraform can take it as it is. What is left out is null.
func fits(text []byte, of tftypes.Type) bool {
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	return valueFits(tokens, of)
}

func valueFits(tokens *json.Decoder, of tftypes.Type) bool {
	token, err := tokens.Token()
	if err != nil {
		return false
	}
	switch token := token.(type) {
	case nil:
		return true
	case string:
		return of.Is(tftypes.String)
	case bool:
		return of.Is(tftypes.Bool)
	case json.Number:
		return of.Is(tftypes.Number)
	case json.Delim:
		switch of := of.(type) {
		case tftypes.Object:
			return token == '{' && membersFit(tokens, func(name string) tftypes.Type { return of.AttributeTypes[name] })
		case tftypes.Map:
			return token == '{' && membersFit(tokens, func(string) tftypes.Type { return of.ElementType })
		case tftypes.List:
			return token == '[' && elementsFit(tokens, of.ElementType)
		case tftypes.Set:
			return token == '[' && elementsFit(tokens, of.ElementType)
		}
	}
	return false
}

func membersFit(tokens *json.Decoder, of func(name string) tftypes.Type) bool {
	for tokens.More() {
		token, err := tokens.Token()
		name, ok := token.(string)
		if err != nil || !ok || of(name) == nil || !valueFits(tokens, of(name)) {
			return false
		}
	}
	_, err := tokens.Token()
	return err == nil
}

func elementsFit(tokens *json.Decoder, of tftypes.Type) bool {
	for tokens.More() {
		if !valueFits(tokens, of) {
			return false
		}
	}
	_, err := tokens.Token()
	return err == nil
}
