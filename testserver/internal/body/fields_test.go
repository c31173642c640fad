package body

import (
	"strings"
	"testing"
)

func TestObject_number(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"404": 404, "404.0": 404, "4.04e2": 404, "4.04E+2": 404, "40400e-2": 404, "0.0404e4": 404, "-2.0": -2, "0.0": 0, "-0e5": 0,
		"9223372036854775807": 9223372036854775807, "1e18": 1e18, "2" + strings.Repeat("0", 50) + "e-50": 2,
	} {
		values, err := Parse([]byte(`{"n":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		in := New(values, false, false)
		if got := in.Number("n"); got == nil || *got != want || in.Failed() {
			t.Errorf("%s is read as %v: %v", text, got, in.End())
		}
	}
	for _, text := range []string{
		"200.5", "2.005e2", "1e-1", "9223372036854775808", "1e19", "1e400", "1e-400", "1e999999999", "1e-999999999",
		"1e9223372036854775807", "1e99999999999999999999", `"404"`, "true",
	} {
		values, err := Parse([]byte(`{"n":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		in := New(values, false, false)
		if got := in.Number("n"); got != nil || !in.Failed() {
			t.Errorf("%s is accepted", text)
		}
	}
}
