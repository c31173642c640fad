package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxDepth is how deep a request body may be nested.
const maxDepth = 64

// parseObject reads a request body strictly: valid UTF-8, one JSON object and nothing after it, no key twice, not too deep.
func parseObject(body []byte) (*object, error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	value, err := parseValue(decoder, 0)
	if err == nil && !utf8.Valid(body) {
		err = errors.New("it is not valid UTF-8")
	}
	if _, after := decoder.Token(); err == nil && !errors.Is(after, io.EOF) {
		err = errors.New("something follows the first value")
	}
	values, isObject := value.(map[string]any)
	if err == nil && !isObject {
		err = errors.New("it is not an object")
	}
	if err != nil {
		return nil, invalid("", "the body must be one JSON object: %v", err)
	}
	return newObject("", values, new(error)), nil
}

var errSyntax = errors.New("syntax error")

// parseValue reads the next value. Errors never quote the body, which may hold secrets.
func parseValue(decoder *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	token, err := decoder.Token()
	if err != nil {
		return nil, errSyntax
	}
	switch token {
	case json.Delim('{'):
		return parseMembers(decoder, depth)
	case json.Delim('['):
		return parseElements(decoder, depth)
	}
	return token, nil
}

func parseMembers(decoder *json.Decoder, depth int) (map[string]any, error) {
	members := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		name, isString := token.(string)
		if err != nil || !isString {
			return nil, errSyntax
		}
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("the key %s is there twice", printable(name))
		}
		if members[name], err = parseValue(decoder, depth+1); err != nil {
			return nil, err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errSyntax
	}
	return members, nil
}

func parseElements(decoder *json.Decoder, depth int) ([]any, error) {
	elements := []any{}
	for decoder.More() {
		element, err := parseValue(decoder, depth+1)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, errSyntax
	}
	return elements, nil
}
