package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// benchmarked are kinds with a small state, a long text, and a hundred nested
// objects.
var benchmarked = []string{"tunnel_ssh_credential", "tunnel_tls_certificate", "tunnel_tls_edge_policy"}

// forEachBenchmarked runs a benchmark with a configured provider, and the state
// of an object of each kind with the configuration that Terraform generates for
// it.
func forEachBenchmarked(b *testing.B, run func(b *testing.B, p *acctest.Protocol, kind string, state, config *tfprotov6.DynamicValue)) {
	b.Helper()
	for _, name := range benchmarked {
		b.Run(name, func(b *testing.B) {
			w := acctest.Start(b)
			p := w.Protocol(b)
			kind := acctest.KindOf(b, name)
			keys := kind.Create(b, w)
			if strings.HasSuffix(name, "_policy") {
				rule := `{"name": "log", "expressions": ["conn.client_ip == '192.0.2.1'"], "actions": [{"type": "log", "config": {"metadata": {"a": 1}}}]}`
				w.Put(kind.At(keys), `{"inbound": [`+rule+strings.Repeat(", "+rule, 99)+`]}`)
			}
			state, _ := p.Import(name, kind.ImportID(keys), nil)
			config := p.Dynamic(p.Generated(name, state))
			b.ReportAllocs()
			run(b, p, name, p.Dynamic(state), config)
		})
	}
}

func BenchmarkProvider_readResource(b *testing.B) {
	forEachBenchmarked(b, func(b *testing.B, p *acctest.Protocol, kind string, state, _ *tfprotov6.DynamicValue) {
		for b.Loop() {
			resp, err := p.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: kind, CurrentState: state})
			if err != nil || len(resp.Diagnostics) > 0 {
				b.Fatal(resp, err)
			}
		}
	})
}

func BenchmarkProvider_planResourceChange(b *testing.B) {
	forEachBenchmarked(b, func(b *testing.B, p *acctest.Protocol, kind string, state, config *tfprotov6.DynamicValue) {
		for b.Loop() {
			resp, err := p.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: kind, PriorState: state, ProposedNewState: state, Config: config,
			})
			if err != nil || len(resp.Diagnostics) > 0 {
				b.Fatal(resp, err)
			}
		}
	})
}

func BenchmarkProvider_validateResourceConfig(b *testing.B) {
	unconfigured := acctest.NewProtocol(b) // a configured provider leaves it to the plan
	forEachBenchmarked(b, func(b *testing.B, _ *acctest.Protocol, kind string, _, config *tfprotov6.DynamicValue) {
		for b.Loop() {
			resp, err := unconfigured.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: kind, Config: config})
			if err != nil || len(resp.Diagnostics) > 0 {
				b.Fatal(resp, err)
			}
		}
	})
}

func BenchmarkProvider_start(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		server, err := provider.Server(provider.New("test")())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := server.GetProviderSchema(b.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
			b.Fatal(err)
		}
	}
}
