package crud

import "testing"

// A service may omit enabled: the module is enabled then.
func TestEnabledOf_withoutAValueIsTrue(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, test := range map[string]struct {
		answer *bool
		want   bool
	}{"omitted": {nil, true}, "true": {&yes, true}, "false": {&no, false}} {
		if got := EnabledOf(test.answer); got.ValueBool() != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
