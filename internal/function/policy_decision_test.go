package function_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// value converts JSON to a value of objects and tuples, as an expression in a
// configuration has. The text "unknown" is an unknown string.
func value(t *testing.T, text string) tftypes.Value {
	t.Helper()
	var decoded any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return valueOf(decoded)
}

func valueOf(decoded any) tftypes.Value {
	switch decoded := decoded.(type) {
	case map[string]any:
		of, members := map[string]tftypes.Type{}, map[string]tftypes.Value{}
		for name, member := range decoded {
			members[name] = valueOf(member)
			of[name] = members[name].Type()
		}
		return tftypes.NewValue(tftypes.Object{AttributeTypes: of}, members)
	case []any:
		of, elements := []tftypes.Type{}, []tftypes.Value{}
		for _, element := range decoded {
			elements = append(elements, valueOf(element))
			of = append(of, elements[len(elements)-1].Type())
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: of}, elements)
	case string:
		if decoded == "unknown" {
			return tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		}
		return acctest.Text(decoded)
	case bool:
		return tftypes.NewValue(tftypes.Bool, decoded)
	case float64:
		return tftypes.NewValue(tftypes.Number, decoded)
	}
	return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
}

const (
	blocking = `{"inbound": [
		{"name": "log", "expressions": [], "actions": [{"type": "log", "config": "{\"metadata\":{}}"}]},
		{"name": "block", "expressions": ["conn.client_ip == '192.0.2.1' || conn.port + 1 == 6"], "actions": [{"type": "deny", "config": null}]}
	], "outbound": null, "enabled": null}`
	blocked = `{"conn": {"client_ip": "192.0.2.1", "port": 4.5, "none": null, "labels": ["a"], "tls": true}}`
)

func TestPolicyDecision_result(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for _, test := range []struct {
		policy, connection string
		direction          []tftypes.Value
		want               string
	}{
		{blocking, blocked, nil, `{"decision": "deny", "matched": [{"index": 0, "name": "log"}, {"index": 1, "name": "block"}], "missing": [],
			"reason": "inbound[1] (\"block\") denies the connection", "rule": {"index": 1, "name": "block"}}`},
		{blocking, `{"conn": {"client_ip": "192.0.2.2", "port": 4}}`, []tftypes.Value{acctest.Text("inbound")}, `{"decision": "allow", "matched": [{"index": 0, "name": "log"}],
			"missing": [], "reason": "no rule denies the connection", "rule": null}`},
		{blocking, blocked, []tftypes.Value{acctest.Text("outbound")}, `{"decision": "allow", "matched": [], "missing": [], "reason": "no rule denies the connection", "rule": null}`},
		{blocking, `{"conn": {"port": 4}}`, nil, `{"decision": "undetermined", "matched": [{"index": 0, "name": "log"}], "missing": ["conn.client_ip"],
			"reason": "inbound[1] (\"block\"): expressions[0]: conn.client_ip is not known", "rule": null}`},
		{blocking, `{"client_ip": "192.0.2.1"}`, nil, `{"decision": "undetermined", "matched": [{"index": 0, "name": "log"}], "missing": ["conn.client_ip", "conn.port"],
			"reason": "inbound[1] (\"block\"): expressions[0]: conn.client_ip, conn.port are not known: the connection has client_ip outside of conn; use { conn = { client_ip = ... } }", "rule": null}`},
		{strings.Replace(blocking, `"enabled": null`, `"enabled": false, "edge_id": "unknown"`, 1), blocked, nil,
			`{"decision": "allow", "matched": [], "missing": [], "reason": "the policy is disabled (enabled = false)", "rule": null}`},
		{`{"inbound": [{"expressions": ["now < timestamp('2030-01-01T00:00:00Z')"], "actions": [{"type": "deny"}]}]}`, `{"now": "2029-12-31T23:59:59-05:00"}`, nil,
			`{"decision": "allow", "matched": [], "missing": [], "reason": "no rule denies the connection", "rule": null}`},
	} {
		got, wrong := p.Call("policy_decision", append([]tftypes.Value{value(t, test.policy), value(t, test.connection)}, test.direction...)...)
		if wrong != nil {
			t.Errorf("%s: %s", test.connection, wrong.Text)
			continue
		}
		found, err := json.Marshal(acctest.JSON(t, got))
		if err != nil {
			t.Fatal(err)
		}
		var want any
		if err := json.Unmarshal([]byte(test.want), &want); err != nil {
			t.Fatal(err)
		}
		if text, err := json.Marshal(want); err != nil || string(text) != string(found) {
			t.Errorf("%s: %s, want %s", test.connection, found, text)
		}
	}
}

// TestPolicyDecision_hostileExpression evaluates 310 bytes that would take hours.
func TestPolicyDecision_hostileExpression(t *testing.T) {
	t.Parallel()
	expression := "[[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]].all(l, " + strings.Repeat("l.all(a, ", 20) + "true" + strings.Repeat(")", 21)
	policy := `{"inbound": [{"expressions": ["` + expression + `"], "actions": [{"type": "deny"}]}]}`
	got, wrong := acctest.NewProtocol(t).Call("policy_decision", value(t, policy), value(t, blocked))
	if wrong != nil {
		t.Fatal(wrong.Text)
	}
	decision, _ := acctest.JSON(t, got).(map[string]any)
	if decision["decision"] != "undetermined" || decision["reason"] != "inbound[0]: expressions[0]: the expression takes too many steps to evaluate" {
		t.Error(decision)
	}
}

// TestPolicyDecision_unknown checks that the result is unknown if the policy or
// the connection is, and that an unknown edge_id does not matter.
func TestPolicyDecision_unknown(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	unknown := tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
	for _, arguments := range [][]tftypes.Value{
		{unknown, value(t, blocked)},
		{value(t, blocking), unknown},
		{value(t, strings.Replace(blocking, `"deny"`, `"unknown"`, 1)), value(t, blocked)},
		{value(t, blocking), value(t, `{"conn": {"client_ip": "unknown"}}`)},
	} {
		if got, wrong := p.Call("policy_decision", arguments...); wrong != nil || got.IsKnown() {
			t.Errorf("%s, %+v, want an unknown value", got, wrong)
		}
	}
	withEdge := strings.Replace(blocking, `"outbound"`, `"edge_id": "unknown", "outbound"`, 1)
	if got, wrong := p.Call("policy_decision", value(t, withEdge), value(t, blocked)); wrong != nil || !got.IsFullyKnown() {
		t.Errorf("%s, %+v, want a known value", got, wrong)
	}
}

// A map of strings turns the port into a string, so that a comparison with a number
// would be false, and the decision wrong.
func TestPolicyDecision_mapOfStrings(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	conn := func(members map[string]tftypes.Value) tftypes.Value {
		texts := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, members)
		return tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"conn": texts.Type()}}, map[string]tftypes.Value{"conn": texts})
	}
	_, wrong := p.Call("policy_decision", value(t, blocking), conn(map[string]tftypes.Value{"client_ip": acctest.Text("1.2.3.4"), "client_port": acctest.Text("22")}))
	if wrong == nil || !strings.Contains(wrong.Text, `connection.conn is a map of strings, so connection.conn.client_port is the string "22". Use an object`) {
		t.Errorf("%+v", wrong)
	}
	if _, wrong := p.Call("policy_decision", value(t, blocking), conn(map[string]tftypes.Value{"client_ip": acctest.Text("1.2.3.4")})); wrong != nil {
		t.Errorf("a map of texts: %+v", wrong)
	}
}

func TestPolicyDecision_invalidArguments(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	rule := func(text string) string { return `{"inbound": [` + text + `]}` }
	for _, test := range []struct {
		policy, connection string
		directions         []string
		argument           int64
		want               string
	}{
		{`null`, blocked, nil, 0, "policy must be a resource or data source of type tunnel_tls_edge_policy or tunnel_tcp_edge_policy, or an object with inbound or outbound; found null"},
		{`{"inbund": []}`, blocked, nil, 0, "found an object with neither"},
		{`{"inbound": [], "enabled": "yes"}`, blocked, nil, 0, "policy.enabled must be a boolean; found a string"},
		{`{"inbound": {}}`, blocked, nil, 0, "policy.inbound must be a list; found an object"},
		{rule(`null`), blocked, nil, 0, "policy.inbound[0] must be an object; found null"},
		{rule(`{"expression": [], "actions": []}`), blocked, nil, 0, "policy.inbound[0] has the unknown attribute expression"},
		{rule(`{"actions": []}`), blocked, nil, 0, "policy.inbound[0].expressions must be set; found null"},
		{rule(`{"expressions": [null], "actions": []}`), blocked, nil, 0, "policy.inbound[0].expressions[0] must be a string; found null"},
		{rule(`{"expressions": [], "actions": [{"confg": "x", "type": "log"}]}`), blocked, nil, 0, "policy.inbound[0].actions[0] has the unknown attribute confg"},
		{rule(`{"expressions": [], "actions": [{"config": {"allow": []}, "type": "log"}]}`), blocked, nil, 0, "policy.inbound[0].actions[0].config must be a string, such as jsonencode returns; found an object"},
		{blocking, `null`, nil, 1, "connection must be an object such as { conn = { client_ip = \"192.0.2.1\" } }; found null"},
		{blocking, `{"now": "tomorrow"}`, nil, 1, `connection.now must be a timestamp in RFC 3339 format; found "tomorrow"`},
		{blocking, blocked, []string{"inbund"}, 2, `direction must be "inbound" or "outbound"; found "inbund"`},
		{blocking, blocked, []string{"inbound", "outbound"}, 2, "direction must be one argument; found 2 directions"},
		{rule(`{"expressions": ["true", "conn.client_ip = '192.0.2.1'"], "actions": []}`), blocked, nil, 0, "policy.inbound[0].expressions[1] is not a valid CEL expression. Line 1, column 16"},
	} {
		arguments := []tftypes.Value{value(t, test.policy), value(t, test.connection)}
		for _, direction := range test.directions {
			arguments = append(arguments, acctest.Text(direction))
		}
		_, wrong := p.Call("policy_decision", arguments...)
		if wrong == nil || !strings.Contains(wrong.Text, test.want) || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument || strings.HasSuffix(wrong.Text, ".") {
			t.Errorf("%s: %+v, want %q", test.policy, wrong, test.want)
		}
	}
}

// TestFunctions_fileText checks that a byte order mark and CRLF change no result.
func TestFunctions_fileText(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	key := testcert.PublicKey(t, "") + "\n"
	id := w.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id": "`+w.Parents.SSHCertificateAuthority+`", "public_key": "`+strings.TrimSpace(key)+`"}`)
	certificate, _ := w.Get("/ssh_host_certificates/" + id)["certificate"].(string)
	for name, test := range map[string]struct {
		text      string
		arguments func(text string) []tftypes.Value
	}{
		"ssh_fingerprint": {key, func(text string) []tftypes.Value { return []tftypes.Value{acctest.Text(text)} }},
		"ssh_certificate": {certificate + "\n", func(text string) []tftypes.Value { return []tftypes.Value{acctest.Text(text)} }},
		"known_hosts_line": {key, func(text string) []tftypes.Value {
			return []tftypes.Value{acctest.Texts("a.example.com"), acctest.Text(text)}
		}},
		"policy_decision": {"{\n  \"allow\": [\"192.0.2.0/24\"]\n}\n", func(text string) []tftypes.Value {
			action := map[string]any{"type": "restrict-ips", "config": text}
			return []tftypes.Value{valueOf(map[string]any{"inbound": []any{map[string]any{"expressions": []any{}, "actions": []any{action}}}}), value(t, blocked)}
		}},
	} {
		want, wrong := p.Call(name, test.arguments(test.text)...)
		if wrong != nil {
			t.Fatalf("%s: %s", name, wrong.Text)
		}
		for form, text := range acctest.FileTexts(test.text) {
			if got, wrong := p.Call(name, test.arguments(text)...); wrong != nil || !got.Equal(want) {
				t.Errorf("%s, %s: %s, %+v, want %s", name, form, got, wrong, want)
			}
		}
	}
}
