package tlscertificate_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestTLSCertificate_warningsInEveryMode plans a certificate whose leaf or
// intermediate expires, in every mode of Terraform, at the boundaries of the
// warning period and of the expiry. Each plan is repeated after the next
// boundary, as an apply of a saved plan does, and must stay the same.
func TestTLSCertificate_warningsInEveryMode(t *testing.T) {
	t.Parallel()
	const warning = 720 * time.Hour
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	for _, part := range []string{"leaf", "intermediate"} {
		for mode, test := range map[string]struct {
			refresh bool
			// config is the rest of the configuration.
			config values
			// replaces means that the plan uploads the certificate again.
			replaces bool
		}{
			"normal":                        {refresh: true},
			"without refresh":               {},
			"other change":                  {refresh: true, config: values{"description": acctest.Text("new")}},
			"other change without refresh":  {config: values{"description": acctest.Text("new")}},
			"unknown value without refresh": {config: values{"description": unknown}},
			"new key version":               {refresh: true, config: values{"private_key_pem_wo_version": acctest.Number(2)}, replaces: true},
			"new key version, no refresh":   {config: values{"private_key_pem_wo_version": acctest.Number(2)}, replaces: true},
		} {
			for _, boundary := range []time.Duration{-warning, 0} {
				for _, offset := range []time.Duration{-time.Second, 0, time.Second} {
					t.Run(fmt.Sprintf("%s, %s, %s", part, mode, boundary+offset), func(t *testing.T) {
						t.Parallel()
						w, clock := acctest.Start(t), acctest.NewClock()
						end := clock.Now().Add(1000 * time.Hour)
						chain := testcert.ChainOf{Intermediates: 1, NotBefore: end.AddDate(-1, 0, 0), NotAfter: end, IssuersNotAfter: end.AddDate(10, 0, 0)}
						if part == "intermediate" {
							chain.NotAfter, chain.IssuersNotAfter = chain.IssuersNotAfter, chain.NotAfter
						}
						created := chain.New(t)
						p := w.Protocol(t, provider.WithClock(clock.Now))
						state, _ := p.Import(kind, w.Upload(t, created, ""), nil)
						recorded := maps.Clone(p.Attributes(state))
						recorded["private_key_pem_wo_version"] = acctest.Number(1)
						state = acctest.Object(state.Type(), recorded)
						given := pair(created.PEM(), created.PKCS8(t))
						maps.Copy(given, test.config)

						clock.Advance(end.Add(boundary + offset).Sub(clock.Now()))
						if test.refresh {
							before := state
							if state, _ = p.Read(kind, state, nil); !state.Equal(before) {
								t.Errorf("a refresh found %s, was %s", state, before)
							}
						}
						plan := p.Plan(kind, state, acctest.Object(state.Type(), given))
						if replaces := len(plan.RequiresReplace) > 0; replaces != test.replaces {
							t.Errorf("the plan replaces the certificate because of %v", plan.RequiresReplace)
						}
						verb := "expires on"
						if boundary == 0 && offset > 0 {
							verb = "expired on"
						}
						if boundary == 0 || offset >= 0 {
							acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("certificate_pem"), verb, end.UTC().Format(time.RFC3339))
						} else {
							acctest.ExpectNone(t, plan.Diagnostics)
						}

						// Terraform plans again during the apply.
						prior := state
						if test.replaces {
							prior = tftypes.NewValue(state.Type(), nil)
							plan = p.Plan(kind, prior, acctest.Object(state.Type(), given))
						}
						clock.Advance(2 * time.Second)
						again := p.Plan(kind, prior, acctest.Object(state.Type(), given))
						p.Must(again.Diagnostics)
						planned := p.Value(state.Type(), plan.PlannedState)
						if now := p.Value(state.Type(), again.PlannedState); !now.Equal(planned) {
							t.Errorf("the plan became another:\n%s\n%s", planned, now)
						}
						if len(test.config) == 0 && !planned.Equal(state) {
							t.Errorf("time alone plans %s", planned)
						}
						destroy, err := p.NextRun().PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
							TypeName: kind, PriorState: p.Dynamic(state), Config: p.Dynamic(tftypes.NewValue(state.Type(), nil)), ProposedNewState: p.Dynamic(tftypes.NewValue(state.Type(), nil)),
						})
						if err != nil {
							t.Fatal(err)
						}
						acctest.ExpectNone(t, destroy.Diagnostics)
					})
				}
			}
		}
	}
}
