package attribute

import (
	"strings"
	"testing"
)

func TestIPRange_sameAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.0/24", "192.0.2.7/24", true},
		{"192.0.2.7", "192.0.2.7/32", true},
		{"2001:DB8::1", "2001:db8:0:0::1/128", true},
		{"192.0.2.0/24", "192.0.2.0/25", false},
		{"192.0.2.7", "192.0.2.8", false},
		{"::ffff:192.0.2.7", "192.0.2.7", false},
		{"a", "a", false},
	} {
		if same := (ipRange{}).Same(test.a, test.b); same != test.same {
			t.Errorf("%s and %s: %t", test.a, test.b, same)
		}
	}
}

func TestIPRange_form(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"192.0.2.0/24", "0.0.0.0/0", "2001:db8::/32", "192.0.2.7"} {
		if err := (ipRange{}).Check(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, test := range [][2]string{
		{"", "192.0.2.0/24; found"},
		{"192.0.2.0/33", `found "192.0.2.0/33"`},
		{"example.com", `found "example.com"`},
		{" 192.0.2.0/24\n", "trimspace"},
		{"fe80::1%eth0", "found"},
	} {
		if err := (ipRange{}).Check(test[0]); err == nil || !strings.Contains(err.Error(), test[1]) {
			t.Errorf("%q: %v, want %s", test[0], err, test[1])
		}
	}
}
