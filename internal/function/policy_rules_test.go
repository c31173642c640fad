package function_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func TestPolicyRules_result(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	const document = `{
		"enabled": true,
		"on_tcp_connect": [
			{"name": "office", "expressions": ["conn.client_port > 1024"], "actions": [
				{"type": "restrict-ips", "config": {"enforce": true, "deny": ["192.0.2.1"], "allow": ["192.0.2.0/24"], "a": {"big": 12.5, "none": null}}},
				{"type": "deny"}
			]},
			{"actions": [{"type": "log", "config": "{\"metadata\":{}}"}, {"type": "log", "config": null}]}
		],
		"inbound": null,
		"outbound": []
	}`
	for phase, want := range map[string]string{
		"on_tcp_connect": `[
			{"name": "office", "expressions": ["conn.client_port > 1024"], "actions": [
				{"type": "restrict-ips", "config": "{\"a\":{\"big\":12.5,\"none\":null},\"allow\":[\"192.0.2.0/24\"],\"deny\":[\"192.0.2.1\"],\"enforce\":true}"},
				{"type": "deny", "config": null}
			]},
			{"name": null, "expressions": [], "actions": [{"type": "log", "config": "{\"metadata\":{}}"}, {"type": "log", "config": null}]}
		]`,
		"inbound":  `[]`,
		"outbound": `[]`,
	} {
		got, wrong := p.Call("policy_rules", value(t, document), acctest.Text(phase))
		var rules any
		if err := json.Unmarshal([]byte(want), &rules); err != nil {
			t.Fatal(err)
		}
		if expected := acctest.FromJSON(got.Type(), rules); wrong != nil || !got.Equal(expected) {
			t.Errorf("%s: %s, %+v, want %s", phase, got, wrong, expected)
		}
	}
	for _, unknown := range []string{
		`{"inbound": "unknown"}`, `{"inbound": [{"name": "unknown", "actions": []}]}`, `{"inbound": [{"actions": [{"type": "log", "config": {"a": ["unknown"]}}]}]}`,
	} {
		if got, wrong := p.Call("policy_rules", value(t, unknown), acctest.Text("inbound")); wrong != nil || got.IsKnown() {
			t.Errorf("%s: %s, %+v", unknown, got, wrong)
		}
	}
}

func TestPolicyRules_mistakes(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	rule := func(text string) string { return `{"inbound": [{"actions": [{"type": "deny"}]}, ` + text + `]}` }
	for _, test := range []struct {
		document, phase string
		argument        int64
		want            string
	}{
		{`"inbound: []"`, "inbound", 0, "document must be an object; found a string. Decode it with yamldecode() or jsondecode()"},
		{`{"inbound": [], "version": 2}`, "inbound", 0, "document has the unknown member version: a number. Expected phases, each with a list of rules, and enabled"},
		{`{"on_http_request": [], "on_tcp_connect": []}`, "inbound", 1, `phase must be a phase of the document: on_http_request or on_tcp_connect; found "inbound"`},
		{`{"enabled": true}`, "inbound", 1, `found "inbound", and the document has no phases`},
		{rule(`{"expression": ["true"], "actions": []}`), "inbound", 0, "document.inbound[1] has the unknown attribute expression. Expected name, expressions or actions"},
		{rule(`{"actions": [{"type": "deny", "configuration": {}}]}`), "inbound", 0, "document.inbound[1].actions[0] has the unknown attribute configuration. Expected type or config"},
		{rule(`{"name": "a"}`), "inbound", 0, "document.inbound[1].actions must be set; found null"},
		{rule(`{"actions": [{"config": {}}]}`), "inbound", 0, "document.inbound[1].actions[0].type must be set; found null"},
		{rule(`{"actions": [], "expressions": "true"}`), "inbound", 0, "document.inbound[1].expressions must be a list; found a string"},
		{rule(`{"actions": [], "expressions": [null]}`), "inbound", 0, "document.inbound[1].expressions[0] must be set; found null"},
		{rule(`{"actions": [{"type": "log", "config": ["a"]}]}`), "inbound", 0, "document.inbound[1].actions[0].config must be an object; found a list"},
	} {
		_, wrong := p.Call("policy_rules", value(t, test.document), acctest.Text(test.phase))
		if wrong == nil || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument || !strings.Contains(wrong.Text, test.want) {
			t.Errorf("%s: %+v, want %q", test.document, wrong, test.want)
		}
	}
}
