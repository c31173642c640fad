package crud_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

type object = map[string]any

// A normalizer is a service that changes the objects in its responses.
type normalizer struct {
	*acctest.Env
	url string
	// change changes an object of a response. If it returns false, the response
	// to a PATCH is empty.
	change atomic.Pointer[func(method string, o object) bool]
}

func startNormalizer(t *testing.T) *normalizer {
	t.Helper()
	n := &normalizer{Env: acctest.Start(t)}
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		n.ServeHTTP(recorded, r)
		maps.Copy(rw.Header(), recorded.Header())
		rw.Header().Del("Content-Length")
		body, change := recorded.Body.Bytes(), n.change.Load()
		var o object
		if change != nil && recorded.Code/100 == 2 && json.Unmarshal(body, &o) == nil && o != nil {
			if !(*change)(r.Method, o) {
				rw.WriteHeader(http.StatusNoContent)
				return
			}
			body, _ = json.Marshal(o)
		}
		rw.WriteHeader(recorded.Code)
		_, _ = rw.Write(body)
	}))
	t.Cleanup(front.Close)
	n.url = front.URL
	return n
}

func (n *normalizer) set(change func(method string, o object) bool) { n.change.Store(&change) }

// protocol returns a new provider process for the normalizer.
func (n *normalizer) protocol(t *testing.T) *acctest.Protocol {
	t.Helper()
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{
		"base_url": acctest.Text(n.url), "api_key": acctest.Text(n.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
	})
	return p
}

// apply plans and applies like Terraform, and checks that every known planned
// value is in the state.
func apply(t *testing.T, p *acctest.Protocol, kind string, prior tftypes.Value, given object) (tftypes.Value, []*tfprotov6.Diagnostic) {
	t.Helper()
	config := acctest.FromJSON(p.Type(kind), given)
	planned := p.Value(p.Type(kind), p.Plan(kind, prior, config).PlannedState)
	state, diagnostics := p.Apply(kind, prior, config)
	p.Must(diagnostics)
	if !state.IsFullyKnown() {
		t.Errorf("the state is not known: %s", state)
	}
	kept := p.Attributes(state)
	for name, value := range p.Attributes(planned) {
		if value.IsFullyKnown() && !value.Equal(kept[name]) {
			t.Errorf("%s is %s, planned as %s", name, kept[name], value)
		}
	}
	return state, diagnostics
}

// sets returns a change of one field.
func sets(name string, value any) func(string, object) bool {
	return func(_ string, o object) bool {
		if _, ok := o["id"]; ok {
			o[name] = value
		}
		return true
	}
}

// otherLeaf shows what a service may read differently from a certificate.
func otherLeaf(_ string, o object) bool {
	if _, ok := o["certificate_pem"]; ok {
		maps.Copy(o, object{
			"subject_common_name": "WWW.EXAMPLE.COM", "subject_organization": "Somebody", "subject_alternative_names": object{"dns_names": []string{"more.example.com"}, "ips": nil},
			"issued_at": "2026-01-01T00:00:00Z", "not_after": "2031-01-01T00:00:00Z", "private_key_type": "ec",
		})
	}
	return true
}

// emptyTargets shows the targets and the authentications that are not used as
// empty objects.
func emptyTargets(_ string, o object) bool {
	target, _ := o["target"].(object)
	for _, name := range []string{"firehose", "kinesis", "cloudwatch_logs", "debug", "datadog"} {
		if kind, used := target[name].(object); !used && target != nil {
			target[name] = object{}
		} else if auth, ok := kind["auth"].(object); ok && auth["role"] == nil {
			auth["role"] = object{"role_arn": ""}
		}
	}
	return true
}

// changesRule returns a change of the first rule of a policy.
func changesRule(change func(rule, action object)) func(string, object) bool {
	return func(_ string, o object) bool {
		if rules, ok := o["inbound"].([]any); ok && len(rules) > 0 {
			rule := rules[0].(object)
			change(rule, rule["actions"].([]any)[0].(object))
		}
		return true
	}
}

func policyOf(rule object) object {
	return object{"inbound": []any{rule}}
}

func TestApply_keepsPlannedValuesAndWarns(t *testing.T) {
	t.Parallel()
	n := startNormalizer(t)
	key, edge, edge2 := testcert.PublicKey(t, ""), n.Create("/edges/tls", "{}"), n.Create("/edges/tls", "{}")
	policy := func(edge string, rule object) object {
		o := policyOf(rule)
		o["edge_id"] = edge
		return o
	}
	deny := []any{object{"type": "deny"}}
	long := func(part string) string { return strings.Repeat("a", 200) + part + strings.Repeat("b", 200) }
	log := func(config string) []any { return []any{object{"type": "log", "config": config}} }
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	soon := func(hours time.Duration) string {
		return time.Now().Add(hours * time.Hour).UTC().Format(time.RFC3339)
	}
	until, capped := soon(48), soon(24)
	host := object{"ssh_certificate_authority_id": n.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, ""), "principals": []any{"a.example.com"}}

	for _, test := range []struct {
		name, kind string
		// before is updated to given if it is set.
		before, given object
		change        func(method string, o object) bool
		warning       []string // texts of the warning in order; none if empty
		// updateOnly means that the case is not about a creation.
		updateOnly bool
	}{
		{"acl", "tunnel_ssh_credential", object{"public_key": key}, object{"public_key": key, "acl": []any{"bind:env=Prod", "bind:b"}}, sets("acl", []any{"bind:b", "bind:env=prod"}),
			[]string{`acl: planned ["bind:env=Prod","bind:b"], stored ["bind:env=prod","bind:b"]`}, false},
		{"labels", "tunnel_group_backend", object{"labels": object{"a": "b"}}, object{"labels": object{"App": "Web", "env": "prod"}}, sets("labels", object{"app": "Web", "env": "Prod"}),
			[]string{`labels: planned {"App":"Web","env":"prod"}, stored {"app":"Web","env":"Prod"}`}, false},
		{"hostports", "tunnel_tls_edge", object{}, object{"hostports": []any{"a.example.com:443"}}, sets("hostports", []any{"a.example.com:443", "added.example.com:443"}),
			[]string{`hostports: planned ["a.example.com:443"], stored ["a.example.com:443","added.example.com:443"]`}, false},
		{"trimmed", "tunnel_tls_edge", object{}, object{"description": " edge "}, sets("description", "edge"), []string{`description: planned " edge ", stored "edge"`}, false},
		{"long text", "tunnel_http_response_backend", object{}, object{"body": long("old")}, sets("body", long("new")),
			[]string{`body: planned ...aaa`, `aoldb`, `b..., stored ...aaa`, `anewb`, `b...`}, false},
		{"status code missing", "tunnel_http_response_backend", object{}, object{"status_code": 404}, sets("status_code", nil), []string{"status_code: planned 404, stored no value"}, false},
		{"generated description", "tunnel_tls_edge", object{"metadata": "a"}, object{"metadata": "b"}, sets("description", "edge 1"), []string{`description: planned no value, stored "edge 1"`}, false},
		{"cleared by nothing", "tunnel_tls_edge", object{"description": "old"}, object{}, sets("description", "old"), []string{`description: planned no value, stored "old"`}, true},
		{"generated name", "tunnel_tls_edge_policy", policy(edge, object{"expressions": []any{"true"}, "actions": deny}), policy(edge, object{"expressions": []any{}, "actions": deny}),
			changesRule(func(rule, _ object) { rule["name"] = "rule 1" }), []string{`inbound: planned `, `"name":<null>`, `stored `, `"name":"rule 1"`}, false},
		{"added rule", "tunnel_tls_edge_policy", nil, policy(n.Create("/edges/tls", "{}"), object{"name": "first", "expressions": []any{}, "actions": deny}), func(_ string, o object) bool {
			if rules, ok := o["inbound"].([]any); ok && len(rules) > 0 {
				o["inbound"] = append([]any{object{"name": "added", "expressions": []any{}, "actions": deny}}, rules...)
			}
			return true
		}, []string{`inbound: planned `, `first`, `stored `, `added`}, false},
		{"expression", "tunnel_tls_edge_policy", nil, policy(edge2, object{"expressions": []any{"conn.client_ip == 'a'"}, "actions": deny}),
			changesRule(func(rule, _ object) { rule["expressions"] = []any{`conn.client_ip == "b"`} }), []string{`inbound: planned `, `conn.client_ip == 'a'`, `stored `, `conn.client_ip == \"b\"`}, false},
		{"default in config", "tunnel_tls_edge_policy", nil, policy(n.Create("/edges/tls", "{}"), object{"expressions": []any{}, "actions": log(`{"metadata":{}}`)}),
			changesRule(func(_, action object) { action["config"] = object{"metadata": object{}, "level": "info"} }), []string{`inbound: planned `, `level`}, false},
		{"rounded number", "tunnel_tls_edge_policy", nil, policy(n.Create("/edges/tls", "{}"), object{"expressions": []any{}, "actions": log(`{"metadata":{"n":9007199254740993}}`)}),
			changesRule(func(_, action object) { action["config"] = json.RawMessage(`{"metadata":{"n":9007199254740992}}`) }), []string{`9007199254740993`, `9007199254740992`}, false},
		{"capped", "tunnel_ssh_host_certificate", nil, mergedWith(host, object{"valid_until": until}), sets("valid_until", capped), []string{"valid_until: planned", until, "stored", capped}, false},
		{"same time", "tunnel_ssh_host_certificate", nil, mergedWith(host, object{"valid_until": until, "public_key": testcert.PublicKey(t, "")}),
			sets("valid_until", strings.Replace(until, "Z", "+00:00", 1)), nil, false},
		{"chain cut", "tunnel_tls_certificate", nil, object{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)}, sets("certificate_pem", chain.PEM(1)),
			[]string{"certificate_pem: planned", "stored"}, false},
		{
			"derived attributes", "tunnel_tls_certificate", object{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)},
			object{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t), "description": "new"}, otherLeaf, nil, false,
		},
		{"root omitted", "tunnel_tls_certificate", nil, object{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)}, sets("certificate_pem", chain.PEM(1, 2)), nil, false},
		{"other uri", "tunnel_tls_edge", object{}, object{"description": "a"}, sets("uri", "https://other.example.com/1"), nil, false},
		{"metadata formatted", "tunnel_tls_edge", object{}, object{"metadata": `{"a": 1}`}, sets("metadata", `{"a":1}`), nil, false},
		{"partial patch", "tunnel_tls_edge", object{"metadata": "m"}, object{"metadata": "m", "description": "a"}, func(method string, o object) bool {
			if method == http.MethodPatch {
				delete(o, "metadata")
				delete(o, "description")
			}
			return true
		}, nil, true},
		{"patch without object", "tunnel_tls_edge", object{"metadata": "m"}, object{"metadata": "m", "description": "a"}, func(method string, o object) bool {
			if method == http.MethodPatch {
				clear(o)
			}
			return true
		}, nil, true},
		{"patch with 204", "tunnel_tls_edge", object{"metadata": "m"}, object{"metadata": "m", "description": "a"}, func(method string, _ object) bool { return method != http.MethodPatch }, nil, true},
		{"domain in Unicode", "tunnel_reserved_domain", nil, object{"domain": "*.xn--bcher-kva.example.com"}, sets("domain", "*.Bücher.example.com."), nil, false},
		{"hostports in Unicode", "tunnel_tls_edge", object{}, object{"hostports": []any{"xn--bcher-kva.example.com:443"}}, sets("hostports", []any{"bücher.example.com:443"}), nil, false},
		{"unused targets empty", "tunnel_event_destination", nil, object{"target": object{"debug": object{"callback_url": "https://hooks.example.com"}}}, emptyTargets, nil, false},
		{"only target without values", "tunnel_event_destination", nil, object{"target": object{"debug": object{}}}, emptyTargets, nil, false},
		{
			"unused authentication empty", "tunnel_event_destination", nil, object{"secret": "0123456789abcdef", "target": object{"kinesis": object{
				"stream_arn": "arn:aws:kinesis:eu-west-1:1:stream/a", "auth": object{"creds": object{"aws_access_key_id": "AKIAIOSFODNN7EXAMPLE"}},
			}}}, emptyTargets, nil, false,
		},
		{"unset management policy empty", "tunnel_reserved_domain", nil, object{"domain": "policy.example.com"}, sets("certificate_management_policy", object{}), nil, false},
		{"put with 204", "tunnel_tls_edge_policy", policy(n.Create("/edges/tls", "{}"), object{"expressions": []any{}, "actions": deny}), policy(edge, object{"expressions": []any{"true"}, "actions": deny}),
			func(method string, _ object) bool { return method != http.MethodPut }, nil, false},
	} {
		check := func(t *testing.T, diagnostics []*tfprotov6.Diagnostic) {
			t.Helper()
			if len(test.warning) == 0 {
				acctest.ExpectNone(t, diagnostics)
			} else {
				acctest.Expect(t, diagnostics, tfprotov6.DiagnosticSeverityWarning, nil, append([]string{"The service stored different values for the"}, test.warning...)...)
			}
		}
		p, unchanged := n.protocol(t), func(string, object) bool { return true }
		null := tftypes.NewValue(p.Type(test.kind), nil)
		var state tftypes.Value
		if test.before != nil {
			if test.kind == "tunnel_tls_edge_policy" {
				test.given["edge_id"] = test.before["edge_id"]
			}
			t.Run(test.name+", update", func(t *testing.T) { //nolint:paralleltest // one service
				n.set(unchanged)
				state, _ = apply(t, n.protocol(t), test.kind, null, test.before)
				n.set(test.change)
				var diagnostics []*tfprotov6.Diagnostic
				state, diagnostics = apply(t, p, test.kind, state, test.given)
				check(t, diagnostics)
				refreshedOnce(t, n, test.kind, state)
				n.set(unchanged)
				destroy(t, p, test.kind, state)
			})
		}
		if test.updateOnly {
			continue
		}
		t.Run(test.name+", create", func(t *testing.T) { //nolint:paralleltest // as above
			n.set(test.change)
			state, diagnostics := apply(t, n.protocol(t), test.kind, null, test.given)
			check(t, diagnostics)
			refreshedOnce(t, n, test.kind, state)
			if len(test.warning) == 0 {
				read, _ := n.protocol(t).Read(test.kind, state, nil)
				plansNoChange(t, n.protocol(t), test.kind, read, test.given)
			}
			n.set(unchanged)
			destroy(t, p, test.kind, state)
		})
	}
}

// refreshedOnce checks that a second refresh finds nothing new.
func refreshedOnce(t *testing.T, n *normalizer, kind string, state tftypes.Value) {
	t.Helper()
	first, _ := n.protocol(t).Read(kind, state, nil)
	if second, _ := n.protocol(t).Read(kind, first, nil); !second.Equal(first) {
		t.Errorf("the second refresh found %s, the first %s", second, first)
	}
}

func destroy(t *testing.T, p *acctest.Protocol, kind string, state tftypes.Value) {
	t.Helper()
	null := p.Dynamic(tftypes.NewValue(p.Type(kind), nil))
	resp, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: kind, PriorState: p.Dynamic(state), PlannedState: null, Config: null})
	if err != nil {
		t.Fatal(err)
	}
	p.Must(resp.Diagnostics)
}

func mergedWith(a, b object) object {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
