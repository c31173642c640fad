package body

import (
	"strings"
	"testing"
)

func TestObject_number(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"404": 404, "404.0": 404, "4.04e2": 404, "4.04E+2": 404, "40400e-2": 404, "0.0404e4": 404, "-2.0": -2, "0.0": 0, "-0e5": 0,
		"9007199254740991": 1<<53 - 1, "2" + strings.Repeat("0", 50) + "e-50": 2, "1e-400": 0, "1e-999999999": 0,
		"200.5": nil, "2.005e2": nil, "1e-1": nil, "9007199254740992": nil, "1e19": nil, "1e400": nil, "1e999999999": nil,
		"1e9223372036854775807": nil, "1e99999999999999999999": nil, `"404"`: nil, "true": nil,
	} {
		values, err := Parse([]byte(`{"n":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		in := New(values, false, false)
		if got := in.Number("n"); (got == nil) != (want == nil) || in.Failed() != (want == nil) || got != nil && *got != want {
			t.Errorf("%s is read as %v: %v", text, got, in.End())
		}
	}
}
