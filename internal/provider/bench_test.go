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

// many is the number of objects of each kind.
const many = 100

// forEachBenchmarked runs a benchmark of many objects of each kind, with their
// states and the configurations that Terraform generates for them. A read is the
// first of its object in a run, as with Terraform: begin begins the next run.
func forEachBenchmarked(b *testing.B, run func(b *testing.B, begin func() *acctest.Protocol, kind string, states, configs []*tfprotov6.DynamicValue)) {
	b.Helper()
	for _, name := range benchmarked {
		b.Run(name, func(b *testing.B) {
			w := acctest.Start(b)
			p := w.Protocol(b)
			kind := acctest.KindOf(b, name)
			states, configs := make([]*tfprotov6.DynamicValue, many), make([]*tfprotov6.DynamicValue, many)
			for i := range many {
				keys := kind.Create(b, w)
				if strings.HasSuffix(name, "_policy") {
					rule := `{"name": "log", "expressions": ["conn.client_ip == '192.0.2.1'"], "actions": [{"type": "log", "config": {"metadata": {"a": 1}}}]}`
					w.Put(kind.At(keys), `{"inbound": [`+rule+strings.Repeat(", "+rule, 99)+`]}`)
				}
				state, _ := p.Import(name, kind.ImportID(keys), nil)
				states[i], configs[i] = p.Dynamic(state), p.Dynamic(p.Generated(name, state))
			}
			b.ReportAllocs()
			run(b, func() *acctest.Protocol { return w.Protocol(b) }, name, states, configs)
		})
	}
}

func BenchmarkProvider_readResource(b *testing.B) {
	forEachBenchmarked(b, func(b *testing.B, begin func() *acctest.Protocol, kind string, states, _ []*tfprotov6.DynamicValue) {
		var p *acctest.Protocol
		for i := 0; b.Loop(); i++ {
			if i%many == 0 {
				b.StopTimer()
				p = begin()
				b.StartTimer()
			}
			resp, err := p.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: kind, CurrentState: states[i%many]})
			if err != nil || len(resp.Diagnostics) > 0 {
				b.Fatal(resp, err)
			}
		}
	})
}

func BenchmarkProvider_planResourceChange(b *testing.B) {
	forEachBenchmarked(b, func(b *testing.B, begin func() *acctest.Protocol, kind string, states, configs []*tfprotov6.DynamicValue) {
		p := begin()
		for i := 0; b.Loop(); i++ {
			state := states[i%many]
			resp, err := p.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: kind, PriorState: state, ProposedNewState: state, Config: configs[i%many],
			})
			if err != nil || len(resp.Diagnostics) > 0 {
				b.Fatal(resp, err)
			}
		}
	})
}

func BenchmarkProvider_validateResourceConfig(b *testing.B) {
	unconfigured := acctest.NewProtocol(b) // a configured provider leaves it to the plan
	forEachBenchmarked(b, func(b *testing.B, _ func() *acctest.Protocol, kind string, _, configs []*tfprotov6.DynamicValue) {
		for i := 0; b.Loop(); i++ {
			resp, err := unconfigured.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: kind, Config: configs[i%many]})
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
