package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestServer_plansEqualFramework compares the plans of the framework's server
// and of ours, for random states and configurations of every type.
func TestServer_plansEqualFramework(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, arguments := range map[string]map[string]tftypes.Value{
		"configured":    {"base_url": text(w.URL), "api_key": text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true)},
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
			prior := value(random, of, false)
			proposed := prior
			if !prior.IsNull() {
				prior = withoutWriteOnly(p, schema, prior)
				if random.IntN(2) == 0 { // otherwise the configuration has a write-only value
					proposed = prior
				}
			}
			if random.IntN(3) == 0 {
				proposed = value(random, of, true)
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

// TestServer_plansEqualFrameworkAtBoundaries compares the plans of unchanged
// objects whose plan depends on the time or on a write-only key.
func TestServer_plansEqualFrameworkAtBoundaries(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	w := acctest.Start(t, testserver.WithClock(clock.Now))
	ours := w.Protocol(t, provider.WithClock(clock.Now))
	framework := providerserver.NewProtocol6(provider.New("test", provider.WithClock(clock.Now))())()
	config := ours.Dynamic(acctest.Object(ours.Schema.Provider.ValueType(), map[string]tftypes.Value{"base_url": text(w.URL), "api_key": text(w.AdminKey)}))
	if _, err := framework.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config}); err != nil {
		t.Fatal(err)
	}
	chain, other := testcert.ChainOf{NotAfter: clock.Now().Add(1000 * time.Hour)}.New(t), testcert.ChainOf{}.New(t)
	certificate, _ := ours.Import("tunnel_tls_certificate", w.Create("/tls_certificates", quoted(map[string]any{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})), nil)
	host, _ := ours.Import("tunnel_ssh_host_certificate", w.Create("/ssh_host_certificates", quoted(map[string]any{
		"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, ""), "principals": []string{"a"}, "valid_until": clock.Now().Add(1000 * time.Hour).Format(time.RFC3339),
	})), nil)
	type attributes = map[string]tftypes.Value
	yes, no := tftypes.NewValue(tftypes.Bool, true), tftypes.NewValue(tftypes.Bool, false)
	start, cases, silent := clock.Now(), 0, 0
	for _, c := range []struct {
		kind  string
		state tftypes.Value
		with  attributes // of the state
		given attributes // of the configuration only
	}{
		{"tunnel_tls_certificate", certificate, nil, nil},
		{"tunnel_tls_certificate", certificate, nil, attributes{"private_key_pem_wo": text(chain.PKCS8(t))}},
		{"tunnel_tls_certificate", certificate, nil, attributes{"private_key_pem_wo": text(other.PKCS8(t))}},
		{"tunnel_tls_certificate", certificate, nil, attributes{"private_key_pem_wo": unknown}},
		{"tunnel_tls_certificate", certificate, attributes{"private_key_pem": text(other.PKCS8(t))}, nil},
		{"tunnel_ssh_host_certificate", host, nil, nil},
		{"tunnel_ssh_host_certificate", host, attributes{"early_renewal_hours": acctest.Number(720)}, nil},
		{"tunnel_ssh_host_certificate", host, attributes{"early_renewal_hours": acctest.Number(0)}, nil},
		{"tunnel_ssh_host_certificate", host, attributes{"early_renewal_hours": acctest.Number(720), "ready_for_renewal": yes}, nil},
		{"tunnel_ssh_host_certificate", host, attributes{"early_renewal_hours": acctest.Number(720), "ready_for_renewal": no, "validity_period_hours": acctest.Number(900)}, nil},
	} {
		attributes := maps.Clone(ours.Attributes(c.state))
		maps.Copy(attributes, c.with)
		prior := tftypes.NewValue(c.state.Type(), attributes)
		for _, fixed := range []bool{false, true} {
			proposed, given := maps.Clone(attributes), maps.Clone(attributes)
			for _, attribute := range ours.Schema.ResourceSchemas[c.kind].Block.Attributes {
				if attribute.Computed && (!attribute.Optional || !fixed) {
					given[attribute.Name] = tftypes.NewValue(attribute.ValueType(), nil)
				}
			}
			maps.Copy(given, c.given)
			maps.Copy(proposed, c.given)
			req := &tfprotov6.PlanResourceChangeRequest{
				TypeName: c.kind, PriorState: ours.Dynamic(prior), ProposedNewState: ours.Dynamic(tftypes.NewValue(prior.Type(), proposed)), Config: ours.Dynamic(tftypes.NewValue(prior.Type(), given)),
			}
			for _, hours := range []time.Duration{0, 180, 280, 900, 1000} {
				for _, offset := range []time.Duration{-time.Second, 0, time.Second} {
					clock.Advance(start.Add(hours*time.Hour + offset).Sub(clock.Now()))
					mine, err := ours.PlanResourceChange(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					theirs, err := framework.PlanResourceChange(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					validation := validate(t, framework, req, prior)
					if failed(validation) && failed(mine.Diagnostics) {
						continue
					}
					mine.Diagnostics = without(mine.Diagnostics, validation)
					if diff := cmp.Diff(answer(ours, prior.Type(), theirs), answer(ours, prior.Type(), mine)); diff != "" {
						t.Fatalf("%s after %d hours and %s (-framework +ours):\n%s", c.kind, hours, offset, diff)
					}
					if cases++; len(mine.Diagnostics) == 0 {
						silent++
					}
				}
			}
		}
	}
	if silent == 0 || silent == cases {
		t.Errorf("%d of %d plans have no diagnostic", silent, cases)
	}
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

// value makes a random value of a type.
func value(random *rand.Rand, of tftypes.Type, unknowns bool) tftypes.Value {
	switch n := random.IntN(10); {
	case n == 0:
		return tftypes.NewValue(of, nil)
	case n == 1 && unknowns:
		return tftypes.NewValue(of, tftypes.UnknownValue)
	}
	switch of := of.(type) {
	case tftypes.Object:
		attributes := map[string]tftypes.Value{}
		for name, attribute := range of.AttributeTypes {
			attributes[name] = value(random, attribute, unknowns)
		}
		return tftypes.NewValue(of, attributes)
	case tftypes.List:
		return tftypes.NewValue(of, values(random, of.ElementType, unknowns))
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		for i, element := range values(random, of.ElementType, unknowns) {
			elements[fmt.Sprint(i)] = element
		}
		return tftypes.NewValue(of, elements)
	}
	switch {
	case of.Is(tftypes.Bool):
		return tftypes.NewValue(of, random.IntN(2) == 0)
	case of.Is(tftypes.Number):
		return tftypes.NewValue(of, random.IntN(5))
	}
	return tftypes.NewValue(of, []string{"", "a", "b", `{"a":1}`, "2027-01-31T08:15:30Z"}[random.IntN(5)])
}

func values(random *rand.Rand, of tftypes.Type, unknowns bool) []tftypes.Value {
	all := make([]tftypes.Value, 2+random.IntN(2))
	for i := range all {
		all[i] = value(random, of, unknowns)
	}
	return all
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
