package policy_test

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

func TestSame_expressions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"true", " true\n", true},
		{"conn.x == 'a  b'", "conn.x=='a  b' // the office", true},
		{"conn.x == 'a'", `conn.x == "a"`, true},
		{"conn.x == 'a\\u0062'", `conn.x == 'ab'`, true},
		{"a && b || c", "((a && b)\n\t|| c)", true},
		{"x.exists(y, y == 1)", "x . exists( y,y==1 )", true},
		{"conn.x == 31", "conn.x == 0x1F", true},
		{"{'a': 1, b: [?c]}[d]", "{ 'a':1, b:[ ?c ] }[ d ]", true},
		{"A{b: 1}", "A{ b : 1 }", true},
		{"conn.x == 'a  b'", "conn.x == 'a b'", false},
		{"conn.x == 1", "conn.x == 1.0", false},
		{"conn.x == '1'", "conn.x == 1", false},
		{"conn.x == 'a'", "conn.x == b'a'", false},
		{"a && (b || c)", "a && b || c", false},
		{"a - b", "b - a", false},
		{"a.b", "has(a.b)", false},
		{"x.exists(y, y == 1)", "x.exists(z, z == 1)", false},
		{"x.all(y, y == 1)", "x.exists(y, y == 1)", false},
		{"f(a)", "a.f()", false},
		{"f(a, b)", "f(a)", false},
		{"[a, [b]]", "[a, b]", false},
		{"[[a], b]", "[[a, b]]", false},
		{"[a]", "[?a]", false},
		{"{'a': 1}", "{?'a': 1}", false},
		{"A{b: 1}", "A{c: 1}", false},
		{"A{b: 1}", "B{b: 1}", false},
		{"a = 1", "a  = 1", false},
		{"", " ", false},
	} {
		if got := policy.Same(test.a, test.b); got != test.same {
			t.Errorf("%q, %q: %t", test.a, test.b, got)
		}
	}
}
