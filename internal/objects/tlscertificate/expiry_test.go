package tlscertificate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestTLSCertificate_expiryWarning(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	clock := acctest.NewClock()
	end := clock.Now().Add(1000 * time.Hour)
	id := uploaded(t, w, testcert.ChainOf{NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}.New(t))

	warn := func(passed time.Duration, hours tftypes.Value, want string) {
		t.Helper()
		clock := acctest.NewClock()
		clock.Advance(passed)
		p := acctest.NewProtocol(t, provider.WithClock(clock.Now))
		p.Configure(values{"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey), "expiry_warning_hours": hours})
		state, _ := p.Import(kind, id, nil)
		plan := p.Plan(kind, state, p.Kept(kind, state))
		if want == "" {
			acctest.ExpectNone(t, plan.Diagnostics)
		} else {
			acctest.Expect(t, plan.Diagnostics, isWarn, acctest.At("certificate_pem"), "www.example.com", id, want, end.Format(time.RFC3339))
		}
		if after := p.Value(p.Type(kind), plan.PlannedState); !after.Equal(state) {
			t.Errorf("the plan changes something by itself:\n%s\n%s", state, after)
		}
	}
	byDefault := tftypes.NewValue(tftypes.Number, nil)
	warn(0, byDefault, "")
	warn(279*time.Hour, byDefault, "")
	warn(281*time.Hour, byDefault, "expires on")
	warn(1001*time.Hour, byDefault, "expired on")
	warn(0, acctest.Number(1001), "expires on")
	warn(1001*time.Hour, acctest.Number(0), "")
}

// TestTLSCertificate_intermediateExpiryWarning checks that the end of an
// intermediate certificate warns as that of the leaf does, and that of a root
// does not.
func TestTLSCertificate_intermediateExpiryWarning(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	clock := acctest.NewClock()
	end := clock.Now().Add(1000 * time.Hour)
	whole := testcert.ChainOf{Intermediates: 1, NotAfter: end.AddDate(10, 0, 0), IssuersNotAfter: end}.New(t)
	for blocks, want := range map[*[]int]string{{1, 2, 3}: "Example CA 1", {1, 2}: "Example CA 1", {1}: ""} {
		chain := &testcert.Chain{Leaf: whole.Leaf, Signer: whole.Signer}
		for _, number := range *blocks {
			chain.Blocks = append(chain.Blocks, whole.Blocks[number-1])
		}
		id := uploaded(t, w, chain)
		for passed, verb := range map[time.Duration]string{0: "", 281 * time.Hour: "expires on", 1001 * time.Hour: "expired on"} {
			clock := acctest.NewClock()
			clock.Advance(passed)
			p := w.Protocol(t, provider.WithClock(clock.Now))
			state, _ := p.Import(kind, id, nil)
			plan := p.Plan(kind, state, p.Kept(kind, state))
			if want == "" || verb == "" {
				acctest.ExpectNone(t, plan.Diagnostics)
				continue
			}
			acctest.Expect(t, plan.Diagnostics, isWarn, acctest.At("certificate_pem"), "Block 2 of certificate_pem", want, verb, end.Format(time.RFC3339))
		}
	}
}

func TestAccTLSCertificate_expiryWarningForEach(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	end := time.Now().AddDate(0, 0, 10).UTC().Truncate(time.Second)
	var all, want []string
	for _, name := range []string{"a", "b", "c"} {
		chain := testcert.ChainOf{Names: []string{name + ".example.com"}, NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}.New(t)
		id := uploaded(t, w, chain)
		all = append(all, named(name, imported(id, config(chain.PEM(), "", `description = "by hand"`))))
		want = append(want, name+".example.com ("+id+") expires on "+end.Format(time.RFC3339))
	}
	tf := w.Terraform(t, strings.Join(all, ""))
	out := tf.Apply(t)
	for _, text := range append(want, "3 imported, 0 added, 0 changed, 0 destroyed") {
		if !acctest.InError(text).MatchString(out) {
			t.Errorf("the plan does not say %q:\n%s", text, out)
		}
	}
	// The warnings do not change the plan.
	tf.ExpectNoChanges(t)
}

func TestTLSCertificate_timeAlonePlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	clock := acctest.NewClock()
	p := w.Protocol(t, provider.WithClock(clock.Now))
	before, _ := p.Import(kind, uploaded(t, w, testcert.ChainOf{}.New(t)), nil)
	clock.Advance(20 * 365 * 24 * time.Hour)
	if after, _ := p.Read(kind, before, nil); !after.Equal(before) {
		t.Errorf("a refresh after 20 years found %s, was %s", after, before)
	}
}

func TestAccTLSCertificate_expiredReplacesValidIsAnError(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	now := time.Now()
	valid, old, older := testcert.ChainOf{}.New(t), testcert.ChainOf{NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.Add(-time.Hour)}.New(t),
		testcert.ChainOf{NotBefore: now.AddDate(-2, 0, 0), NotAfter: now.AddDate(-1, 0, 0)}.New(t)
	of := func(chain *testcert.Chain, version int) string {
		return config(chain.PEM(), "", writeOnly(chain.PKCS8(t), version))
	}
	replace := func(tf *acctest.Terraform, before, after string) {
		tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), before, after, 1))
	}
	tf := w.Terraform(t, of(valid, 1))
	tf.Apply(t)
	id := fmt.Sprint(w.List("/tls_certificates")[0]["id"])
	replace(tf, of(valid, 1), of(old, 2))
	if out, err := tf.TryPlan(t); err == nil || !acctest.InError("Error: Expired certificate would replace a valid one", "it would replace "+id).MatchString(out) {
		t.Errorf("expected an error, got %v:\n%s", err, acctest.Summary(out))
	}

	// A new expired certificate and the replacement of an expired one only
	// cause warnings.
	tf = w.Terraform(t, of(older, 1))
	if out := tf.Apply(t); !acctest.InError("Warning: New TLS certificate www.example.com expired on").MatchString(out) {
		t.Errorf("no warning:\n%s", acctest.Summary(out))
	}
	replace(tf, of(older, 1), of(old, 2))
	if out := tf.Apply(t); !acctest.InError("Warning: New TLS certificate www.example.com expired on", "1 added, 0 changed, 1 destroyed").MatchString(out) {
		t.Errorf("no warning:\n%s", acctest.Summary(out))
	}
}

// TestTLSCertificate_expiryWarningFollowsLifetime plans a new certificate and the
// same one later, at both sides of the limit.
func TestTLSCertificate_expiryWarningFollowsLifetime(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for lifetime, before := range map[time.Duration]time.Duration{6 * day: 3 * day, 45 * day: 15 * day, 64 * day: 64 * day / 3, 90 * day: 30 * day, 398 * day: 30 * day} {
		t.Run(lifetime.String(), func(t *testing.T) {
			t.Parallel()
			w, clock := acctest.Start(t), acctest.NewClock()
			end := clock.Now().Add(lifetime)
			chain := testcert.ChainOf{NotBefore: clock.Now(), NotAfter: end, IssuersNotAfter: end.AddDate(10, 0, 0)}.New(t)
			p := w.Protocol(t, provider.WithClock(clock.Now))
			state, _ := p.Import(kind, uploaded(t, w, chain), nil)
			added := acctest.Object(state.Type(), pair(chain.PEM(), chain.PKCS8(t)))
			for _, left := range []time.Duration{lifetime, before + time.Second, before - time.Second} {
				clock.Advance(end.Add(-left).Sub(clock.Now()))
				kept := p.Plan(kind, state, p.Kept(kind, state)).Diagnostics
				fresh := p.Plan(kind, tftypes.NewValue(state.Type(), nil), added).Diagnostics
				if left > before {
					acctest.ExpectNone(t, kept)
					acctest.ExpectNone(t, fresh)
					continue
				}
				acctest.Expect(t, kept, isWarn, acctest.At("certificate_pem"), "expires on "+end.Format(time.RFC3339))
				if hint := strings.Contains(kept[0].Detail, "decrease expiry_warning_hours"); hint != (left >= 7*day) {
					t.Errorf("with %s left, the warning says how to postpone it: %t", left, hint)
				}
				acctest.Expect(t, fresh, isWarn, acctest.At("certificate_pem"), "New TLS certificate www.example.com expires on")
			}
		})
	}
}
