package attribute

import (
	"strings"
	"testing"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/parser"
)

var goodExpressions = []string{
	"true",
	"conn.client_ip in ['192.0.2.1', '2001:db8::1']",
	"conn.client_ip.matches('^10\\\\.') && !(conn.server_name in ['a.example.com'])",
	"conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'",
	"has(conn.tls.sni) ? conn.tls.sni.endsWith('.example.com') : false",
	"['192.0.2.0/24', '198.51.100.0/24'].exists(range, inCidrRange(conn.client_ip, range))",
	"conn.geo.country_code in {'DE': 1, 'FR': 2} // Europe",
	"size(conn.name) > 3u && conn.ratio < 1.5e3 || conn.raw == b'\\x00' || r'\\d' == conn.x",
	"conn.labels['env'] ==\n\t'prod'",
	"conn.x in {,}",
	"conn.?labels[?'env'].orValue('') in [?conn.?a, 'b'] || {?'k': conn.?b} == {}",
	"'ü' == \"ü\" && conn.`with-hyphen` == null",
}

func TestCEL_accepted(t *testing.T) {
	t.Parallel()
	for _, expression := range goodExpressions {
		if err := CheckCEL(expression); err != nil {
			t.Errorf("%s: %v", expression, err)
		}
	}
}

func TestCEL_errorShowsPosition(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expression, place, arrow string }{
		{"conn.client_ip ==", "Line 1, column 18", "  | conn.client_ip ==\n  |                  ^"},
		{"conn.client_ip = '192.0.2.1'", "Line 1, column 16", "  | conn.client_ip = '192.0.2.1'\n  |                ^"},
		{"a &&\n\tb and c", "Line 2, column 4", "  | \tb and c\n  | \t  ^"},
		{"'ünder' == conn.x)", "Line 1, column 18", "  | 'ünder' == conn.x)\n  |                  ^"},
		{"f(", "Line 1, column 3", "  | f(\n  |   ^"},
		{"conn.x == 'open", "Line 1, column 11", "  | conn.x == 'open\n  |           ^"},
		{"has(conn)", "Line 1, column 5", "  | has(conn)\n  |     ^"},
		{"conn.client_ip == '192.0.2.1' && a.x = yz", "Line 1, column 38", "  |  '192.0.2.1' && a.x = yz\n  |                     ^"},                                 // 41 runes
		{"conn.client_ip == '192.0.2.1' && a.x = y", "Line 1, column 38", "  | conn.client_ip == '192.0.2.1' && a.x = y\n  |                                      ^"}, // 40 runes
		{"if", "Line 1, column 1", "  | if\n  | ^"},
	} {
		err := CheckCEL(c.expression)
		if err == nil || !strings.Contains(err.Error(), c.place) || !strings.Contains(err.Error(), "\n"+c.arrow+"\n") {
			t.Errorf("%s: %v\nwant %s and\n%s", c.expression, err, c.place, c.arrow)
		}
	}
	for _, nothing := range []string{"", " \n"} {
		if err := CheckCEL(nothing); err == nil || !strings.Contains(err.Error(), "found an empty string") {
			t.Errorf("%q: %v", nothing, err)
		}
	}
	for _, deep := range []string{strings.Repeat("(", 100_000), strings.Repeat("a.b+", 100_000) + "c"} {
		if CheckCEL(deep) == nil {
			t.Error("an endless expression is accepted")
		}
	}
}

func TestCEL_errorIsSafeToShow(t *testing.T) {
	t.Parallel()
	err := CheckCEL("conn.x == 'a' &&\n\x1b[31m\u202e::error::x\u0085")
	if err == nil {
		t.Fatal("no error")
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if strings.ContainsAny(line, "\x1b\u202e\u0085") || strings.HasPrefix(strings.TrimSpace(line), "::") {
			t.Errorf("%q", line)
		}
	}
}

func TestCEL_errorTranslatesOperators(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"a = 'b'":                               "Use == to compare two values",
		"a =~ 'b'":                              "Use matches() for a regular expression",
		"a === 'b'":                             "Use == to compare two values",
		"a == 'b' and c":                        `Use && instead of "and"`,
		"a == 'b' OR c":                         `Use || instead of "OR"`,
		"a &&\n\tb and c":                       `Use && instead of "and"`,
		"not a":                                 `Use ! instead of "not"`,
		"a && (Not b)":                          `Use ! instead of "Not"`,
		"a not in ['b']":                        "Use !(a in b) instead of a not in b",
		"a <> 'b'":                              "Use != instead of <>",
		"a in 10.0.0.0/8":                       "and a range as inCidrRange(conn.client_ip, '192.0.2.0/24')",
		"a 192.0.2.1":                           "Write an address as a string",
		"a b in c":                              "Expected an expression such as",
		"a not b":                               `Use ! instead of "not"`,
		"a == 192.0.2.1":                        "Write an address as a string",
		"a == '192.0.2.1' || b == 192.0.2.2":    "Write an address as a string",
		"a == b || a == '192.0.2.1' and b == c": `Use && instead of "and"`,
		"a > > 'b'":                             "Expected an expression such as",
		"(a == 'b'":                             "Expected an expression such as",
		"a == “b”":                              `Use straight quotes (' or ") around a string`,
		"a == 'b":                               "Close the string with the same quote that begins it",
		"a == 'b' android":                      "Expected an expression such as",
		"ünder == 'b' and 'c":                   "", // the string is not terminated
	} {
		if err := CheckCEL(expression); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", expression, err, want)
		}
	}
}

func TestCEL_errorIsWrittenForPeople(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]string{
		"conn.client_ip ==": "Line 1, column 18: the expression ends too early; expected a value",
		"f(a":               "Line 1, column 4: the expression ends too early; expected ')'",
		"f(1.2.0)":          "Line 1, column 6: expected ')'; found '.0'",
	} {
		if err := CheckCEL(expression); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nwant %s", expression, err, want)
		}
	}
}

// FuzzCEL_parse compares CheckCEL with the parser that is generated from the
// language's grammar: CheckCEL never panics, and accepts every expression that
// this parser accepts.
func FuzzCEL_parse(f *testing.F) {
	for _, expression := range goodExpressions {
		f.Add(expression)
	}
	for _, expression := range []string{"a = b", "f(", "'", "a ? b", "{a: 1, }", "[1,]", "a.b{c: 1}", "-1 - -1", "!!a", "0x1F", "1u", ".5", "a[?0]", "b\"\\u00e9\""} {
		f.Add(expression)
	}
	grammar, err := parser.NewParser(parser.Macros(parser.AllMacros...))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		if len(expression) > 10_000 {
			return
		}
		ours := CheckCEL(expression)
		_, found := grammar.Parse(common.NewTextSource(expression))
		if ours != nil && len(found.GetErrors()) == 0 {
			t.Errorf("%q is good CEL, but: %v", expression, ours)
		}
	})
}
