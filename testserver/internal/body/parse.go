package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// maxDepth is the maximum nesting depth of objects and lists in a request body.
const maxDepth = 64

// maxAnswerDepth is the maximum depth of an object that the API returns. A module has
// fewer levels in a request of its own than in an object that contains it.
const maxAnswerDepth = maxDepth + 4

// Parse parses a request body strictly: valid UTF-8, exactly one JSON
// object, no duplicate keys, and at most maxDepth levels. Errors do not contain
// values, because they can be secrets.
func Parse(body []byte) (map[string]any, error) { return parse(body, maxDepth) }

// ParseAnswer is Parse for an object that the API returned, with at most maxAnswerDepth
// levels.
func ParseAnswer(body []byte) (map[string]any, error) { return parse(body, maxAnswerDepth) }

func parse(body []byte, most int) (map[string]any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, problem.Invalid("", "the request body is empty: expected a JSON object")
	}
	p := bodyParser{json.NewDecoder(bytes.NewReader(body)), most}
	p.decoder.UseNumber()
	value, err := p.value("", 0)
	if err != nil {
		return nil, err
	}
	values, isObject := value.(map[string]any)
	_, after := p.decoder.Token()
	switch {
	case !utf8.Valid(body):
		return nil, problem.Invalid("", "the request body is not valid UTF-8")
	case halfCharacter(body):
		return nil, problem.Invalid("", `the request body has half of an escaped character, such as \ud83d without \ude00`)
	case !errors.Is(after, io.EOF):
		return nil, problem.Invalid("", "unexpected data after the JSON object in the request body")
	case !isObject:
		return nil, problem.Invalid("", "invalid request body: expected a JSON object")
	}
	return values, nil
}

// escapes are escaped backslashes, whole surrogate pairs and, in a group, their halves.
var escapes = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|(\\u[dD][89a-fA-F])`)

// halfCharacter reports whether JSON has half of a surrogate pair, which encoding/json
// would replace.
func halfCharacter(body []byte) bool {
	if !bytes.Contains(body, []byte(`\u`)) {
		return false
	}
	return slices.ContainsFunc(escapes.FindAllSubmatch(body, -1), func(found [][]byte) bool { return found[1] != nil })
}

// FileText returns the content of a text file without the byte order mark that some
// editors write at its beginning, and JSON does not allow.
func FileText(content []byte) []byte { return bytes.TrimPrefix(content, []byte("\ufeff")) }

type bodyParser struct {
	decoder *json.Decoder
	most    int // levels
}

var errSyntax = problem.Invalid("", "the request body is not valid JSON")

// value parses the next value. path is its location, for example
// inbound[0].name. depth is the number of enclosing objects and lists.
func (p bodyParser) value(path string, depth int) (any, error) {
	token, err := p.decoder.Token()
	if err != nil {
		return nil, errSyntax
	}
	delimiter, opens := token.(json.Delim)
	if !opens {
		return token, nil
	}
	if depth == p.most {
		return nil, problem.Invalid(topField(path), "the request body is nested too deeply: expected at most %d levels", p.most)
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
			return nil, problem.Invalid(problem.FieldName(path+name), "duplicate key %s", problem.Printable(name))
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
		element, err := p.value(Element(path, len(elements)), depth)
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

// CheckContentType returns a 415 if a request does not declare its body as JSON, or
// declares it as encoded.
func CheckContentType(header http.Header) error {
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return &problem.Problem{Status: http.StatusUnsupportedMediaType,
			Message: "unsupported Content-Encoding " + problem.Printable(encoding) + ": send the body without one"}
	}
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err == nil && kind == "application/json" {
		return nil
	}
	return &problem.Problem{Status: http.StatusUnsupportedMediaType, Message: "invalid Content-Type header: expected application/json"}
}

// topField returns the first field of a path.
func topField(path string) string {
	if end := strings.IndexAny(path, ".["); end >= 0 {
		path = path[:end]
	}
	return problem.FieldName(path)
}
