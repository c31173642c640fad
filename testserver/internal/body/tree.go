package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Marshal encodes value as JSON without escaping the characters <, > and &.
func Marshal(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("testserver: encode a response: %v", err)) // value is always a type of the test server
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// Tree converts value to maps, slices and scalars.
func Tree(value any) any {
	return Decode(Marshal(value))
}

// Decode decodes JSON that the server encoded itself. Numbers keep their
// digits.
func Decode(data []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		panic(fmt.Sprintf("testserver: decode a response: %v", err))
	}
	return tree
}

// DecodeStrict decodes data into value. It returns an error for unknown fields
// and trailing data.
func DecodeStrict(data io.Reader, value any) error {
	decoder := json.NewDecoder(data)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return InWords(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected data after the JSON value")
	}
	return nil
}

// InWords returns an error of encoding/json without words of Go.
func InWords(err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	expected := "an object"
	switch of := strings.TrimLeft(wrong.Type.String(), "*"); {
	case of == "string":
		expected = "a string"
	case of == "bool":
		expected = "true or false"
	case strings.HasPrefix(of, "int"), strings.HasPrefix(of, "uint"), strings.HasPrefix(of, "float"):
		expected = "a number"
	case strings.HasPrefix(of, "[]"):
		expected = "a list"
	}
	found, known := map[string]string{"array": "a list", "object": "an object", "bool": "true or false"}[wrong.Value]
	if !known {
		found = "a " + wrong.Value
	}
	place := ""
	if wrong.Field != "" {
		place = wrong.Field + ": "
	}
	return fmt.Errorf("%sexpected %s, found %s", place, expected, found)
}
