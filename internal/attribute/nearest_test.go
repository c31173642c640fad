package attribute

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

func TestNearest_functions(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"incidrrange": "inCidrRange", "inCIDRRange": "inCidrRange", "inCidr": "inCidrRange", "inCidrRage": "inCidrRange", "startWith": "startsWith",
		"exist": "exists", "match": "matches", "len": "", "isBot": "", "f": "", strings.Repeat("a", 100_000): "", "inCidrRangs": "inCidrRange",
	} {
		if got := Nearest(name, policy.Functions()...); got != want {
			t.Errorf("%.20s: got %q; expected %q", name, got, want)
		}
	}
}
