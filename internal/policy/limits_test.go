package policy_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

// nested returns nested macros over 20 elements.
func nested(macro, inner string) string {
	for i := range 12 {
		inner = fmt.Sprintf("l.%s(a%d, %s)", macro, i, inner)
	}
	return "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]].all(l, " + inner + ")"
}

// numbered joins texts with numbers.
func numbered(format string, count int) string {
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}

// TestDecide_hostileExpressions evaluates expressions that would take hours, or
// fill the memory.
func TestDecide_hostileExpressions(t *testing.T) {
	t.Parallel()
	const steps, large, unknown = "takes too many steps", "values that are too large", "more than 200 variables and functions that are not known"
	for name, test := range map[string]struct{ expression, want string }{
		"nested all":               {nested("all", "true"), steps},
		"nested exists":            {nested("exists", "false"), steps},
		"nested map":               {nested("map", "1"), large},
		"text that doubles":        {"['x']" + strings.Repeat(".map(a, a + a)", 60) + "[0] == 'a'", large},
		"list in itself":           {"[[1]]" + strings.Repeat(".map(a, [a, a])", 60) + ".exists(a, a == a)", large},
		"list of the connection":   {"conn.list.all(a, conn.list.all(b, conn.list.all(c, a != '')))", steps},
		"literal in a loop":        {"conn.list.all(i, conn.list.all(j, !(i in [" + strings.Repeat("'a',", 5_000) + "'b'])))", steps},
		"large regular expression": {"'a'.matches('" + strings.Repeat("x{1000}", 1000) + "')", steps},
		"slow regular expression":  {"conn.long.matches('" + strings.Repeat("(a?b?)*", 1000) + "')", steps},
		"text replaced by itself":  {"conn.long.replace('', conn.long) == 'a'", steps},
		"search in a text":         {"conn.list.all(i, conn.long.lastIndexOf(i) == 0 || conn.long.indexOf(i) == -1)", steps},
		"many variables":           {numbered("v%d || ", 5000) + "v", unknown},
		"many members":             {"conn.list.all(i, conn[i] == 'a' && conn[i + 'b'] == 'a' && conn[i + 'c'] == 'a')", unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			connection := map[string]any{"conn": map[string]any{"text": strings.Repeat("a", 1<<20), "long": strings.Repeat("a", 10_000), "list": texts(100)}}
			got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{on(test.expression, deny)}}, "inbound", connection)
			if got.Decision != policy.Undetermined || !strings.Contains(got.Reason, test.want) || len(got.Reason) > 2000 {
				t.Errorf("%s: %.2000q, want %q", got.Decision, got.Reason, test.want)
			}
		})
	}
}

func texts(count int) []any {
	list := make([]any, count)
	for i := range list {
		list[i] = fmt.Sprint("member", i)
	}
	return list
}

// TestDecide_manyExpressions checks that the limit of a policy stops it, but not
// the rules that need no evaluation.
func TestDecide_manyExpressions(t *testing.T) {
	t.Parallel()
	var rules []policy.Rule
	for range 100 {
		rules = append(rules, on(nested("all", "true"), deny))
	}
	got := policy.Decide(t.Context(), policy.Policy{Inbound: rules}, "inbound", office)
	if want := "the expressions of the policy take more than 500000 steps"; got.Decision != policy.Undetermined || !strings.Contains(got.Reason, want) {
		t.Errorf("%s: %.2000q, want %q", got.Decision, got.Reason, want)
	}
	if got := policy.Decide(t.Context(), policy.Policy{Inbound: append(rules, always(deny))}, "inbound", office); got.Decision != policy.Deny {
		t.Errorf("%s: %.2000q, want a denial", got.Decision, got.Reason)
	}
}

// TestDecide_largeButHonest checks that what policies need is far below the
// limits.
func TestDecide_largeButHonest(t *testing.T) {
	t.Parallel()
	addresses := "'192.0.2.1'" + numbered(", '198.51.100.%d'", 1000)
	var rules []policy.Rule
	for range 100 {
		rules = append(rules, on("conn.client_ip in ["+addresses+"]", deny))
	}
	rules = append(rules, on("conn.tls.sni.matches('^("+strings.Repeat("[a-z]+[.]internal[.]example[.]org|", 20)+"localhost)$')", deny))
	rules = append(rules, on("["+addresses+"].exists(a, a == conn.client_ip) || conn.client_ip.matches('^203[.]0[.]113[.][0-9]{1,3}$')", deny))
	if got := policy.Decide(t.Context(), policy.Policy{Inbound: rules}, "inbound", office); got.Decision != policy.Deny || got.Rule == nil || got.Rule.Index != 101 {
		t.Errorf("%+v", got)
	}
}

func TestDecide_rangeIsNoText(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{"inCidrRange(conn.client_ip, size('a'))", "inCidrRange(size('a'), '10.0.0.0/8')"} {
		connection := map[string]any{"conn": map[string]any{"client_ip": "192.0.2.1"}}
		got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{on(expression, deny)}}, "inbound", connection)
		if got.Decision != policy.Undetermined || !strings.Contains(got.Reason, "inCidrRange expects two strings") {
			t.Errorf("%s: %+v", expression, got)
		}
	}
}

// interrupted is a context that is canceled after a number of questions.
type interrupted struct {
	context.Context
	left int
}

func (c *interrupted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestDecide_canceledWhileEvaluating(t *testing.T) {
	t.Parallel()
	got := policy.Decide(&interrupted{t.Context(), 5}, policy.Policy{Inbound: []policy.Rule{on(nested("all", "true"), deny)}}, "inbound", office)
	if want := "the evaluation was canceled"; got.Decision != policy.Undetermined || !strings.Contains(got.Reason, want) {
		t.Errorf("%+v, want %q", got, want)
	}
}

func TestDecide_reasonIsOneLine(t *testing.T) {
	t.Parallel()
	got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{on(`{'a': 1}['\x1b[31m\n::error::x'] == 1 || conn['\n::error::y\u202e'] == 'a'`, deny)}}, "inbound", office)
	if all := got.Reason + strings.Join(got.Missing, ""); strings.ContainsAny(all, "\n\x1b\u202e") {
		t.Errorf("%q", all)
	}
}
