package behavior

import (
	"reflect"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// TestValues_areStable checks that a client that sends back what it read gets the same
// again.
func TestValues_areStable(t *testing.T) {
	t.Parallel()
	in := map[string]any{"valid_after": "2027-01-01T00:00:00Z"}
	for _, sample := range []any{
		nil, "", " Text\n", "*.Example.COM.", "192.0.2.7", "2027-12-01T00:00:00Z", "9999-12-31T23:59:59Z", "https://a.example/b",
		[]any{"bind:Example.COM:443", "[2001:DB8::1]:443", " a  == 'b' "}, map[string]any{"x-one": "A", "n": nil, "deny": []any{"2001:DB8::/32"}},
	} {
		for _, d := range values {
			if d.change == nil {
				continue
			}
			once := d.change(body.Decode(body.Marshal(sample)), in)
			if twice := d.change(body.Decode(body.Marshal(once)), in); !reflect.DeepEqual(body.Marshal(twice), body.Marshal(once)) {
				t.Errorf("%s: %v becomes %v, and then %v", d.name, sample, once, twice)
			}
		}
	}
}
