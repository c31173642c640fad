package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

const benchmarked = "tunnel_ssh_credential"

// credential returns a configured provider, and the state of a credential with
// the configuration that matches it.
func credential(b *testing.B) (p *acctest.Protocol, state, config *tfprotov6.DynamicValue) {
	b.Helper()
	w := acctest.Start(b)
	p = w.Protocol(b)
	id := w.SeedSSHCredentials(1)[0]
	value, _ := p.Import(benchmarked, id, nil)
	var attributes map[string]tftypes.Value
	if err := value.As(&attributes); err != nil {
		b.Fatal(err)
	}
	given := acctest.Object(value.Type(), map[string]tftypes.Value{"public_key": attributes["public_key"], "description": attributes["description"]})
	return p, p.Dynamic(value), p.Dynamic(given)
}

func BenchmarkProvider_readResource(b *testing.B) {
	p, state, _ := credential(b)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := p.ReadResource(b.Context(), &tfprotov6.ReadResourceRequest{TypeName: benchmarked, CurrentState: state})
		if err != nil || len(resp.Diagnostics) > 0 {
			b.Fatal(resp, err)
		}
	}
}

func BenchmarkProvider_planResourceChange(b *testing.B) {
	p, state, config := credential(b)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := p.PlanResourceChange(b.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: benchmarked, PriorState: state, ProposedNewState: state, Config: config,
		})
		if err != nil || len(resp.Diagnostics) > 0 {
			b.Fatal(resp, err)
		}
	}
}

func BenchmarkProvider_validateResourceConfig(b *testing.B) {
	p, _, config := credential(b)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := p.ValidateResourceConfig(b.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: benchmarked, Config: config})
		if err != nil || len(resp.Diagnostics) > 0 {
			b.Fatal(resp, err)
		}
	}
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
