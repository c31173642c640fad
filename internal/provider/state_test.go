package provider_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var update = flag.Bool("update", false, "write the golden states of schemas that have none yet")

// TestStatesOfEveryReleaseAreReadable reads a state of each version that each
// schema ever had, and plans no change from it. A golden state is never
// rewritten: a change that this test does not survive needs a new version of the
// schema, and an upgrade.
func TestStatesOfEveryReleaseAreReadable(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for name, schema := range p.Schema.ResourceSchemas {
		if *update {
			record(t, name, schema)
		}
		for version := range schema.Version + 1 {
			raw, err := os.ReadFile(golden(name, version))
			if err != nil {
				t.Errorf("%s: no golden state of version %d; run this test with -update: %v", name, version, err)
				continue
			}
			resp, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: raw},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
			state := p.Value(p.Type(name), resp.UpgradedState)
			planned := p.Plan(name, state, written(t, schema, state))
			p.Must(planned.Diagnostics)
			if now := p.Value(p.Type(name), planned.PlannedState); !now.Equal(state) || len(planned.RequiresReplace) > 0 {
				t.Errorf("%s, state of version %d: a plan changes\n%s\nto\n%s", name, version, state, now)
			}
		}
	}
}

func golden(name string, version int64) string {
	return filepath.Join("testdata", "state", fmt.Sprintf("%s.v%d.json", name, version))
}

// written is the configuration that has led to a state, with all that can be
// configured.
func written(t *testing.T, schema *tfprotov6.Schema, state tftypes.Value) tftypes.Value {
	t.Helper()
	var attributes map[string]tftypes.Value
	if err := state.As(&attributes); err != nil {
		t.Fatal(err)
	}
	config := map[string]tftypes.Value{}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Optional || attribute.Required {
			config[attribute.Name] = attributes[attribute.Name]
		}
	}
	return acctest.Object(state.Type(), config)
}

// record imports an object of a type with all its fields set and writes its
// state as Terraform would, unless there is one already.
func record(t *testing.T, name string, schema *tfprotov6.Schema) {
	t.Helper()
	file := golden(name, schema.Version)
	if _, err := os.Stat(file); err == nil {
		return
	}
	w := acctest.Start(t)
	chain, key := acctest.Certificate(t, "www.example.com", "*.example.com")
	other := w.CreateOtherBackend()
	encode := func(value any) string {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	policy := `{"enabled":false,"inbound":[{"name":"log","expressions":["conn.client_ip == '192.0.2.1'"],"actions":[{"type":"log","config":{"metadata":{"a":1}}}]},{"actions":[{"type":"deny"}]}]}`
	edge, route := w.Parents.HTTPSEdge, w.Parents.HTTPSEdgeRoute
	made := map[string]func() string{
		"tunnel_ssh_credential": func() string {
			return w.Create("/ssh_credentials", fmt.Sprintf(`{"public_key":%q,"acl":["bind:*.example.com"],"description":"d","metadata":"m"}`, acctest.PublicKey(t, "me")))
		},
		"tunnel_ssh_host_certificate": func() string {
			return w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id":%q,"public_key":%q,"principals":["a.example.com"],"description":"d","metadata":"m"}`,
				w.Parents.SSHCertificateAuthority, acctest.PublicKey(t, "me")))
		},
		"tunnel_tls_certificate": func() string {
			return w.Create("/tls_certificates", encode(map[string]string{"certificate_pem": chain, "private_key_pem": key, "description": "d", "metadata": "m"}))
		},
		"tunnel_failover_backend": func() string {
			return w.Create("/backends/failover", fmt.Sprintf(`{"backends":[%q],"description":"d","metadata":"m"}`, other))
		},
		"tunnel_group_backend": func() string {
			return w.Create("/backends/tunnel_group", `{"labels":{"a":"b"},"description":"d","metadata":"m"}`)
		},
		"tunnel_tls_edge_policy": func() string {
			w.Put("/edges/tls/"+w.Parents.TLSEdge+"/policy", policy)
			return w.Parents.TLSEdge
		},
		"tunnel_tcp_edge_policy": func() string {
			w.Put("/edges/tcp/"+w.Parents.TCPEdge+"/policy", policy)
			return w.Parents.TCPEdge
		},
		"tunnel_https_edge_route_compression": func() string {
			w.Put("/edges/https/"+edge+"/routes/"+route+"/compression", `{"enabled":false}`)
			return edge + "/" + route
		},
		"tunnel_https_edge_route_websocket_tcp_converter": func() string {
			w.Put("/edges/https/"+edge+"/routes/"+route+"/websocket_tcp_converter", `{"enabled":true}`)
			return edge + "/" + route
		},
		"tunnel_event_source": func() string {
			return w.Parents.EventSubscription + "/" + w.Create("/event_subscriptions/"+w.Parents.EventSubscription+"/sources", `{"type":"ip_policy_deleted.v0"}`)
		},
	}
	p := w.Protocol(t)
	state, _ := p.Import(name, made[name](), nil)
	text := []byte(encode(plain(t, state)))
	text = []byte(strings.ReplaceAll(string(text), w.URL, "https://api.example.com"))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}

// plain is a value as JSON has it.
func plain(t *testing.T, value tftypes.Value) any {
	t.Helper()
	if value.IsNull() {
		return nil
	}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case value.Type().Is(tftypes.Object{}), value.Type().Is(tftypes.Map{}):
		var elements map[string]tftypes.Value
		must(value.As(&elements))
		out := map[string]any{}
		for name, element := range elements {
			out[name] = plain(t, element)
		}
		return out
	case value.Type().Is(tftypes.List{}), value.Type().Is(tftypes.Set{}):
		var elements []tftypes.Value
		must(value.As(&elements))
		out := []any{}
		for _, element := range elements {
			out = append(out, plain(t, element))
		}
		return out
	case value.Type().Is(tftypes.Bool):
		var b bool
		must(value.As(&b))
		return b
	}
	var text string
	must(value.As(&text))
	return text
}
