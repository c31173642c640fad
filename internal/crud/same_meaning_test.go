package crud_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestApply_sameMeaningPlansNoChange checks that a service can answer in
// another notation with the same meaning: there is no warning, and the next
// plan is empty.
func TestApply_sameMeaningPlansNoChange(t *testing.T) {
	t.Parallel()
	const edge, backend, credential, host, policy = "tunnel_tls_edge", "tunnel_http_response_backend", "tunnel_ssh_credential", "tunnel_ssh_host_certificate", "tunnel_tls_edge_policy"
	expressions := func(name string, texts ...any) object {
		return policyOf(object{"name": name, "expressions": texts, "actions": []any{object{"type": "deny"}}})
	}
	for _, test := range []struct {
		rules, kind string
		given       object
	}{
		{"hostports_lower", edge, object{"hostports": []any{"WWW.Example.com:443", "b.example.com:443"}}},
		{"hostports_upper", edge, object{"hostports": []any{"*.example.com:443"}}},
		{"ipv6_expanded", edge, object{"hostports": []any{"[2001:db8::1]:443"}}},
		{"ipv6_compressed", edge, object{"hostports": []any{"[2001:0DB8:0::1]:443"}}},
		{"acl_lower", credential, object{"acl": []any{"bind:*.Example.com", "bind:Example.com:443", "bind:Team=Red"}}},
		{"acl_upper", credential, object{"acl": []any{"bind:*.Example.com", "bind:Example.com:443", "bind:Team=Red"}}},
		{"ipv6_expanded", credential, object{"acl": []any{"bind:[2001:db8::1]:443"}}},
		{"principals_lower", host, object{"principals": []any{"Bastion.example.com", "192.0.2.1"}}},
		{"ipv6_expanded", host, object{"principals": []any{"2001:db8::1"}}},
		{"ipv6_compressed", host, object{"principals": []any{"2001:0db8:0::1"}}},
		{"times_milliseconds", host, object{"valid_after": "2020-01-01T00:00:00Z", "valid_until": "2050-01-01T00:00:00Z"}},
		{"domain_dot", "tunnel_reserved_domain", object{"domain": "www.example.com"}},
		{"domain_upper", "tunnel_reserved_domain", object{"domain": "*.example.com"}},
		{"header_names_canonical", backend, object{"headers": object{"content-type": "a", "X-ONE": "b"}}},
		{"cel_formatted", policy, expressions("", "conn.client_ip in ['192.0.2.1',\n  '192.0.2.2']\n", "conn.client_port  >  1")},
		// The service gets Punycode, the state keeps the configuration.
		{"", "tunnel_reserved_domain", object{"domain": "Bücher.example.com"}},
		{"", edge, object{"hostports": []any{"Bücher.example.com:443"}}},
		{"", credential, object{"acl": []any{"bind:*.bücher.example.com", "bind:Bücher.example.com:22", "bind:regal=bücher"}}},
	} {
		t.Run(test.rules+" of "+test.kind, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, testserver.WithBehavior(strings.Fields(test.rules)...))
			switch test.kind {
			case credential:
				test.given["public_key"] = testcert.PublicKey(t, "")
			case host:
				test.given["public_key"], test.given["ssh_certificate_authority_id"] = testcert.PublicKey(t, ""), w.Parents.SSHCertificateAuthority
			case policy:
				test.given["edge_id"] = w.Create("/edges/tls", "{}")
			}
			p := w.Protocol(t)
			state, diagnostics := apply(t, p, test.kind, tftypes.NewValue(p.Type(test.kind), nil), test.given)
			acctest.ExpectNone(t, diagnostics)
			p = w.Protocol(t)
			read, _ := p.Read(test.kind, state, nil)
			if !read.Equal(state) {
				diff, _ := state.Diff(read)
				t.Errorf("the refresh changes the state: %v", diff)
			}
			plansNoChange(t, p, test.kind, read, test.given)
			if test.given["principals"] == nil { // which a certificate has as they are spelled
				imported, _ := p.Import(test.kind, acctest.KindOf(t, test.kind).ImportID(p.Strings(state)), nil)
				if plan := p.Plan(test.kind, imported, acctest.FromJSON(p.Type(test.kind), test.given)); len(plan.RequiresReplace) > 0 {
					t.Errorf("the import is replaced for %v", plan.RequiresReplace)
				}
			}
		})
	}
}

// plansNoChange checks that the plan of a configuration has no changes.
func plansNoChange(t *testing.T, p *acctest.Protocol, kind string, state tftypes.Value, given object) {
	t.Helper()
	plan := p.Plan(kind, state, acctest.FromJSON(p.Type(kind), given))
	p.Must(plan.Diagnostics)
	if planned := p.Value(p.Type(kind), plan.PlannedState); !planned.Equal(state) {
		diff, _ := state.Diff(planned)
		t.Errorf("the next plan has changes: %v", diff)
	}
}
