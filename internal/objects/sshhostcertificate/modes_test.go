package sshhostcertificate_test

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
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestSSHHostCertificate_renewalInEveryMode plans a certificate shortly before,
// at and after the time when it is due, in every mode of Terraform. Each plan
// is repeated an hour later, as an apply of a saved plan does, and must stay
// the same.
func TestSSHHostCertificate_renewalInEveryMode(t *testing.T) {
	t.Parallel()
	with := func(attributes values, more values) values {
		all := maps.Clone(attributes)
		maps.Copy(all, more)
		return all
	}
	for name, mode := range map[string]struct {
		refresh bool
		// state changes what an earlier run recorded.
		state values
		// config is the rest of the configuration.
		config values
		// renews reports whether the plan renews a certificate that is due.
		renews bool
		// always means that the plan renews the certificate although it is not due by
		// the clock.
		always bool
		// warns is the warning of a certificate that is due, and expires that of its
		// end.
		warns, expires string
	}{
		"normal":                         {refresh: true, renews: true},
		"without refresh":                {renews: true},
		"other change":                   {refresh: true, config: values{"description": acctest.Text("new")}, renews: true},
		"other change without refresh":   {config: values{"description": acctest.Text("new")}},
		"unknown value without refresh":  {config: values{"description": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, renews: true},
		"recorded":                       {state: values{"ready_for_renewal": tftypes.NewValue(tftypes.Bool, true)}, always: true},
		"recorded and other change":      {state: values{"ready_for_renewal": tftypes.NewValue(tftypes.Bool, true)}, config: values{"description": acctest.Text("new")}, always: true},
		"new window":                     {refresh: true, state: values{"early_renewal_hours": acctest.Number(23)}, warns: "is due for renewal"},
		"new window and new key":         {refresh: true, state: values{"early_renewal_hours": acctest.Number(23)}, config: values{"public_key": acctest.Text(testcert.PublicKey(t, ""))}, always: true},
		"new window without refresh":     {state: values{"early_renewal_hours": acctest.Number(23)}, warns: "is due for renewal"},
		"removed window of what was due": {state: values{"ready_for_renewal": tftypes.NewValue(tftypes.Bool, true)}, config: values{"early_renewal_hours": tftypes.NewValue(tftypes.Number, nil)}, expires: "expires on"},
		"unknown window without refresh": {config: values{"early_renewal_hours": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)}, renews: true},
		"shorter window of what was due": {state: values{"ready_for_renewal": tftypes.NewValue(tftypes.Bool, true)}, config: values{"early_renewal_hours": acctest.Number(1)}},
		"fixed end":                      {state: values{"early_renewal_hours": acctest.Number(24)}, config: values{"valid_until": {}}, warns: "is due but cannot be renewed"},
		"fixed end and refresh":          {refresh: true, config: values{"valid_until": {}}, warns: "is due but cannot be renewed"},
	} {
		for _, offset := range []time.Duration{-time.Second, 0, time.Second} {
			t.Run(fmt.Sprintf("%s %s", name, offset), func(t *testing.T) {
				t.Parallel()
				clock := acctest.NewClock()
				w := acctest.Start(t, testserver.WithClock(clock.Now))
				p := w.Protocol(t, provider.WithClock(clock.Now))
				id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q, "principals": ["a.example.com"]}`,
					w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, "")))
				imported, _ := p.Import(kind, id, nil)
				of := imported.Type()
				recorded := with(with(p.Attributes(imported), values{"early_renewal_hours": acctest.Number(24)}), mode.state)
				state := tftypes.NewValue(of, recorded)
				given := values{"early_renewal_hours": acctest.Number(24)}
				for _, attribute := range []string{"ssh_certificate_authority_id", "public_key", "principals"} {
					given[attribute] = recorded[attribute]
				}
				given = with(given, mode.config)
				if _, fixed := mode.config["valid_until"]; fixed {
					given["valid_until"] = recorded["valid_until"]
				}
				until, err := time.Parse(time.RFC3339, p.Strings(imported)["valid_until"])
				if err != nil {
					t.Fatal(err)
				}
				clock.Advance(until.Add(-24*time.Hour + offset).Sub(clock.Now()))
				due := offset >= 0
				if mode.refresh {
					state, _ = p.Read(kind, state, nil)
				}
				config := acctest.Object(of, given)
				plan := p.Plan(kind, state, config)
				if renews := len(plan.RequiresReplace) > 0; renews != (mode.always || mode.renews && due) {
					t.Errorf("the plan replaces the certificate because of %v", plan.RequiresReplace)
				}
				want := mode.expires
				if due {
					want += mode.warns
				}
				if want != "" {
					if len(plan.Diagnostics) != 1 || !acctest.InError(want).MatchString(plan.Diagnostics[0].Summary) {
						t.Errorf("expected a warning, found %v", plan.Diagnostics)
					}
				} else {
					acctest.ExpectNone(t, plan.Diagnostics)
				}
				// Terraform plans again during the apply, unless nothing changes.
				planned := p.Value(of, plan.PlannedState)
				if ready := p.Attributes(planned)["ready_for_renewal"]; name == "shorter window of what was due" && !ready.Equal(tftypes.NewValue(tftypes.Bool, false)) {
					t.Errorf("ready_for_renewal is planned as %s", ready)
				}
				if len(plan.RequiresReplace) > 0 {
					state = tftypes.NewValue(of, nil)
					planned = p.Value(of, p.Plan(kind, state, config).PlannedState)
				} else if planned.Equal(state) || !config.IsFullyKnown() {
					return
				}
				clock.Advance(time.Hour)
				again := p.Plan(kind, state, config)
				if now := p.Value(of, again.PlannedState); len(again.RequiresReplace) > 0 || !now.Equal(planned) {
					t.Errorf("the plan became another: replaced because of %v\n%s\n%s", again.RequiresReplace, planned, now)
				}
			})
		}
	}
}

// TestSSHHostCertificate_endWarns checks that a certificate that is not renewed
// warns before its end and after it, in every mode, from the share of its lifetime
// on that attribute.EndsSoon defines.
func TestSSHHostCertificate_endWarns(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for lifetime, before := range map[time.Duration]time.Duration{6 * day: 3 * day, 45 * day: 15 * day, 398 * day: 30 * day} {
		t.Run(lifetime.String(), func(t *testing.T) {
			t.Parallel()
			clock := acctest.NewClock()
			w := acctest.Start(t, testserver.WithClock(clock.Now))
			p := w.Protocol(t, provider.WithClock(clock.Now))
			end := clock.Now().Add(lifetime)
			id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q, "principals": ["a.example.com"], "valid_until": %q}`,
				w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), end.Format(time.RFC3339)))
			state, _ := p.Import(kind, id, nil)
			for _, step := range []struct {
				left time.Duration
				want string
			}{{before + time.Second, ""}, {before - time.Second, "expires on"}, {time.Hour, "expires on"}, {-time.Second, "expired on"}} {
				clock.Advance(end.Add(-step.left).Sub(clock.Now()))
				for range 2 { // without and with a refresh
					plan := p.Plan(kind, state, p.Kept(kind, state))
					if step.want == "" {
						acctest.ExpectNone(t, plan.Diagnostics)
					} else {
						acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("valid_until"), id+" "+step.want, "a.example.com", "set a later valid_until, or remove it and run terraform apply with -replace")
					}
					if planned := p.Value(state.Type(), plan.PlannedState); !planned.Equal(state) {
						t.Errorf("planned %s", planned)
					}
					state, _ = p.Read(kind, state, nil)
				}
			}
		})
	}
}

// TestSSHHostCertificate_movingEndWarns checks that an end which is as far away
// as it was at the creation warns, because every plan would replace the
// certificate. Other ends do not.
func TestSSHHostCertificate_movingEndWarns(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	w := acctest.Start(t, testserver.WithClock(clock.Now))
	p := w.Protocol(t, provider.WithClock(clock.Now))
	end := clock.Now().AddDate(1, 0, 0)
	id := w.Create("/ssh_host_certificates", fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q, "principals": ["a.example.com"], "valid_until": %q}`,
		w.Parents.SSHCertificateAuthority, testcert.PublicKey(t, ""), end.Format(time.RFC3339)))
	state, _ := p.Import(kind, id, nil)
	clock.Advance(7 * 24 * time.Hour)
	at := func(end time.Time) tftypes.Value { return acctest.Text(end.Format(time.RFC3339)) }
	for name, test := range map[string]struct {
		until tftypes.Value
		warns bool
	}{
		"plantimestamp()": {at(end.Add(7 * 24 * time.Hour)), true},
		"timestamp()":     {tftypes.NewValue(tftypes.String, tftypes.UnknownValue), true},
		"the same end":    {at(end), false},
		"a day later":     {at(end.Add(24 * time.Hour)), false},
		"a year later":    {at(end.AddDate(1, 0, 0)), false},
		"removed":         {tftypes.NewValue(tftypes.String, nil), false},
	} {
		t.Run(name, func(t *testing.T) {
			attributes := maps.Clone(p.Attributes(p.Kept(kind, state)))
			attributes["valid_until"] = test.until
			found := p.Plan(kind, state, acctest.Object(state.Type(), attributes)).Diagnostics
			if test.warns {
				acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("valid_until"), "may change with every plan", "set validity_period_hours")
			} else {
				acctest.ExpectNone(t, found)
			}
		})
	}
}
