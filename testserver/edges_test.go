package testserver

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

func TestPolicy_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	path := "/edges/tls/" + s.Parents.TLSEdge + "/policy"
	rules := func(n int, rule string) string {
		return `{"inbound":[` + strings.TrimSuffix(strings.Repeat(rule+",", n), ",") + `]}`
	}
	action := func(actions string) string {
		return rules(1, `{"name":"a","actions":[`+actions+`]}`)
	}
	outbound := func(actions string) string {
		return strings.Replace(action(actions), "inbound", "outbound", 1)
	}
	expressions := func(n int, expression string) string {
		return rules(1, `{"actions":[{"type":"deny"}],"expressions":[`+strings.TrimSuffix(strings.Repeat(`"`+expression+`",`, n), ",")+`]}`)
	}
	const deny = `{"type":"deny"}`
	for name, test := range map[string]struct{ body, field string }{
		"100 rules":               {rules(100, `{"actions":[`+deny+`]}`), ""},
		"16 expressions":          {expressions(16, "a.b(c) in [1, 2] ? x : !y"), ""},
		"not CEL":                 {expressions(1, "a = 1"), "inbound[0].expressions[0]"},
		"deny with null":          {action(`{"type":"deny","config":null}`), ""},
		"after deny":              {action(deny + `,{"type":"log"}`), "inbound[0].actions[1]"},
		"deny twice":              {action(deny + `,` + deny), "inbound[0].actions[1]"},
		"restrict-ips outbound":   {outbound(`{"type":"log"},{"type":"restrict-ips"}`), "outbound[0].actions[1].type"},
		"log in outbound":         {outbound(`{"type":"log"}`), ""},
		"log with a string":       {action(`{"type":"log","config":{"metadata":"m"}}`), "inbound[0].actions[0].config.metadata"},
		"restrict-ips":            {action(`{"type":"restrict-ips","config":{"allow":["10.0.0.0/8","2001:db8::/32","192.0.2.1"]}}`), ""},
		"no IP policy":            {action(`{"type":"restrict-ips","config":{"ip_policies":["` + s.Create("/ip_policies", "{}") + `","ipp_none"]}}`), "inbound[0].actions[0].config.ip_policies[1]"},
		"no range":                {action(`{"type":"restrict-ips","config":{"allow":["192.0.2.0/24","192.0.2.0/33"]}}`), "inbound[0].actions[0].config.allow[1]"},
		"no denied range":         {action(`{"type":"restrict-ips","config":{"deny":["x"]}}`), "inbound[0].actions[0].config.deny[0]"},
		"type begins with a dash": {action(`{"type":"-deny"}`), "inbound[0].actions[0].type"},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, s, "PUT", path, test.body)
			if test.field == "" && got.status != 200 || test.field != "" && got.status != 400 || got.field() != test.field {
				t.Errorf("status %d blames %q, want %q: %s", got.status, got.field(), test.field, got.raw)
			}
		})
	}
	used := s.Create("/ip_policies", "{}")
	s.Put(path, action(`{"type":"restrict-ips","config":{"ip_policies":["`+used+`"]}}`))
	want(t, s, 409, "DELETE", "/ip_policies/"+used, "")
}

// TestPolicy_expressions sends the expressions that the tests of the provider parse, so
// that both decide alike.
func TestPolicy_expressions(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/cel.json")
	var expressions map[string][]string
	if err = errors.Join(err, json.Unmarshal(content, &expressions)); err != nil {
		t.Fatal(err)
	}
	s := Start(t)
	for want, texts := range expressions {
		for _, text := range texts {
			policy := map[string]any{"inbound": []any{map[string]any{"expressions": []string{text}, "actions": []any{map[string]string{"type": "deny"}}}}}
			got := send(t, s, "PUT", "/edges/tls/"+s.Parents.TLSEdge+"/policy", asJSON(policy))
			if status := map[string]int{"valid": 200, "invalid": 400}[want]; got.status != status {
				t.Errorf("%q: status %d, want %d: %s", text, got.status, status, got.raw)
			}
		}
	}
}

// TestHostports_belongToOneEdge gives a hostport to a second edge, of each kind.
func TestHostports_belongToOneEdge(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("unique_hostports"))
	const hostports = `{"hostports":["b.example.com:443","A.example.com:443"]}`
	first := want(t, s, 201, "POST", "/edges/https", hostports).text("id")
	want(t, s, 200, "PATCH", "/edges/https/"+first, hostports)
	for _, kind := range []string{"tls", "tcp", "https"} {
		second := "/edges/" + kind + "/" + want(t, s, 201, "POST", "/edges/"+kind, `{"hostports":["a.example.com:8443"]}`).text("id")
		for method, path := range map[string]string{"POST": "/edges/" + kind, "PATCH": second} {
			got := want(t, s, 400, method, path, `{"hostports":["c.example.com:443","a.EXAMPLE.com:443"]}`)
			equal(t, method+" "+path, []string{got.field(), got.text("msg")}, []string{"hostports[1]", `"a.EXAMPLE.com:443" belongs to the edge ` + first})
		}
		want(t, s, 204, "DELETE", second, "")
	}
	want(t, s, 204, "DELETE", "/edges/https/"+first, "")
	want(t, s, 201, "POST", "/edges/tls", hostports)
}

// TestDelete_deletesWhatIsInside deletes edges and a subscription, and what they held can
// be deleted then.
func TestDelete_deletesWhatIsInside(t *testing.T) {
	t.Parallel()
	s := Start(t)
	group := s.Create(groups, `{"labels":{"a":"b"}}`)
	backend := `"backend":{"backend_id":"` + group + `"}`
	edge := s.Create("/edges/https", `{}`)
	route := "/edges/https/" + edge + "/routes"
	subscription := "/event_subscriptions/" + s.Create("/event_subscriptions", `{"sources":[{"type":"a.v0"}]}`)
	for owner, inside := range map[string]string{
		"/edges/tls/" + s.Create("/edges/tls", `{`+backend+`}`): "/backend", "/edges/tcp/" + s.Create("/edges/tcp", `{`+backend+`}`): "/backend",
		"/edges/https/" + edge: "/routes/" + s.Create(route, `{"match_type":"exact_path","match":"/a",`+backend+`}`), subscription: "/sources/a.v0",
	} {
		want(t, s, 200, "GET", owner+inside, "")
		if owner != subscription {
			want(t, s, 409, "DELETE", groups+"/"+group, "")
		}
		want(t, s, 204, "DELETE", owner, "")
		want(t, s, 404, "GET", owner+inside, "")
	}
	want(t, s, 204, "DELETE", groups+"/"+group, "")
}
