package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// move moves the state of a resource of the public provider ngrok/ngrok, and reads it.
// Nested blocks are lists in some of its versions and objects in others, and only it can
// read the private data.
func move(t *testing.T, p *acctest.Protocol, from, to, id, private string) (moved, read *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	resp, err := p.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.opentofu.org/ngrok/ngrok", SourceTypeName: "ngrok_" + from, TargetTypeName: "tunnel_" + to,
		SourceState: &tfprotov6.RawState{JSON: fmt.Appendf(nil, `{"id": %q, "description": "old", "region": "us", "acl": 3, "target": [{"debug": []}],
			"private_key_pem": "old", "unknown": {"a": [1]}}`, id)},
		SourcePrivate: []byte(private),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.TargetPrivate) > 0 {
		t.Errorf("%s, private data %q became %q", from, private, resp.TargetPrivate)
	}
	if len(resp.Diagnostics) > 0 {
		return nil, nil, resp.Diagnostics
	}
	after, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "tunnel_" + to, CurrentState: resp.TargetState})
	if err != nil {
		t.Fatal(err)
	}
	return resp.TargetState, after.NewState, after.Diagnostics
}

// TestMoved_fromAnotherProvider moves an object of each type that the other provider has.
// A plan changes nothing, and is refused before the object is read.
// TestAccMovedGuide_keepsObject moves one with Terraform.
func TestMoved_fromAnotherProvider(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for from, to := range map[string]string{
		"tls_certificate": "tls_certificate", "ssh_credential": "ssh_credential", "ssh_certificate_authority": "ssh_certificate_authority",
		"ssh_host_certificate": "ssh_host_certificate", "reserved_domain": "reserved_domain", "domain": "reserved_domain",
		"reserved_addr": "reserved_address", "tcp_address": "reserved_address", "failover_backend": "failover_backend",
		"tunnel_group_backend": "group_backend", "http_response_backend": "http_response_backend", "event_destination": "event_destination",
		"event_subscription": "event_subscription", "bot_user": "bot_user", "service_user": "bot_user", "ip_policy": "ip_policy",
		"ip_policy_rule": "ip_policy_rule",
	} {
		kind := acctest.KindOf(t, "tunnel_"+to)
		id := kind.Create(t, w)["id"]
		for _, private := range []string{"", "not JSON", "\xff\x00", "[]", `{"a": "/w=="}`, `{"schema_version": "1"}`} {
			moved, read, diags := move(t, p, from, to, id, private)
			p.Must(diags)
			state := p.Value(p.Type(kind.Type), read)
			if p.Strings(state)["id"] != id {
				t.Errorf("%s: moved to %s", from, state)
			}
			p.PlansNoChange(kind.Type, state)
			refused := p.Plan(kind.Type, p.Value(p.Type(kind.Type), moved), p.Kept(kind.Type, state)).Diagnostics
			acctest.Expect(t, errorsOf(refused), tfprotov6.DiagnosticSeverityError, nil, "has not been read yet")
		}
	}
}

// TestMoved_refused moves what is not the same object, or does not exist. Each error says
// what to do.
func TestMoved_refused(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	for name, test := range map[string]struct {
		from, id, to string
		want         []string
	}{
		"other kind":   {"ssh_credential", "sshcr_2abc", "reserved_address", []string{"Cannot move to another resource type", "destroy = false"}},
		"no object":    {"reserved_addr", "ra_none", "reserved_address", []string{"Reserved address not found", "or the moved block"}},
		"several keys": {"event_source", "a:b", "event_source", []string{"Cannot move to tunnel_event_source", "Import the event source"}},
		"no ID":        {"reserved_addr", "", "reserved_address", []string{"Cannot move to tunnel_reserved_address", "has no valid id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, diags := move(t, p, test.from, test.to, test.id, "")
			acctest.Expect(t, diags, tfprotov6.DiagnosticSeverityError, nil, test.want...)
		})
	}
}
