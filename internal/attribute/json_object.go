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
)

// JSONObject is a JSON object as a text, such as jsonencode makes. Two are the
// same when they hold the same members: their order, white space, escapes and
// the notation of numbers make no difference.
type JSONObject = Value[jsonObject]

// JSONObjectType is the type of JSONObject.
type JSONObjectType = Type[jsonObject]

type jsonObject struct{}

func (jsonObject) Name() string { return "JSON object" }

func (jsonObject) Check(text string) error { return CheckJSONObject(text) }

func (jsonObject) Same(a, b string) bool {
	av, aErr := parseJSON(a)
	bv, bErr := parseJSON(b)
	return aErr == nil && bErr == nil && sameJSON(av, bv)
}

// CheckJSONObject says what keeps a text from being a JSON object.
func CheckJSONObject(text string) error {
	const want = "must be a JSON object, such as jsonencode({ metadata = {} }); "
	value, err := parseJSON(text)
	if err != nil {
		return fmt.Errorf(want+"found a text that is no JSON: %w", err)
	}
	switch value.(type) {
	case map[string]any:
		return nil
	case nil:
		return errors.New(want + "found null: leave it out where there is nothing to say")
	case []any:
		return errors.New(want + "found an array")
	case string:
		return errors.New(want + "found a string: it was encoded twice, perhaps")
	}
	return errors.New(want + "found " + strings.TrimSpace(text))
}

// OptionalJSONObject returns the state of an optional JSON object after the
// service's answer, in the spelling that is known where it means the same. To
// the service, one without members is like none.
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

// parseJSON reads a JSON text whole, and keeps its numbers as they are written.
func parseJSON(text string) (any, error) {
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("%w, at byte %d", err, syntax.Offset)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("it ends too early")
		}
		return nil, err
	}
	if more := strings.TrimLeft(text[decoder.InputOffset():], " \t\r\n"); more != "" {
		return nil, fmt.Errorf("there is more after its end, at byte %d", len(text)-len(more)+1)
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

// sameNumber tells whether two JSON numbers have the same value, to the last
// digit: 1.0 is 1, and 9007199254740993 is not 9007199254740992.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	aDigits, aExponent, aOK := decimal(a)
	bDigits, bExponent, bOK := decimal(b)
	return aOK && bOK && aDigits == bDigits && aExponent == bExponent
}

// decimal takes a JSON number apart: its sign and digits, without zeros at
// either end, times ten to the exponent. It is false for an exponent that
// nobody means.
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
