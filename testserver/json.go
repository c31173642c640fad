package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth is how many objects and lists a request body may have inside each other.
const maxDepth = 64

// parseBody reads a request body strictly: valid UTF-8, one JSON object and nothing after it, no duplicate key, not too
// deep. Errors never quote a value, which may be a secret.
func parseBody(body []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, invalid("", "the body is empty; it must be a JSON object")
	}
	p := bodyParser{json.NewDecoder(bytes.NewReader(body))}
	p.decoder.UseNumber()
	value, err := p.value("", 0)
	if err != nil {
		return nil, err
	}
	values, isObject := value.(map[string]any)
	_, after := p.decoder.Token()
	switch {
	case !utf8.Valid(body):
		return nil, invalid("", "the body is not valid UTF-8")
	case !errors.Is(after, io.EOF):
		return nil, invalid("", "the body must be one JSON object with nothing after it")
	case !isObject:
		return nil, invalid("", "the body must be a JSON object")
	}
	return values, nil
}

type bodyParser struct {
	decoder *json.Decoder
}

var errSyntax = invalid("", "the body is not valid JSON")

// value reads the next value. path is where it is, such as inbound[0].name; depth is how many objects and lists are
// around it.
func (p bodyParser) value(path string, depth int) (any, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return nil, errSyntax
	}
	delimiter, opens := token.(json.Delim)
	if !opens {
		return token, nil
	}
	if depth == maxDepth {
		return nil, invalid(topField(path), "the body is nested more than %d deep", maxDepth)
	}
	if delimiter == '{' {
		return p.members(path, depth+1)
	}
	return p.elements(path, depth+1)
}

func (p bodyParser) members(path string, depth int) (map[string]any, error) {
	if path != "" {
		path += "."
	}
	members := map[string]any{}
	for p.decoder.More() {
		token, err := p.decoder.Token()
		name, isString := token.(string)
		if err != nil || !isString {
			return nil, errSyntax
		}
		if _, twice := members[name]; twice {
			return nil, invalid(fieldName(path+name), "the key %s is there twice", printable(name))
		}
		if members[name], err = p.value(path+name, depth); err != nil {
			return nil, err
		}
	}
	return members, p.end()
}

func (p bodyParser) elements(path string, depth int) ([]any, error) {
	elements := []any{}
	for p.decoder.More() {
		element, err := p.value(element(path, len(elements)), depth)
		if err != nil {
			return nil, err
		}
		elements = append(elements, element)
	}
	return elements, p.end()
}

func (p bodyParser) end() error {
	if _, err := p.decoder.Token(); err != nil {
		return errSyntax
	}
	return nil
}

// topField returns the field of the body that a path begins with.
func topField(path string) string {
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	return fieldName(path)
}
