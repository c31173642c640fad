package sshhostcertificate_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestSSHHostCertificate_generatedConfigRenews checks that the configuration
// that Terraform 1.14 or later generates for an imported certificate allows
// renewal.
func TestSSHHostCertificate_generatedConfigRenews(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	for name, options := range map[string][]testserver.Option{"default": nil, "other behavior": {testserver.WithBehavior("seed=4")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, append(options, testserver.WithClock(clock.Now))...)
			p := w.Protocol(t, provider.WithClock(func() time.Time { return clock.Now().Add(365*24*time.Hour - 20*time.Hour) }))
			id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q}`, w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")))
			state, _ := p.Import(kind, id, nil)
			config := p.Attributes(p.Generated(kind, state))
			if !config["valid_after"].IsNull() || !config["valid_until"].IsNull() {
				t.Errorf("the generated configuration sets valid_after %s and valid_until %s", config["valid_after"], config["valid_until"])
			}
			config["early_renewal_hours"] = acctest.Number(24)
			configured := maps.Clone(p.Attributes(state))
			configured["early_renewal_hours"] = acctest.Number(24)
			plan := p.Plan(kind, tftypes.NewValue(state.Type(), configured), acctest.Object(p.Type(kind), config))
			if len(plan.RequiresReplace) != 1 || !plan.RequiresReplace[0].Equal(acctest.At("ready_for_renewal")) {
				t.Errorf("replaced because of %v, expected ready_for_renewal", plan.RequiresReplace)
			}
		})
	}
}

// A certificate that begins later is due when little time is left, not when its validity
// period is short.
func TestSSHHostCertificate_laterBeginningDoesNotWarn(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	given := acctest.FromJSON(p.Type(kind), map[string]any{
		"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, ""), "principals": []any{"host.example.com"},
		"early_renewal_hours": 8000, "valid_after": time.Now().AddDate(0, 3, 0).UTC().Format(time.RFC3339),
	})
	state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), given)
	acctest.ExpectNone(t, found)
	if plan := p.Plan(kind, state, given); len(plan.RequiresReplace)+len(plan.Diagnostics) > 0 {
		t.Errorf("the certificate is due: %v, %v", plan.RequiresReplace, plan.Diagnostics)
	}
}

// A service that limits the validity period to less than early_renewal_hours
// makes every plan replace the certificate. The apply and each plan say so.
func TestSSHHostCertificate_cappedBelowTheRenewalWarns(t *testing.T) {
	t.Parallel()
	const warning = "Every plan replaces SSH host certificate shcrt_"
	for name, test := range map[string]struct {
		early, period int
		warns         bool
		rules         []string
	}{
		"longer than the limit":  {100 * 24, 365 * 24, true, nil}, // the limit is 90 days
		"without created_at":     {100 * 24, 365 * 24, true, []string{"informative_null"}},
		"shorter than the limit": {24, 365 * 24, false, nil},
		"within the limit":       {24, 48, false, nil},
	} {
		w := acctest.Start(t, testserver.WithBehavior(append(test.rules, "valid_until_capped")...))
		p := w.Protocol(t)
		given := acctest.FromJSON(p.Type(kind), map[string]any{
			"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, ""), "principals": []any{"host.example.com"},
			"early_renewal_hours": test.early, "validity_period_hours": test.period,
		})
		state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), given)
		if !test.warns {
			acctest.ExpectNone(t, found)
		} else {
			acctest.Expect(t, found, isWarn, acctest.At("early_renewal_hours"), warning, "(2160 hours), but early_renewal_hours is 2400", "set early_renewal_hours to less than 2160")
		}
		p = w.Protocol(t)
		read, _ := p.Read(kind, state, nil)
		plan := p.Plan(kind, read, given)
		if replaced := len(plan.RequiresReplace) > 0; replaced != test.warns {
			t.Errorf("%s: the plan replaces the certificate: %t", name, replaced)
		}
		if test.warns {
			acctest.Expect(t, plan.Diagnostics, isWarn, acctest.At("early_renewal_hours"),
				" was due for renewal from its beginning", "If validity_period_hours has changed since", "less than 2160")
		}
	}
}
