package edgepolicy_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const kind = "tunnel_tls_edge_policy"

// policyOf returns a policy with rules as JSON, whose configs are objects.
func policyOf(t *testing.T, p *acctest.Protocol, kind, direction, rules string) map[string]tftypes.Value {
	t.Helper()
	var decoded []any
	if err := json.Unmarshal([]byte(rules), &decoded); err != nil {
		t.Fatal(err)
	}
	return p.Attributes(acctest.FromJSON(p.Type(kind), map[string]any{"edge_id": "edgtls_1", direction: withTexts(t, decoded)}))
}

// withTexts replaces each config by its text.
func withTexts(t *testing.T, value any) any {
	t.Helper()
	switch value := value.(type) {
	case []any:
		for i, element := range value {
			value[i] = withTexts(t, element)
		}
	case map[string]any:
		for name, member := range value {
			value[name] = withTexts(t, member)
			if name == "config" {
				text, err := json.Marshal(member)
				if err != nil {
					t.Fatal(err)
				}
				value[name] = string(text)
			}
		}
	}
	return value
}

// TestEdgePolicy_misspellings checks that what the service may silently ignore
// is reported. Each diagnostic names the attribute and the rule.
func TestEdgePolicy_misspellings(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	action := func(text string) string {
		return `[{"name": "office", "expressions": ["conn.x"], "actions": [` + text + `]}]`
	}
	restrict := func(config string) string { return action(`{"type": "restrict-ips", "config": ` + config + `}`) }
	expression := func(text string) string {
		return `[{"name": "office", "expressions": ["` + text + `"], "actions": [{"type": "deny"}]}]`
	}
	const warning, isError = tfprotov6.DiagnosticSeverityWarning, tfprotov6.DiagnosticSeverityError
	for name, test := range map[string]struct {
		rules    string
		severity tfprotov6.DiagnosticSeverity // 0 for no diagnostic
		want     string
	}{
		"deny misspelled":            {action(`{"type": "denny"}`), warning, `inbound[0].actions[0].type is "denny". Did you mean "deny"? The service may reject it.`},
		"no config":                  {action(`{"type": "restrict-ips"}`), warning, "inbound[0].actions[0].config is not set, so the action has no addresses. Set for example config = jsonencode({ allow = [\"192.0.2.0/24\"] }). If it is set, check the spelling of config"},
		"member misspelled":          {restrict(`{"alow": ["10.0.0.0/8"], "deny": ["10.1.0.0/16"]}`), warning, `has the unknown member "alow". Did you mean "allow"?`},
		"no addresses":               {restrict(`{"allow": [], "deny": []}`), warning, "has no addresses in allow or deny"},
		"member too long":            {restrict(`{"allowed": ["10.0.0.0/8"]}`), warning, `has the unknown member "allowed". Did you mean "allow"? It has no addresses in allow or deny.`},
		"a range with host bits":     {restrict(`{"allow": ["10.0.0.0/8", "10.0.0.1/8"]}`), warning, "has allow[1], but this is 10.0.0.1/8, which is in the range 10.0.0.0/8. Write the range, or the single address 10.0.0.1."},
		"a variable without conn":    {expression("true && client_ip == '192.0.2.1'"), warning, "inbound[0].expressions[0] has the variable client_ip at column 9. Did you mean conn.client_ip?"},
		"a text instead of a list":   {restrict(`{"allow": "10.0.0.0/8", "deny": ["10.1.0.0/16"]}`), warning, "has allow = 10.0.0.0/8. Expected a list"},
		"a range that is none":       {restrict(`{"allow": ["2001:db8::/32", "10.0.0.0/33"]}`), isError, `allow[1] must be an IP address or a range in CIDR notation, such as 192.0.2.0/24; found "10.0.0.0/33".`},
		"policies":                   {restrict(`{"ip_policies": ["ipp_1"]}`), 0, ""},
		"variable misspelled":        {expression("true && conn.clientip == '192.0.2.1'"), warning, "inbound[0].expressions[0] has the variable conn.clientip at column 9. Did you mean conn.client_ip?"},
		"rule after denying all":     {`[{"expressions": [], "actions": [{"type": "log", "config": {"metadata": {}}}, {"type": "deny"}]}, {"name": "office", "expressions": ["conn.x"], "actions": [{"type": "deny"}]}]`, warning, "inbound[1] has no effect, because inbound[0] denies all traffic"},
		"rule after true":            {`[{"expressions": ["true"], "actions": [{"type": "deny"}]}, {"name": "office", "expressions": [], "actions": [{"type": "deny"}]}]`, warning, "inbound[1] has no effect"},
		"rule after denying some":    {`[{"expressions": ["conn.x"], "actions": [{"type": "deny"}]}, {"expressions": [], "actions": [{"type": "deny"}]}]`, 0, ""},
		"country in lower case":      {expression("conn.geo.country_code == 'de'"), warning, "Unusual comparison in inbound[0].expressions[0]: inbound[0].expressions[0] may never match: at column 26, conn.geo.country_code is two capital letters"},
		"allow before denying all":   {`[{"name": "office", "expressions": ["conn.x"], "actions": [{"type": "allow"}]}, {"expressions": [], "actions": [{"type": "deny"}]}]`, warning, `inbound[0].actions[0].type is "allow". Expected deny, log or restrict-ips: no rule allows`},
		"function misspelled":        {expression("true && incidrrange(conn.client_ip, '10.0.0.0/8')"), warning, "inbound[0].expressions[0] has the function incidrrange at column 9. Did you mean inCidrRange? The service may reject it."},
		"address that is none":       {expression(`true &&\nconn.client_ip == '10.0.0.300'`), warning, `at line 2, column 19, conn.client_ip is compared with a text that is no address: "10.0.0.300" is not an IPv4 or IPv6 address.`},
		"a null rule":                {`[null]`, isError, "inbound[0] must not be null"},
		"a null action":              {action("null"), isError, "inbound[0].actions[0] must not be null"},
		"a null expression":          {`[{"expressions": [null], "actions": [{"type": "deny"}]}]`, isError, "inbound[0].expressions[0] must not be null"},
		"an empty expression":        {expression(""), isError, "inbound[0].expressions[0] must be a CEL expression; found an empty string"},
		"no action":                  {action(""), isError, "inbound[0].actions must contain at least one action"},
		"an action after deny":       {action(`{"type": "deny"}, {"type": "x"}`), isError, "inbound[0].actions[1] is unreachable"},
		"an array as a config":       {action(`{"type": "x", "config": ["a"]}`), isError, "inbound[0].actions[0].config must be a JSON object, such as jsonencode({ metadata = {} }); found an array"},
		"deny with a config":         {action(`{"type": "deny", "config": {"status_code": 403}}`), warning, "inbound[0].actions[0].config is set, but the API documentation shows no config for the deny action."},
		"a variable as an address":   {restrict(`{"enforce": true, "allow": ["192.0.2.0/24", "${vars.office}"]}`), 0, ""},
		"an expression that is none": {expression("true && conn.client_ip = 5"), isError, "inbound[0].expressions[0] is not a valid CEL expression. Line 1, column 24"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := p.Check(kind, policyOf(t, p, kind, "inbound", test.rules))
			if test.severity == 0 {
				acctest.ExpectNone(t, found)
				return
			}
			acctest.Expect(t, found, test.severity, acctest.At("inbound"), test.want)
		})
	}
}

// TestEdgePolicy_nameOnTCPEdge checks that the name in a TLS handshake is unusual for
// TCP edges only.
func TestEdgePolicy_nameOnTCPEdge(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	const kind = "tunnel_tcp_edge_policy"
	for expression, want := range map[string]string{
		"conn.tls.sni.endsWith('a')":    "has the variable conn.tls.sni, which connections without TLS do not have. To select by name, use an edge with TLS.",
		"conn.client_ip == '192.0.2.1'": "",
	} {
		policy := policyOf(t, p, kind, "inbound", `[{"expressions": ["`+expression+`"], "actions": [{"type": "deny"}]}]`)
		policy["edge_id"] = acctest.Text("edgtcp_1")
		found := p.Check(kind, policy)
		if want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("inbound"), want)
	}
}

// The warning comes with the plan that sets the expression, and not with later ones.
func TestEdgePolicy_warnsOnce(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	policy := policyOf(t, p, kind, "inbound", `[{"name": "office", "expressions": ["conn.client_ip in '10.0.0.0/8'"], "actions": [{"type": "deny"}]}]`)
	policy["edge_id"] = acctest.Text(w.Create("/edges/tls", "{}"))
	const isWarn, isError = tfprotov6.DiagnosticSeverityWarning, tfprotov6.DiagnosticSeverityError
	acctest.Expect(t, p.Check(kind, policy), isWarn, acctest.At("inbound"), "Unusual address in inbound[0].expressions[0]", "use inCidrRange(conn.client_ip, '10.0.0.0/8')")
	state, _ := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.Object(p.Type(kind), policy))
	acctest.ExpectNone(t, p.Plan(kind, state, acctest.Object(p.Type(kind), policy)).Diagnostics)
	policy["enabled"] = tftypes.NewValue(tftypes.Bool, false)
	acctest.ExpectNone(t, p.Plan(kind, state, acctest.Object(p.Type(kind), policy)).Diagnostics)
	outbound := policyOf(t, p, kind, "outbound", `[{"expressions": [], "actions": [{"type": "deny"}]}]`)
	acctest.Expect(t, p.Check(kind, outbound), isError, acctest.At("outbound"), `outbound[0].actions[0].type must not be deny or restrict-ips in an outbound rule; found "deny"`)
}
