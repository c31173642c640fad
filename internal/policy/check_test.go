package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

// TestCheck_findsWhatNeverMatches checks expressions of valid CEL that no
// connection can satisfy, with the place of each problem.
func TestCheck_findsWhatNeverMatches(t *testing.T) {
	t.Parallel()
	const noRange, swapped = " is not a range in CIDR notation", "the arguments are swapped"
	for expression, want := range map[string][]string{
		"inCidrRange(conn.client_ip, '10.0.0.0/33')":                              {`1:29 inCidrRange: "10.0.0.0/33"` + noRange},
		"true && !inCidrRange('10.0.0.0/8', conn.client_ip)":                      {"1:10 " + swapped},
		"inCidrRange('10.0.0.0/8', conn.x)":                                       {"1:1 " + swapped},
		"inCidrRange('office', '10.0.0.0/8')":                                     {`1:13 inCidrRange: "office" is not an IPv4 or IPv6 address`},
		"inCidrRange(conn.client_ip)":                                             {"1:1 found 1 arguments"},
		"inCidrRange(conn.client_ip, ['10.0.0.0/8'])":                             {"1:29 expects two strings"},
		"inCidrRange(conn.client_ip, 8)":                                          {"1:29 expects two strings"},
		"['10.0.0.0/8', '10.0.0.0/33'].exists(r, inCidrRange(conn.client_ip, r))": {`1:16 "10.0.0.0/33"` + noRange},
		"inCidrRanges(conn.client_ip, ['10.0.0.0/8', '192.0.2.1'])":               {`1:45 inCidrRanges: "192.0.2.1"` + noRange},
		"inCidrRanges(conn.client_ip, '10.0.0.0/8')":                              {"1:30 expects a string and a list"},
		"conn.client_ip in '10.0.0.0/8'":                                          {"1:19 use inCidrRange(conn.client_ip, '10.0.0.0/8')"},
		"conn.client_ip in ['192.0.2.1', '10.0.0.0/8']":                           {"1:33 Use inCidrRange(conn.client_ip, '10.0.0.0/8')"},
		"conn.client_ip == '10.0.0.300'":                                          {`1:19 "10.0.0.300" is not an IPv4 or IPv6 address`},
		"true &&\n\tconn.client_ip == '10.0.0.300'":                               {`2:20 "10.0.0.300"`},
		"'ü' == conn.x && isBot (conn.client_ip)":                                 {"1:18 unknown isBot"},
		"conn.tls.sni.startWith('a') || rand.double() > 0.5":                      {"1:14 unknown startWith", "1:37 unknown rand.double"},
		"conn.geo.country_code == 'de'":                                           {`1:26 conn.geo.country_code is two capital letters, such as 'DE', and is compared with "de"`},
		"'443' != conn.client_port":                                               {`1:1 conn.client_port is a number and is compared with the string "443". Remove the quotes`},
		"'x' || f(1)":                                                             {"1:1 a string", "1:8 unknown f"},
		"true || 'x' ||\nf(1)":                                                    {"1:9 a string", "2:1 unknown f"},
		"1 + 1":                                                                   {"1:3 the result of + cannot be true or false"},
		"true && (conn.client_ip || 1)":                                           {"1:10 the value of conn.client_ip", "1:28 an int"},
		"conn.x ? 'deny' : true":                                                  {"1:10 a string"},
		"['a'].filter(x, x == 'a')":                                               {"1:1 a list"},
		"{'a': 1}":                                                                {"1:1 a map"},
	} {
		found := policy.Check(expression)
		for i, one := range found {
			reason := one.Reason
			if one.Kind == policy.UnknownFunction {
				reason = "unknown " + one.Function
			}
			place, part, _ := strings.Cut(append(want, "", "")[i], " ")
			if at := fmt.Sprintf("%d:%d", one.Line, one.Column); at != place || !strings.Contains(reason, part) || part == "" {
				t.Errorf("%s: found at %s: %s; expected %q", expression, at, reason, want)
			}
		}
		if len(found) != len(want) {
			t.Errorf("%s: found %d problems; expected %q", expression, len(found), want)
		}
	}
}

// TestCheck_keepsOpenWhatMayMatch checks that nothing is reported that a service
// can give a meaning, except functions.
func TestCheck_keepsOpenWhatMayMatch(t *testing.T) {
	t.Parallel()
	for _, expression := range []string{
		"conn.geo.country_code in ['DE', conn.x]", "conn.client_port == 443", "conn.client_port == conn.x", "conn.geo.country_code.startsWith('d')",
		"true", "conn.x", "conn.labels.env == 'x'", "conn.labels['ip'] == '10.0.0.0/8'", "conn.my_ip == 'x'", "conn.x in conn.y", "now > conn.ts.start",
		"conn.client_ip == '2001:db8::1'", "conn.client_ip == conn.labels.ip", "conn.client_ip in ['192.0.2.1', conn.x]", "conn.client_ip.startsWith('10.')",
		"inCidrRange(conn.client_ip, conn.office)", "inCidrRange(conn.x, '2001:db8::/32')", "inCidrRanges(conn.client_ip, ['10.0.0.0/8', conn.x])",
		"['192.0.2.0/24', '198.51.100.0/24'].exists(r, inCidrRange(conn.client_ip, r))", "has(conn.tls.sni) ? conn.tls.sni.endsWith('a') : false",
		"['a'].all(x, x == conn.x)", "inCidrRange(conn.client_ip, office)", "['a'].exists_one(x, x == conn.x)", "!(conn.client_ip in ['192.0.2.1'])", "[conn.x][0]", "dyn(conn.x)", "bool(conn.x)",
		"size(conn.name) > 3u && conn.ratio < 1.5e3 || conn.raw == b'\\x00'", "conn.client_ip = 5", "conn.client_ip.matches('^10\\\\.')",
	} {
		if found := policy.Check(expression); len(found) > 0 {
			t.Errorf("%s: found %+v", expression, found)
		}
	}
}

// TestCheck_isBounded checks that a large expression has a short report.
func TestCheck_isBounded(t *testing.T) {
	t.Parallel()
	if found := policy.Check(strings.TrimSuffix(strings.Repeat("f(1) || ", 2000), " || ")); len(found) != 20 {
		t.Errorf("found %d problems", len(found))
	}
	names := policy.Functions()
	for _, name := range []string{"inCidrRange", "startsWith", "exists", "size"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is missing in %q", name, names)
		}
	}
}
