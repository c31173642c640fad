package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestDeferral_plansLikeConfigured checks that a deferred plan of a new object
// shows what a plan with a configured provider shows: an id that is unknown,
// and not null, so that objects that refer to it are valid.
func TestDeferral_plansLikeConfigured(t *testing.T) {
	t.Parallel()
	for _, kind := range acctest.Kinds {
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			_, arguments := kind.Configuration(t, w)
			p := w.Protocol(t)
			of := p.Type(kind.Type)
			config, prior := acctest.Object(of, arguments), tftypes.NewValue(of, nil)
			configured := p.Plan(kind.Type, prior, config)
			p.Must(configured.Diagnostics)

			deferring := acctest.NewProtocol(t)
			unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
			resp, err := deferring.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
				TerraformVersion:   "1.14.0",
				Config:             p.Dynamic(acctest.Object(p.Schema.Provider.ValueType(), map[string]tftypes.Value{"api_key": unknown, "base_url": unknown})),
				ClientCapabilities: &tfprotov6.ConfigureProviderClientCapabilities{DeferralAllowed: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
			deferred, err := deferring.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: kind.Type, PriorState: p.Dynamic(prior), Config: p.Dynamic(config), ProposedNewState: p.Dynamic(config),
				ClientCapabilities: &tfprotov6.PlanResourceChangeClientCapabilities{DeferralAllowed: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(deferred.Diagnostics)
			if deferred.Deferred == nil || deferred.Deferred.Reason != tfprotov6.DeferredReasonProviderConfigUnknown {
				t.Errorf("the plan is not deferred: %v", deferred.Deferred)
			}
			if got, want := p.Value(of, deferred.PlannedState), p.Value(of, configured.PlannedState); !got.Equal(want) {
				t.Errorf("the plan is\n%s\nwant\n%s", got, want)
			}
		})
	}
}
