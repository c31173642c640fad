package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// TestServer_plansEqualFramework compares the plans of the framework's server
// and of ours, for random states and configurations of every type.
func TestServer_plansEqualFramework(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, arguments := range map[string]map[string]tftypes.Value{
		"configured":    {"base_url": text(w.URL), "api_key": text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true), "skip_account_validation": tftypes.NewValue(tftypes.Bool, true)},
		"not known yet": {"base_url": text(w.URL), "api_key": unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparePlans(t, arguments)
		})
	}
}

func comparePlans(t *testing.T, arguments map[string]tftypes.Value) {
	t.Helper()
	p := acctest.NewProtocol(t)
	framework := providerserver.NewProtocol6(provider.New("test")())()
	config := p.Dynamic(acctest.Object(p.Schema.Provider.ValueType(), arguments))
	configure := func() { // for each plan, because a run plans an object once
		for _, server := range []tfprotov6.ProviderServer{p, framework} {
			resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
				Config: config, ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: arguments["api_key"].Equal(unknown)},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
		}
	}
	unchanged := 0
	for name, schema := range p.Schema.ResourceSchemas {
		of := schema.ValueType()
		for seed := range uint64(40) {
			random := rand.New(rand.NewPCG(seed, uint64(len(name))))
			prior := acctest.AnyValue(random, of, 0)
			proposed := prior
			if !prior.IsNull() {
				prior = withoutWriteOnly(p, schema, prior)
				if random.IntN(2) == 0 { // otherwise the configuration has a write-only value
					proposed = prior
				}
			}
			if random.IntN(3) == 0 {
				proposed = acctest.AnyValue(random, of, 2)
			} else {
				unchanged++
			}
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName: name, PriorState: p.Dynamic(prior), ProposedNewState: p.Dynamic(proposed), Config: p.Dynamic(configuration(random, schema, proposed)),
				ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: random.IntN(4) == 0},
			}
			if random.IntN(2) == 0 {
				req.PriorIdentity = p.Identity(name, map[string]string{})
			}
			if random.IntN(2) == 0 {
				req.PriorPrivate = []byte(`{"of the provider":"eyJhIjoxfQ=="}`)
			}
			configure()
			ours, err := p.PlanResourceChange(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := framework.PlanResourceChange(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			validation := validate(t, framework, req, prior)
			if failed(slices.Concat(validation, theirs.Diagnostics)) && failed(ours.Diagnostics) {
				continue // Terraform ignores the plan, which depends on the order in which the framework visits attributes
			}
			ours.Diagnostics = without(ours.Diagnostics, validation)
			ours.Diagnostics = ours.Diagnostics[:len(theirs.Diagnostics)] // the others come from validators
			if diff := cmp.Diff(answer(p, of, theirs), answer(p, of, ours)); diff != "" {
				t.Fatalf("%s, seed %d (-framework +ours):\n%s", name, seed, diff)
			}
		}
	}
	if unchanged < 25*len(acctest.Kinds) {
		t.Errorf("only %d plans were without a change", unchanged)
	}
}

// withoutWriteOnly returns a state with null instead of write-only values.
func withoutWriteOnly(p *acctest.Protocol, schema *tfprotov6.Schema, state tftypes.Value) tftypes.Value {
	attributes := maps.Clone(p.Attributes(state))
	for _, attribute := range schema.Block.Attributes {
		if attribute.WriteOnly {
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		}
	}
	return tftypes.NewValue(state.Type(), attributes)
}

// validate returns what the framework's server reports of the configuration of a plan.
func validate(
	t *testing.T, framework tfprotov6.ProviderServer, plan *tfprotov6.PlanResourceChangeRequest, prior tftypes.Value,
) []*tfprotov6.Diagnostic {
	t.Helper()
	var before map[string]tftypes.Value
	if err := prior.As(&before); err != nil {
		t.Fatal(err)
	}
	resp, err := framework.ValidateResourceConfig(attribute.WithPriorState(t.Context(), before), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: plan.TypeName, Config: plan.Config,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

func without(diags, others []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return slices.DeleteFunc(diags, func(d *tfprotov6.Diagnostic) bool {
		return slices.ContainsFunc(others, func(other *tfprotov6.Diagnostic) bool { return d.Summary == other.Summary && d.Detail == other.Detail })
	})
}

func failed(diagnostics []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

// answer returns everything that Terraform sees of a plan, as text.
func answer(p *acctest.Protocol, of tftypes.Type, resp *tfprotov6.PlanResourceChangeResponse) []string {
	state := "none"
	if resp.PlannedState != nil {
		state = p.Value(of, resp.PlannedState).String()
	}
	var replaced []string // in any order
	for _, at := range resp.RequiresReplace {
		replaced = append(replaced, at.String())
	}
	slices.Sort(replaced)
	seen := []string{
		state, strings.Join(replaced, " "), string(resp.PlannedPrivate), fmt.Sprint(resp.Deferred != nil),
	}
	if resp.PlannedIdentity != nil {
		seen = append(seen, fmt.Sprintf("%x", resp.PlannedIdentity.IdentityData.MsgPack))
	}
	for _, d := range resp.Diagnostics {
		seen = append(seen, fmt.Sprint(d.Severity, d.Summary, d.Detail, d.Attribute))
	}
	return seen
}

// configuration returns a configuration that could have led to a proposed
// state. Computed attributes can be null.
func configuration(random *rand.Rand, schema *tfprotov6.Schema, proposed tftypes.Value) tftypes.Value {
	var attributes map[string]tftypes.Value
	if proposed.IsNull() || !proposed.IsKnown() || proposed.As(&attributes) != nil {
		return proposed
	}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Computed && (!attribute.Optional || random.IntN(2) == 0) {
			attributes[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
		}
	}
	return tftypes.NewValue(proposed.Type(), attributes)
}
