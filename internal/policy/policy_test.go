package policy_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"cel.dev/cel-go/common"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

var (
	deny  = policy.Action{Type: "deny"}
	log   = policy.Action{Type: "log", Config: `{"metadata": {}}`}
	other = policy.Action{Type: "rate-limit"}
)

func restrict(config string) policy.Action {
	return policy.Action{Type: "restrict-ips", Config: config}
}

// on returns a rule with one expression.
func on(expression string, actions ...policy.Action) policy.Rule {
	return policy.Rule{Name: expression, Expressions: []string{expression}, Actions: actions}
}

func always(actions ...policy.Action) policy.Rule {
	return policy.Rule{Name: "always", Actions: actions}
}

// office is a connection from an office, and stranger one from elsewhere.
var (
	office   = object(`{"conn": {"client_ip": "203.0.113.9", "client_port": 5555, "geo": {"country_code": "DE"}, "tls": {"sni": "a.internal.example.com", "version": "1.3"}, "ratio": 0.5, "labels": ["a", "b"]}}`)
	stranger = object(`{"conn": {"client_ip": "198.51.100.7", "tls": {"sni": "www.example.com"}}}`)
	ipv6     = object(`{"conn": {"client_ip": "2001:db8::7"}}`)
)

// object decodes a connection. Whole numbers are integers, as in Terraform.
func object(text string) map[string]any {
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		panic(err)
	}
	return integers(value).(map[string]any)
}

func integers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = integers(member)
		}
	case []any:
		for i, element := range value {
			value[i] = integers(element)
		}
	case float64:
		if value == float64(int64(value)) {
			return int64(value)
		}
	}
	return value
}

func TestDecide_realisticPolicies(t *testing.T) {
	t.Parallel()
	const allowOffice = `{"allow": ["203.0.113.0/24", "2001:db8::/32"]}`
	for name, test := range map[string]struct {
		rules      []policy.Rule
		connection map[string]any
		want       string // the decision, and the index of the rule
		missing    []string
	}{
		"no rules":                       {nil, office, "allow", nil},
		"log, then deny":                 {[]policy.Rule{always(log, deny)}, office, "deny 0", nil},
		"blocked address":                {[]policy.Rule{on("conn.client_ip in ['198.51.100.7', '198.51.100.8']", deny)}, stranger, "deny 0", nil},
		"address that is not blocked":    {[]policy.Rule{on("conn.client_ip in ['198.51.100.7', '198.51.100.8']", deny)}, office, "allow", nil},
		"not in the office's range":      {[]policy.Rule{on("!inCidrRange(conn.client_ip, '203.0.113.0/24')", deny)}, stranger, "deny 0", nil},
		"any of several ranges":          {[]policy.Rule{on("!['192.0.2.0/24', '203.0.113.0/24'].exists(r, inCidrRange(conn.client_ip, r))", deny)}, office, "allow", nil},
		"in a list of ranges":            {[]policy.Rule{on("inCidrRanges(conn.client_ip, ['192.0.2.0/24', '203.0.113.0/24'])", deny)}, office, "deny 0", nil},
		"in a list with a wrong range":   {[]policy.Rule{on("inCidrRanges(conn.client_ip, ['203.0.113.0/24', 'x'])", deny)}, office, "undetermined", nil},
		"IPv6 in no IPv4 range":          {[]policy.Rule{on("!inCidrRange(conn.client_ip, '203.0.113.0/24')", deny)}, ipv6, "deny 0", nil},
		"internal host by SNI":           {[]policy.Rule{on("conn.tls.sni.endsWith('.internal.example.com')", restrict(allowOffice))}, office, "allow", nil},
		"SNI that is not given":          {[]policy.Rule{on("conn.tls.sni != 'a'", deny)}, ipv6, "undetermined", []string{"conn.tls.sni"}},
		"has of what is not given":       {[]policy.Rule{on("!has(conn.tls.sni)", deny)}, ipv6, "undetermined", []string{"conn.tls.sni"}},
		"country that is not given":      {[]policy.Rule{on("conn.geo.country_code in ['KP', 'RU']", deny)}, stranger, "undetermined", []string{"conn.geo.country_code"}},
		"country that does not matter":   {[]policy.Rule{on("conn.geo.country_code == 'KP' || conn.client_ip == '198.51.100.7'", deny)}, stranger, "deny 0", nil},
		"country for the log only":       {[]policy.Rule{on("conn.geo.country_code == 'KP'", log)}, stranger, "allow", nil},
		"fraction":                       {[]policy.Rule{on("conn.ratio > 0.4", deny)}, office, "deny 0", nil},
		"list of the connection":         {[]policy.Rule{on("'b' in conn.labels && conn.labels.all(l, l != 'c')", deny)}, office, "deny 0", nil},
		"regular expression":             {[]policy.Rule{on(`conn.client_ip.matches('^203\\.0\\.113\\.')`, deny)}, office, "deny 0", nil},
		"restricted, in the list":        {[]policy.Rule{always(restrict(allowOffice))}, ipv6, "allow", nil},
		"restricted, not in the list":    {[]policy.Rule{always(restrict(allowOffice))}, stranger, "deny 0", nil},
		"restricted, not enforced":       {[]policy.Rule{always(restrict(`{"enforce": false, "allow": ["192.0.2.1"]}`))}, stranger, "allow", nil},
		"restricted, denied and allowed": {[]policy.Rule{always(restrict(`{"allow": ["198.51.100.0/24"], "deny": ["198.51.100.7"]}`))}, stranger, "deny 0", nil},
		"restricted, deny only":          {[]policy.Rule{always(restrict(`{"deny": ["198.51.100.0/24"]}`))}, office, "undetermined", nil},
		"restricted, without config":     {[]policy.Rule{always(restrict(""))}, office, "undetermined", nil},
		"restricted, null members":       {[]policy.Rule{always(restrict(`{"allow": ["203.0.113.0/24"], "enforce": null, "ip_policies": null}`))}, stranger, "deny 0", nil},
		"restricted, key twice":          {[]policy.Rule{always(restrict(`{"allow": ["203.0.113.0/24"], "allow": ["198.51.100.7"]}`))}, stranger, "undetermined", nil},
		"restricted, by a policy":        {[]policy.Rule{always(restrict(`{"ip_policies": ["ipp_1"]}`))}, office, "undetermined", nil},
		"restricted, by an expression":   {[]policy.Rule{always(restrict(`{"allow": ["${conn.geo.city}"]}`))}, office, "undetermined", nil},
		"restricted, invalid range":      {[]policy.Rule{always(restrict(`{"allow": ["10.0.0.0/33"]}`))}, office, "undetermined", nil},
		"restricted, no address":         {[]policy.Rule{always(restrict(allowOffice))}, map[string]any{}, "undetermined", []string{"conn.client_ip"}},
		"restricted or denied":           {[]policy.Rule{always(restrict(`{}`), deny)}, office, "deny 0", nil},
		"unknown action":                 {[]policy.Rule{always(other)}, office, "undetermined", []string{"action rate-limit"}},
		"unknown action after deny":      {[]policy.Rule{always(deny), always(other)}, office, "deny 0", nil},
		"unknown action before deny":     {[]policy.Rule{always(other), always(deny)}, office, "undetermined", []string{"action rate-limit"}},
		"unknown function":               {[]policy.Rule{on("isBot(conn.client_ip)", deny)}, office, "undetermined", []string{"isBot()"}},
		"string functions":               {[]policy.Rule{on("conn.client_ip.split('.')[0] == '203' && ['a', 'B'].join('-').lowerAscii().replace('a', 'c').trim() == 'c-b'", deny)}, office, "deny 0", nil},
		"string function of an unknown":  {[]policy.Rule{on("conn.geo.city.upperAscii() == 'A'", deny)}, office, "undetermined", []string{"conn.geo.city"}},
		"string function of a number":    {[]policy.Rule{on("conn.client_port.trim() == 'A'", deny)}, office, "undetermined", nil},
		"formatted number":               {[]policy.Rule{on("'%d'.format([conn.client_port]) == '5555'", deny)}, office, "undetermined", []string{"format()"}},
		"unknown function not needed":    {[]policy.Rule{on("conn.client_port == 1 && isBot(conn.client_ip)", deny)}, office, "allow", nil},
		"two expressions, both true":     {[]policy.Rule{{Expressions: []string{"true", "conn.client_port == 5555"}, Actions: []policy.Action{deny}}}, office, "deny 0", nil},
		"two expressions, both false":    {[]policy.Rule{{Expressions: []string{"false", "conn.client_port == 1"}, Actions: []policy.Action{deny}}}, office, "allow", nil},
		"two expressions that differ":    {[]policy.Rule{{Expressions: []string{"true", "conn.client_port == 1"}, Actions: []policy.Action{deny}}}, office, "undetermined", nil},
		"two that differ, then deny":     {[]policy.Rule{{Expressions: []string{"true", "false"}, Actions: []policy.Action{deny}}, always(deny)}, office, "deny", nil},
		"type that does not fit":         {[]policy.Rule{on("conn.client_ip > 5", deny)}, office, "undetermined", nil},
		"result that is not a bool":      {[]policy.Rule{on("conn.client_ip", deny)}, office, "undetermined", nil},
		"object as a whole":              {[]policy.Rule{on("conn.geo == {'country_code': 'DE'}", deny)}, office, "undetermined", []string{"conn.geo"}},
		"not CEL":                        {[]policy.Rule{on("conn.client_ip = 5", deny)}, office, "undetermined", nil},
		"clock that is not given":        {[]policy.Rule{on("now > timestamp('2030-01-01T00:00:00Z')", deny)}, office, "undetermined", []string{"now"}},
		"clock that is given":            {[]policy.Rule{on("now > timestamp('2030-01-01T00:00:00Z')", deny)}, map[string]any{"now": time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC)}, "deny 0", nil},
		"type names are not variables":   {[]policy.Rule{on("type(conn.client_port) == int", deny)}, office, "deny 0", nil},
		"unknown function, twice":        {[]policy.Rule{on("isBot(conn.client_ip) || isBot('10.0.0.1')", deny)}, office, "undetermined", []string{"isBot()"}},
		"needed twice":                   {[]policy.Rule{on("conn.geo.city == 'a'", deny), on("conn.geo.city == 'b'", deny)}, office, "undetermined", []string{"conn.geo.city"}},
		"two expressions, one false":     {[]policy.Rule{{Expressions: []string{"false", "conn.geo.city == 'a'"}, Actions: []policy.Action{deny}}}, office, "undetermined", []string{"conn.geo.city"}},
		"list with a null":               {[]policy.Rule{on("'b' in conn.labels", deny)}, object(`{"conn": {"labels": ["a", null]}}`), "undetermined", []string{"conn.labels"}},
		"unknown function of an unknown": {[]policy.Rule{on("isBot(conn.geo.city)", deny)}, office, "undetermined", []string{"isBot()"}},
		"needed for a log and a denial":  {[]policy.Rule{on("conn.geo.city == 'a'", log), on("now == now", deny)}, office, "undetermined", []string{"now"}},
		"two expressions, one true":      {[]policy.Rule{{Expressions: []string{"true", "conn.geo.city == 'a'"}, Actions: []policy.Action{deny}}}, office, "undetermined", []string{"conn.geo.city"}},
		"list with an object":            {[]policy.Rule{on("'b' in conn.labels", deny)}, object(`{"conn": {"labels": ["a", {}]}}`), "undetermined", []string{"conn.labels"}},
		"pattern for a number":           {[]policy.Rule{on("conn.client_port.matches('^6')", deny)}, office, "undetermined", nil},
		"optional member":                {[]policy.Rule{on("conn.?client_ip == 'x'", deny)}, office, "allow", nil}, // an optional value is no string
		"optional index":                 {[]policy.Rule{on("conn[?'client_ip'].orValue('a') == 'a'", deny)}, office, "undetermined", []string{"orValue()"}},
		"element taken as optional":      {[]policy.Rule{on("[?'a'] == ['a']", deny)}, office, "undetermined", nil},
		"syntax of the exact parser":     {[]policy.Rule{on("size({,}) == 0", deny)}, office, "deny 0", nil},
		"mapped address":                 {[]policy.Rule{on("inCidrRange(conn.client_ip, '10.0.0.0/8')", deny)}, object(`{"conn": {"client_ip": "::ffff:10.0.0.1"}}`), "undetermined", nil},
		"mapped range":                   {[]policy.Rule{on("inCidrRange(conn.client_ip, '::ffff:10.0.0.0/104')", deny)}, object(`{"conn": {"client_ip": "10.0.0.1"}}`), "undetermined", nil},
		"mapped range of IPv6":           {[]policy.Rule{on("inCidrRange(conn.client_ip, '::ffff:10.0.0.0/104')", deny)}, ipv6, "allow", nil},
		"restricted, mapped denial":      {[]policy.Rule{always(restrict(`{"deny": ["::ffff:203.0.113.9"], "allow": ["0.0.0.0/0"]}`))}, object(`{"conn": {"client_ip": "203.0.113.9"}}`), "undetermined", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, direction := range []string{"inbound", "outbound"} {
				p := policy.Policy{Inbound: test.rules}
				if direction == "outbound" {
					p = policy.Policy{Outbound: test.rules}
				}
				got := policy.Decide(t.Context(), p, direction, test.connection)
				decision, index, hasRule := strings.Cut(test.want, " ")
				if got.Decision != decision || !slices.Equal(got.Missing, test.missing) || got.Reason == "" {
					t.Errorf("%+v, want %s with missing %q", got, test.want, test.missing)
				}
				if hasRule != (got.Rule != nil) || hasRule && string(rune('0'+got.Rule.Index)) != index {
					t.Errorf("rule %+v, want %s", got.Rule, test.want)
				}
				p.Disabled = true
				if got := policy.Decide(t.Context(), p, direction, test.connection); got.Decision != policy.Allow {
					t.Errorf("a disabled policy: %+v", got)
				}
			}
		})
	}
}

func TestDecide_matchedInOrder(t *testing.T) {
	t.Parallel()
	rules := []policy.Rule{always(log), on("conn.client_port == 1", deny), on("conn.geo.city == 'x'", log), on("true", log), on("conn.client_port == 5555", deny), always(deny)}
	got := policy.Decide(t.Context(), policy.Policy{Inbound: rules}, "inbound", office)
	want := []policy.RuleID{{Index: 0, Name: "always"}, {Index: 3, Name: "true"}, {Index: 4, Name: "conn.client_port == 5555"}}
	if got.Decision != policy.Deny || got.Rule == nil || *got.Rule != want[2] || !slices.Equal(got.Matched, want) {
		t.Errorf("%+v", got)
	}
	if want := `inbound[4] ("conn.client_port == 5555") denies the connection`; got.Reason != want {
		t.Errorf("reason %q, want %q", got.Reason, want)
	}
}

func TestDecide_reasonNamesEverything(t *testing.T) {
	t.Parallel()
	got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{
		on("conn.client_ip > 5", deny), on("conn.geo.city == 'x' || now > now", deny), always(log, restrict(`{"allow": ["x"]}`), other), on("a = b", deny),
		on("conn.geo.city == 'x'", deny), on("inCidrRange(conn.client_ip, 5)", deny),
		on("conn.client_ip in '10.0.0.0/8'", deny), on("conn.client_ip ? true : conn.client_ip.trim()", deny), on("conn.client_ip", deny),
	}}, "inbound", stranger)
	for _, want := range []string{
		`inbound[0] ("conn.client_ip > 5"): expressions[0]: > does not take values of these types: check the types in the expression and in the connection`, `inbound[1]`, "conn.geo.city, now are not known",
		`inbound[3] ("a = b"): expressions[0]: the expression is not valid CEL`, "conn.geo.city is not known", "? : does not take values of these types",
		"the result must be true or false; found a string", "inCidrRange expects two strings", "use inCidrRange(conn.client_ip, '10.0.0.0/8')",
		`inbound[2] ("always"): actions[1]: restrict-ips: an element of allow must be an IP address`, `actions[2]: the action "rate-limit" is not known`,
	} {
		if !strings.Contains(got.Reason, want) {
			t.Errorf("no %q in %q", want, got.Reason)
		}
	}
}

// A map and a list of other values than texts, numbers, booleans and times are in the
// connection, but cannot be evaluated.
func TestDecide_valuesThatAreGiven(t *testing.T) {
	t.Parallel()
	connection := map[string]any{"conn": map[string]any{"routes": []any{map[string]any{"name": "a"}}, "holes": []any{int64(1), nil}, "geo": map[string]any{"city": "x"}}}
	for expression, name := range map[string]string{"conn.routes[0].name == 'a'": "conn.routes", "conn.holes[0] == 1": "conn.holes", "conn.geo.size() == 1": "conn.geo"} {
		got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{on(expression, deny)}}, "inbound", connection)
		if want := name + " is in the connection, but is a map, or a list with maps, lists or nulls, which this function does not evaluate"; !strings.Contains(got.Reason, want) {
			t.Errorf("%s: %q, want %q", expression, got.Reason, want)
		}
	}
}

func TestDecide_reasonsAreLimited(t *testing.T) {
	t.Parallel()
	rules := slices.Repeat([]policy.Rule{on("now == now", deny)}, 20)
	if got := policy.Decide(t.Context(), policy.Policy{Inbound: rules}, "inbound", office); strings.Count(got.Reason, "now is not known") != 20 || strings.Contains(got.Reason, "more") {
		t.Errorf("reason %q, want all 20", got.Reason)
	}
	rules = append(rules, rules[0])
	if got := policy.Decide(t.Context(), policy.Policy{Inbound: rules}, "inbound", office); strings.Count(got.Reason, "now is not known") != 20 || !strings.HasSuffix(got.Reason, "; and 1 more") {
		t.Errorf("reason %q, want 20 and 1 more", got.Reason)
	}
}

func TestDecide_hintAtVariablesOutsideOfConn(t *testing.T) {
	t.Parallel()
	const hint = "the connection has client_ip outside of conn; use { conn = { client_ip = ... } }"
	for name, test := range map[string]struct {
		expression, connection string
		hints                  int
	}{
		"outside":            {"conn.client_ip == 'a'", `{"client_ip": "192.0.2.1"}`, 1},
		"with conn":          {"conn.client_ip == 'a'", `{"client_ip": "192.0.2.1", "conn": {}}`, 0},
		"of something else":  {"request.client_ip == 'a'", `{"client_ip": "192.0.2.1"}`, 0},
		"not in conn":        {"client_ip2 == 'a'", `{"client_ip": "192.0.2.1"}`, 0},
		"conn itself":        {"conn == {}", `{"client_ip": "192.0.2.1"}`, 0},
		"nowhere, a similar": {"conn.client_port == 1", `{"client_ip": "192.0.2.1"}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := policy.Decide(t.Context(), policy.Policy{Inbound: []policy.Rule{on(test.expression, deny)}}, "inbound", object(test.connection))
			if !strings.Contains(got.Reason, "not known") || strings.Count(got.Reason, hint) != test.hints || test.hints == 0 && strings.Contains(got.Reason, "outside of conn") {
				t.Errorf("reason %q, want %d hints", got.Reason, test.hints)
			}
		})
	}
}

func TestVariables_wholeNames(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string][]string{
		"now":                                   {"now"},
		"conn.geo.city == conn.geo.country":     {"conn.geo.city", "conn.geo.country"},
		"['a'].exists(l, l == conn.sni)":        {"conn.sni"},
		"conn.labels.map(l, l.size())[0] == 1":  {"conn.labels"},
		".conn.a.exists(l, l == 'a')":           {".conn.a"},
		"f(conn.a).b == 1 && {'x': y}.x.z == 1": {"conn.a", "y"},
	} {
		parsed, problems := policy.Parse(common.NewTextSource(expression))
		if got := policy.Variables(parsed); len(problems.GetErrors()) > 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", expression, got, want)
		}
	}
}

func TestParse_readableErrors(t *testing.T) {
	t.Parallel()
	_, problems := policy.Parse(common.NewTextSource("conn.client_ip = 5"))
	if want := "unexpected token after expression"; !strings.Contains(problems.ToDisplayString(), want) {
		t.Errorf("%s, want %q", problems.ToDisplayString(), want)
	}
}
