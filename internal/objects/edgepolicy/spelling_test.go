package edgepolicy_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// rulesValue converts rules as JSON to a value of the attribute inbound.
func rulesValue(t *testing.T, of tftypes.Type, text string) tftypes.Value {
	t.Helper()
	var rules []struct {
		Name        string
		Expressions []string
		Actions     []struct {
			Type   string
			Config *json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &rules); err != nil {
		t.Fatal(err)
	}
	list := of.(tftypes.List)
	rule := list.ElementType.(tftypes.Object)
	actions := rule.AttributeTypes["actions"].(tftypes.List)
	var values []tftypes.Value
	for _, r := range rules {
		var expressions, does []tftypes.Value
		for _, expression := range r.Expressions {
			expressions = append(expressions, acctest.Text(expression))
		}
		for _, action := range r.Actions {
			config := tftypes.NewValue(tftypes.String, nil)
			if action.Config != nil {
				config = acctest.Text(string(*action.Config))
			}
			does = append(does, tftypes.NewValue(actions.ElementType, map[string]tftypes.Value{"type": acctest.Text(action.Type), "config": config}))
		}
		values = append(values, tftypes.NewValue(rule, map[string]tftypes.Value{
			"name": acctest.Text(r.Name), "actions": tftypes.NewValue(actions, does),
			"expressions": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, expressions),
		}))
	}
	return tftypes.NewValue(list, values)
}

// TestEdgePolicy_misspellings checks that what the service may silently ignore
// is reported. Each diagnostic names the attribute and the rule.
func TestEdgePolicy_misspellings(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	const kind = "tunnel_tls_edge_policy"
	inbound := p.Type(kind).(tftypes.Object).AttributeTypes["inbound"]
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
		"restrict-ips misspelled":    {action(`{"type": "restrict-ip"}`), warning, `Did you mean "restrict-ips"?`},
		"another action":             {action(`{"type": "terminate-tls"}`), 0, ""},
		"no config":                  {action(`{"type": "restrict-ips"}`), warning, "inbound[0].actions[0].config is not set, so the action has no addresses. Set for example config = jsonencode({ allow = [\"192.0.2.0/24\"] }). If it is set, check the spelling of config"},
		"member misspelled":          {restrict(`{"alow": ["10.0.0.0/8"], "deny": ["10.1.0.0/16"]}`), warning, `has the unknown member "alow". Did you mean "allow"?`},
		"another member":             {restrict(`{"allow": ["10.0.0.0/8"], "mode": 1}`), warning, `has the unknown member "mode". Expected allow, deny, enforce or ip_policies.`},
		"no addresses":               {restrict(`{"allow": [], "deny": []}`), warning, "has no addresses in allow or deny"},
		"member too long":            {restrict(`{"allowed": ["10.0.0.0/8"]}`), warning, `has the unknown member "allowed". Did you mean "allow"? It has no addresses in allow or deny.`},
		"a range with host bits":     {restrict(`{"allow": ["10.0.0.0/8", "10.0.0.1/8"]}`), warning, "has 10.0.0.1/8 in allow, which is not the first address of the range 10.0.0.0/8."},
		"a variable without conn":    {expression("true && client_ip == '192.0.2.1'"), warning, "inbound[0].expressions[0] has the variable client_ip at column 9. Did you mean conn.client_ip?"},
		"a text instead of a list":   {restrict(`{"allow": "10.0.0.0/8", "deny": ["10.1.0.0/16"]}`), warning, "has allow = 10.0.0.0/8. Expected a list"},
		"enforce that is a text":     {restrict(`{"allow": ["10.0.0.0/8"], "enforce": "yes"}`), warning, "has enforce = yes. Expected true or false"},
		"a range that is none":       {restrict(`{"allow": ["2001:db8::/32", "10.0.0.0/33"]}`), isError, `allow[1] must be an IP address or a range in CIDR notation, such as 192.0.2.0/24; found "10.0.0.0/33".`},
		"a host name":                {restrict(`{"deny": ["example.com"]}`), isError, `deny[0] must be an IP address`},
		"a number":                   {restrict(`{"deny": [5]}`), isError, `deny[0] must be an IP address`},
		"addresses and ranges":       {restrict(`{"enforce": true, "allow": ["192.0.2.1", "2001:db8::1", "10.0.0.0/8"]}`), 0, ""},
		"policies":                   {restrict(`{"ip_policies": ["ipp_1"]}`), 0, ""},
		"variable misspelled":        {expression("true && conn.clientip == '192.0.2.1'"), warning, "inbound[0].expressions[0] has the variable conn.clientip at column 9. Did you mean conn.client_ip?"},
		"nested variable":            {expression("conn.tls.sin.endsWith('a')"), warning, "Did you mean conn.tls.sni?"},
		"variable of the service":    {expression("conn.labels.env == 'x' && conn.tls.ja3 == conn.tls.ja4"), 0, ""},
		"variable of a macro":        {expression("['a'].exists(conn, conn.clientip == 'a')"), 0, ""},
		"rule after denying all":     {`[{"expressions": [], "actions": [{"type": "log", "config": {"metadata": {}}}, {"type": "deny"}]}, {"name": "office", "expressions": ["conn.x"], "actions": [{"type": "deny"}]}]`, warning, "inbound[1] has no effect, because inbound[0] denies all traffic"},
		"rule after true":            {`[{"expressions": ["true"], "actions": [{"type": "deny"}]}, {"name": "office", "expressions": [], "actions": [{"type": "deny"}]}]`, warning, "inbound[1] has no effect"},
		"rule after denying some":    {`[{"expressions": ["conn.x"], "actions": [{"type": "deny"}]}, {"expressions": [], "actions": [{"type": "deny"}]}]`, 0, ""},
		"rule after restricting":     {`[{"expressions": [], "actions": [{"type": "restrict-ips", "config": {"allow": ["192.0.2.1"]}}]}, {"expressions": [], "actions": [{"type": "deny"}]}]`, 0, ""},
		"country in lower case":      {expression("conn.geo.country_code == 'de'"), warning, "Unusual comparison in inbound[0].expressions[0]: inbound[0].expressions[0] may never match: at column 26, conn.geo.country_code is two capital letters"},
		"allow before denying all":   {`[{"name": "office", "expressions": ["conn.x"], "actions": [{"type": "allow"}]}, {"expressions": [], "actions": [{"type": "deny"}]}]`, warning, `inbound[0].actions[0].type is "allow", which is not a known action, and`},
		"allow before denying some":  {`[{"expressions": ["conn.x"], "actions": [{"type": "allow"}]}, {"expressions": ["conn.y"], "actions": [{"type": "deny"}]}]`, 0, ""},
		"name on a TLS edge":         {expression("conn.tls.sni == 'a'"), 0, ""},
		"function misspelled":        {expression("true && incidrrange(conn.client_ip, '10.0.0.0/8')"), warning, "inbound[0].expressions[0] has the function incidrrange at column 9. Did you mean inCidrRange? The service may reject it."},
		"functions of a service":     {expression("isBot(conn.client_ip) && hash(conn.x) == getReqHeader('a') && rand.double() < 0.5 && base64.decode('YQ==') == b'a' && conn.x.lowerAscii().split('.')[0] == 'a'"), 0, ""},
		"two functions":              {expression("exist(conn.x) || conn.x.lowerAsci() == 'a'"), warning, "has the function exist at column 1. Did you mean exists? It has the function lowerAsci at column 25. Did you mean lowerAscii? The service may reject it."},
		"a range too long":           {expression("inCidrRange(conn.client_ip, '10.0.0.0/33')"), warning, `inbound[0].expressions[0] may never match: at column 29, inCidrRange: "10.0.0.0/33" is not a range in CIDR notation. The service may reject it.`},
		"arguments swapped":          {expression("inCidrRange('10.0.0.0/8', conn.client_ip)"), warning, "at column 1, inCidrRange expects the address first, such as inCidrRange(conn.client_ip, '192.0.2.0/24'); the arguments are swapped."},
		"address in a text":          {expression("conn.client_ip in '10.0.0.0/8'"), warning, "at column 19, in needs a list; found a string. For a range, use inCidrRange(conn.client_ip, '10.0.0.0/8')."},
		"address that is none":       {expression(`true &&\nconn.client_ip == '10.0.0.300'`), warning, `at line 2, column 19, conn.client_ip is compared with a text that is no address: "10.0.0.300" is not an IPv4 or IPv6 address.`},
		"a text as a condition":      {expression("'x'"), warning, "inbound[0].expressions[0] may never match: at column 1, a string cannot be true or false. The service may reject it."},
		"a number as a condition":    {expression("1 + 1"), warning, "at column 3, the result of + cannot be true or false."},
		"an expression that is none": {expression("true && conn.client_ip = 5"), isError, "inbound[0].expressions[0] is not a valid CEL expression. Line 1, column 24"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := p.Check(kind, map[string]tftypes.Value{"edge_id": acctest.Text("edgtls_1"), "inbound": rulesValue(t, inbound, test.rules)})
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
		inbound := rulesValue(t, p.Type(kind).(tftypes.Object).AttributeTypes["inbound"], `[{"expressions": ["`+expression+`"], "actions": [{"type": "deny"}]}]`)
		found := p.Check(kind, map[string]tftypes.Value{"edge_id": acctest.Text("edgtcp_1"), "inbound": inbound})
		if want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("inbound"), want)
	}
}
