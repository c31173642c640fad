package attribute

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// JSONObject is the text of a JSON object that configures an action. Two
// objects are the same if they have the same members. The order of members,
// white space, escapes and the notation of numbers are ignored. A member that
// is null is treated as absent, and addresses in allow and deny are compared by
// value.
type JSONObject = Value[jsonObject]

// JSONObjectType is the type of JSONObject.
type JSONObjectType = Type[jsonObject]

type jsonObject struct{}

func (jsonObject) Name() string { return "JSON object" }

func (jsonObject) Check(text string) error { return checkJSONObject(text) }

func (jsonObject) Same(a, b string) bool {
	av, aErr := parseJSON(a)
	bv, bErr := parseJSON(b)
	return aErr == nil && bErr == nil && sameJSON(configOf(av), configOf(bv))
}

// checkJSONObject returns an error if text is not a JSON object, or if two
// members of an object in it have the same name, because JSON does not define
// which one counts.
func checkJSONObject(text string) error {
	text = FileText(text)
	const want = "must be a JSON object, such as jsonencode({ metadata = {} }); "
	value, err := parseJSON(text)
	if err != nil && strings.TrimSpace(text) != "" && !strings.ContainsAny(strings.TrimSpace(text)[:1], "{[\"") {
		return errors.New(want + "found a text that is not JSON")
	}
	if err != nil {
		return fmt.Errorf(want+"found invalid JSON: %w", err)
	}
	switch value.(type) {
	case map[string]any:
		if name := duplicateName(text); name != "" {
			return fmt.Errorf("must not contain duplicate keys; found %s twice. Remove one of them", quote.Bare(name))
		}
		return nil
	case nil:
		return errors.New(want + "found null. Remove config if the action has no configuration")
	case []any:
		return errors.New(want + "found an array")
	case string:
		return errors.New(want + "found a JSON string. If it is encoded twice, remove one jsonencode()")
	}
	return errors.New(want + "found " + quote.Bare(strings.TrimSpace(text)))
}

// maxConfigDepth is the maximum depth of an action's config. A request can be
// 64 levels deep, and five levels of it contain the config.
const maxConfigDepth = 64 - 5

// JSONDepth validates how deep the objects and arrays of a JSON text are
// nested.
var JSONDepth = Limit("not nested too deeply", checkJSONDepth)

// checkJSONDepth returns an error if objects and arrays are nested deeper than
// the service accepts. It returns nil if text is not JSON.
func checkJSONDepth(text string) error {
	value, err := parseJSON(text)
	if found := depthOf(value); err == nil && found > maxConfigDepth {
		return fmt.Errorf("must have at most %d levels of objects and arrays; found %d levels", maxConfigDepth, found)
	}
	return nil
}

// depthOf returns the number of levels of objects and arrays in a JSON value.
func depthOf(value any) int {
	deepest := 0
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			deepest = max(deepest, depthOf(member))
		}
	case []any:
		for _, element := range value {
			deepest = max(deepest, depthOf(element))
		}
	default:
		return 0
	}
	return deepest + 1
}

// duplicateName returns the path of a member that has the same name as another
// member of its object, such as metadata.env, or "" if there is none. The text
// must be valid JSON.
func duplicateName(text string) string {
	type level struct {
		names map[string]bool // nil for an array
		name  string          // of the current member
		index int
	}
	var levels []level
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	for {
		token, err := decoder.Token()
		if err != nil {
			return ""
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			levels = levels[:len(levels)-1]
			continue
		}
		if len(levels) > 0 {
			in := &levels[len(levels)-1]
			in.index++
			if name, ok := token.(string); ok && in.names != nil && in.index%2 == 1 {
				in.name = name
				if in.names[name] {
					var path []string
					for _, l := range levels {
						if l.names != nil {
							path = append(path, l.name)
						}
					}
					return strings.Join(path, ".")
				}
				in.names[name] = true
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, level{})
		}
	}
}

// OptionalJSONObject returns the state of an optional JSON object for the
// service's response. It keeps the known text if it has the same meaning. The
// service does not distinguish an empty object from null.
func OptionalJSONObject(known JSONObject, answer json.RawMessage) JSONObject {
	var text bytes.Buffer
	if json.Compact(&text, answer) != nil || text.String() == "null" || text.String() == "{}" {
		if known.Same(JSONObjectType{}.Of("{}")) {
			return known
		}
		return JSONObjectType{}.Of("")
	}
	value := JSONObjectType{}.Of(text.String())
	if known.Same(value) {
		return known
	}
	return value
}

// parseJSON parses a text that must be a single JSON value. It keeps numbers as
// they are written.
func parseJSON(text string) (any, error) {
	text = FileText(text)
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("%w, at byte %d", err, syntax.Offset)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("unexpected end of JSON")
		}
		return nil, err
	}
	if more := strings.TrimLeft(text[decoder.InputOffset():], " \t\r\n"); more != "" {
		return nil, fmt.Errorf("unexpected data after the JSON value, at byte %d", len(text)-len(more)+1)
	}
	return value, nil
}

func sameJSON(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, sameJSON)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, sameJSON)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(a.String(), b.String())
	}
	return a == b
}

// sameNumber reports whether two JSON numbers have exactly the same value: 1.0
// is 1, but 9007199254740993 is not 9007199254740992.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	aDigits, aExponent, aOK := decimal(a)
	bDigits, bExponent, bOK := decimal(b)
	return aOK && bOK && aDigits == bDigits && aExponent == bExponent
}

// decimal splits a JSON number into its sign and digits, without zeros at
// either end, and its exponent to the base ten. ok is false if the exponent
// does not fit in 32 bits.
func decimal(number string) (digits string, exponent int, ok bool) {
	mantissa, power, hasPower := strings.Cut(strings.ToLower(number), "e")
	if hasPower {
		parsed, err := strconv.ParseInt(power, 10, 32)
		if err != nil {
			return "", 0, false
		}
		exponent = int(parsed)
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	digits = strings.TrimRight(all, "0")
	exponent += len(all) - len(digits) - len(fraction)
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		return "0", 0, true
	case negative:
		digits = "-" + digits
	}
	return digits, exponent, true
}
