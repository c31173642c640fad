package sshhostcertificate_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const createBeforeDestroy = "lifecycle {\n    create_before_destroy = true\n  }"

var ready = tfjsonpath.New("ready_for_renewal")

func isReady(value bool) []statecheck.StateCheck {
	return []statecheck.StateCheck{statecheck.ExpectKnownValue(address, ready, knownvalue.Bool(value))}
}

// withClock runs a test with and without quirks. The service and the provider
// use the same clock.
func withClock(t *testing.T, test func(t *testing.T, w *acctest.Env, clock *acctest.Clock)) {
	t.Parallel()
	for name, options := range map[string][]testserver.Option{"plain": nil, "quirks": {testserver.WithQuirks(4)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := acctest.NewClock()
			test(t, acctest.Start(t, append(options, testserver.WithClock(clock.Now))...), clock)
		})
	}
}

// validUntil returns a check of the end of the certificate.
func validUntil(want func() time.Time) resource.TestCheckFunc {
	return resource.TestCheckResourceAttrWith(address, "valid_until", func(text string) error {
		if until, err := time.Parse(time.RFC3339, text); err != nil || !until.Equal(want()) {
			return fmt.Errorf("valid_until is %s, expected %s", text, want())
		}
		return nil
	})
}

func TestAccSSHHostCertificate_renewedInWindow(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		configuration := w.Config(config(w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), `principals = ["host.example.com"]`, `early_renewal_hours = 24`))
		year := clock.Now().AddDate(1, 0, 0).Sub(clock.Now())
		nextYear := func() time.Time { return clock.Now().AddDate(1, 0, 0) }
		w.RunWithClock(t, clock,
			resource.TestStep{Config: configuration, ConfigStateChecks: isReady(false), Check: validUntil(nextYear)},
			resource.TestStep{
				PreConfig:         func() { clock.Advance(year - 25*time.Hour) },
				Config:            configuration,
				ConfigPlanChecks:  acctest.Planned(plancheck.ExpectEmptyPlan()),
				ConfigStateChecks: isReady(false),
			},
			resource.TestStep{
				PreConfig: func() { clock.Advance(2 * time.Hour) },
				Config:    configuration,
				ConfigPlanChecks: acctest.Planned(
					plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
					plancheck.ExpectUnknownValue(address, ready),
				),
				ConfigStateChecks: isReady(false),
				Check:             validUntil(nextYear),
			},
		)
	})
}

func TestAccSSHHostCertificate_renewalCreatesBeforeDestroy(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		configuration := w.Config(config(w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), `principals = ["host.example.com"]`, `early_renewal_hours = 0`, createBeforeDestroy))
		w.RunWithClock(t, clock,
			resource.TestStep{Config: configuration},
			resource.TestStep{
				PreConfig: func() {
					clock.Advance(366 * 24 * time.Hour)
					w.ResetStats()
				},
				Config:           configuration,
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreateBeforeDestroy)),
				Check:            w.CreatedBeforeDeleted("/ssh_host_certificates"),
			},
		)
	})
}

func TestAccSSHHostCertificate_renewalChangesInPlace(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		authority, key, hosts := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), `principals = ["host.example.com"]`
		nothingChanged := func(*terraform.State) error {
			if changed := w.Stats().Requests["PATCH /ssh_host_certificates/{id}"]; changed != 0 {
				return fmt.Errorf("%d times PATCH was sent, expected none", changed)
			}
			return nil
		}
		w.RunWithClock(t, clock,
			resource.TestStep{Config: w.Config(config(authority, key, hosts))},
			resource.TestStep{
				PreConfig: func() { clock.Advance(2000 * time.Hour) },
				Config:    w.Config(config(authority, key, hosts, `early_renewal_hours = 720`)),
				// Only the argument changes, and no value is unknown.
				ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, "early_renewal_hours")),
				Check:            nothingChanged,
			},
			resource.TestStep{
				Config:           w.Config(config(authority, key, hosts)),
				ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, "early_renewal_hours")),
				Check:            nothingChanged,
			},
			resource.TestStep{
				PreConfig:        func() { clock.Advance(2 * 366 * 24 * time.Hour) },
				Config:           w.Config(config(authority, key, hosts)), // expired, but renewal is not configured
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
			},
			resource.TestStep{
				Config:             w.Config(config(authority, key, hosts, `early_renewal_hours = 720`)),
				ConfigPlanChecks:   acctest.Planned(acctest.ExpectChanges(address, "early_renewal_hours")),
				ExpectNonEmptyPlan: true, // the next plan renews
			},
			resource.TestStep{
				Config:           w.Config(config(authority, key, hosts, `early_renewal_hours = 720`)),
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate)),
			},
		)
	})
}

func TestAccSSHHostCertificate_fixedEndInWindowReplacesNothing(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		authority, key, hosts := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), `principals = ["host.example.com"]`
		end := clock.Now().Add(100 * time.Hour)
		fixed := w.Config(config(authority, key, hosts, `early_renewal_hours = 24`, fmt.Sprintf("valid_until = %q", end.Format(time.RFC3339))))
		w.RunWithClock(t, clock,
			resource.TestStep{Config: fixed},
			resource.TestStep{
				PreConfig:        func() { clock.Advance(80 * time.Hour) },
				Config:           fixed,
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
			},
			resource.TestStep{
				PreConfig:        func() { clock.Advance(80 * time.Hour) }, // the certificate has expired
				Config:           fixed,
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
			},
			resource.TestStep{Config: fixed, Destroy: true},
			resource.TestStep{
				Config:      fixed,
				ExpectError: acctest.InError("Certificate would already be expired", "valid until "+end.Format(time.RFC3339)),
			},
		)
	})
}

func TestAccSSHHostCertificate_fixedEndInWindowWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	fixed := []string{`principals = ["host.example.com"]`, fmt.Sprintf("valid_until = %q", time.Now().Add(10*time.Hour).Format(time.RFC3339)), `early_renewal_hours = 24`}
	tf := w.Terraform(t, config(w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), fixed...))
	for range 2 {
		if out := tf.Apply(t); !acctest.InError("Warning: SSH host certificate is due but cannot be renewed", "remove valid_after and valid_until, and set validity_period_hours").MatchString(out) {
			t.Errorf("no warning:\n%s", acctest.Summary(out))
		} else if strings.Contains(out, "Every plan replaces") {
			t.Errorf("the certificate keeps its end, so no plan replaces it:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
	}
	tf.Destroy(t)
	if left := w.List("/ssh_host_certificates"); len(left) > 0 {
		t.Errorf("after the destroy there is %v", left)
	}
}

// TestAccSSHHostCertificate_windowOfFixedEnd changes the renewal window of a
// certificate with a fixed end, which only updates the state.
func TestAccSSHHostCertificate_windowOfFixedEnd(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		authority, key, hosts := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), `principals = ["host.example.com"]`
		for _, fixed := range [][]string{
			{hosts, fmt.Sprintf("valid_until = %q", clock.Now().Add(100*time.Hour).Format(time.RFC3339))},
			{hosts, fmt.Sprintf("valid_after = %q", clock.Now().Format(time.RFC3339)), `validity_period_hours = 100`},
		} {
			start := clock.Now()
			with := func(hours int) string {
				return w.Config(config(authority, key, append([]string{fmt.Sprintf("early_renewal_hours = %d", hours)}, fixed...)...))
			}
			w.RunWithClock(t, clock,
				resource.TestStep{Config: w.Config(config(authority, key, fixed...))},
				resource.TestStep{Config: with(24), ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)), ConfigStateChecks: isReady(false)},
				resource.TestStep{
					PreConfig:        func() { clock.Advance(80 * time.Hour) },
					Config:           with(25),
					ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)), ConfigStateChecks: isReady(false),
				},
				resource.TestStep{Config: with(25), ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()), ConfigStateChecks: isReady(true)},
			)
			clock.Advance(start.Sub(clock.Now()))
		}
	})
}

func TestAccSSHHostCertificate_validityPeriod(t *testing.T) {
	withClock(t, func(t *testing.T, w *acctest.Env, clock *acctest.Clock) {
		authority, key := w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")
		with := func(hours int, more ...string) string {
			return w.Config(config(authority, key, append(more, `principals = ["host.example.com"]`, fmt.Sprintf("validity_period_hours = %d", hours))...))
		}
		in := func(hours time.Duration) func() time.Time {
			return func() time.Time { return clock.Now().Add(hours * time.Hour).Truncate(time.Second) }
		}
		created := clock.Now()
		w.RunWithClock(t, clock,
			resource.TestStep{Config: with(48, `early_renewal_hours = 12`), Check: validUntil(in(48))},
			resource.TestStep{
				PreConfig:        w.ResetStats,
				Config:           with(96, `early_renewal_hours = 12`),
				ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, "validity_period_hours")),
				Check: resource.ComposeTestCheckFunc(validUntil(in(48)), func(*terraform.State) error {
					if patches := w.Stats().Requests["PATCH /ssh_host_certificates/{id}"]; patches > 0 {
						return fmt.Errorf("%d updates were sent, expected none", patches)
					}
					return nil
				}),
			},
			resource.TestStep{
				PreConfig:        func() { clock.Advance(40 * time.Hour) },
				Config:           with(96, `early_renewal_hours = 12`),
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate)),
				Check:            validUntil(in(96)),
			},
			resource.TestStep{
				Config: with(24, fmt.Sprintf("valid_after = %q", created.Add(100*time.Hour).Format(time.RFC3339))),
				ConfigPlanChecks: acctest.Planned(plancheck.ExpectKnownValue(address, tfjsonpath.New("valid_until"),
					knownvalue.StringExact(created.Add(124*time.Hour).UTC().Format(time.RFC3339)))),
			},
		)
	})
}

func TestAccSSHHostCertificate_validityPeriodKeepsImported(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key, authority := testcert.PublicKey(t, ""), w.Parents.SSHCertificateAuthority
	id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q, "principals": ["host.example.com"]}`, authority, key))
	w.Run(t, resource.TestStep{
		Config: w.Config("import {\n  to = %s\n  id = %q\n}\n", address, id) +
			config(authority, key, `principals = ["host.example.com"]`, `validity_period_hours = 24`, `early_renewal_hours = 12`),
		ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, "validity_period_hours", "early_renewal_hours")),
	})
}

// TestSSHHostCertificate_generatedConfigRenews checks that the configuration
// that Terraform 1.14 or later generates for an imported certificate allows
// renewal.
func TestSSHHostCertificate_generatedConfigRenews(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	for name, options := range map[string][]testserver.Option{"default": nil, "quirks": {testserver.WithQuirks(4)}} {
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
			if len(plan.RequiresReplace) != 1 {
				t.Errorf("replaced because of %v, expected ready_for_renewal", plan.RequiresReplace)
			}
		})
	}
}

// TestSSHHostCertificate_planAppliedInWindow checks that a plan does not become
// a replacement when Terraform plans again during apply. Terraform would report
// an inconsistent plan.
func TestSSHHostCertificate_planAppliedInWindow(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	w := acctest.Start(t, testserver.WithClock(clock.Now))
	p := w.Protocol(t, provider.WithClock(clock.Now))
	id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q}`, w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")))
	imported, _ := p.Import(kind, id, nil)
	var attributes map[string]tftypes.Value
	if err := imported.As(&attributes); err != nil {
		t.Fatal(err)
	}
	attributes["early_renewal_hours"] = acctest.Number(24)
	state := tftypes.NewValue(imported.Type(), attributes)
	config := acctest.Object(p.Type(kind), values{
		"ssh_certificate_authority_id": attributes["ssh_certificate_authority_id"], "public_key": attributes["public_key"],
		"early_renewal_hours": acctest.Number(24), "description": acctest.Text("new"),
	})
	first := p.Plan(kind, state, config)
	clock.Advance(365 * 24 * time.Hour)
	again := p.Plan(kind, state, config)
	if len(first.RequiresReplace)+len(again.RequiresReplace) > 0 || !p.Value(p.Type(kind), first.PlannedState).Equal(p.Value(p.Type(kind), again.PlannedState)) {
		t.Errorf("the plan became another: %v, then %v", first.RequiresReplace, again.RequiresReplace)
	}
	// After a refresh, the certificate is due for renewal.
	refreshed, _ := p.Read(kind, state, nil)
	if due := p.Plan(kind, refreshed, config); len(due.RequiresReplace) != 1 || !due.RequiresReplace[0].Equal(acctest.At("ready_for_renewal")) {
		t.Errorf("what is due is replaced because of %v, expected ready_for_renewal", due.RequiresReplace)
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
	}{
		"longer than the limit":  {100 * 24, 365 * 24, true}, // the limit is 90 days
		"shorter than the limit": {24, 365 * 24, false},
		"within the limit":       {24, 48, false},
	} {
		w := acctest.Start(t, testserver.WithNormalRules("valid_until_capped"))
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
