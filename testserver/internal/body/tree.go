package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
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

// DecodeStrict decodes a text into value. It returns an error for unknown fields and
// trailing data, without words of Go.
func DecodeStrict(text []byte, value any) error {
	reader := bytes.NewReader(text)
	decoder := json.NewDecoder(reader)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return inWords(err, text, value)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: expected the end of the text; found more", lineAt(text, decoder.InputOffset()))
	}
	return nil
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
}

// inWords returns an error of encoding/json in words of the reader.
func inWords(err error, text []byte, value any) error {
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && int(wrong.Offset) <= len(text) && wrong.Offset > 0 {
		if strings.HasPrefix(wrong.Error(), "unexpected end") {
			return fmt.Errorf("line %d: expected more JSON; found the end of the text", lineAt(text, wrong.Offset))
		}
		return fmt.Errorf("line %d: expected JSON; found %q", lineAt(text, wrong.Offset), string(text[wrong.Offset-1]))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("expected JSON; found the end of the text")
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		known := members(value)
		return fmt.Errorf("unknown field %s%s: expected %s", name, problem.Nearest(strings.Trim(name, `"`), known), strings.Join(known, ", "))
	}
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

// members returns the names of the members of the structs in a value.
func members(value any) []string {
	var names []string
	var add func(of reflect.Type)
	add = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice:
			add(of.Elem())
		case reflect.Struct:
			for field := range of.Fields() {
				if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
					names = append(names, name)
				}
				add(field.Type)
			}
		}
	}
	add(reflect.TypeOf(value))
	slices.Sort(names)
	return names
}
