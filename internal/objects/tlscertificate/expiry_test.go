package tlscertificate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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
	id := w.Upload(t, testcert.ChainOf{NotBefore: end.AddDate(-1, 0, 0), NotAfter: end}.New(t), "")

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

// TestTLSCertificate_expiryWarningOfManaged checks that nobody is told to renew a
// certificate that the service renews.
func TestTLSCertificate_expiryWarningOfManaged(t *testing.T) {
	t.Parallel()
	w, clock := acctest.Start(t), acctest.NewClock()
	p := w.Protocol(t, provider.WithClock(clock.Now))
	uploaded, _ := p.Import(kind, w.Upload(t, testcert.ChainOf{NotAfter: clock.Now().Add(time.Hour / 2)}.New(t), ""), nil)
	attributes := p.Attributes(uploaded)
	attributes["issued_at"] = acctest.Text("2026-01-01T00:00:00Z")
	state := acctest.Object(uploaded.Type(), attributes)
	found := p.Plan(kind, state, p.Kept(kind, state)).Diagnostics
	acctest.Expect(t, found, isWarn, acctest.At("certificate_pem"), "expires on", "The service has issued this certificate", "terraform state rm")
	if strings.Contains(found[0].Detail, "Renew the certificate") {
		t.Errorf("it asks for a renewal: %s", found[0].Detail)
	}
}

// TestTLSCertificate_replacementThatClientsReject checks what a plan says of a new chain
// that works less well than the one it replaces.
func TestTLSCertificate_replacementThatClientsReject(t *testing.T) {
	t.Parallel()
	w, clock := acctest.Start(t), acctest.NewClock()
	p, now := w.Protocol(t, provider.WithClock(clock.Now)), clock.Now()
	valid, end := now.AddDate(0, -1, 0), now.AddDate(1, 0, 0)
	chain := func(from, until time.Time, intermediates int, blocks ...int) (string, string) {
		c := testcert.ChainOf{NotBefore: from, NotAfter: until, Intermediates: intermediates, IssuersNotAfter: end.AddDate(10, 0, 0)}.New(t)
		return c.PEM(blocks...), c.PKCS8(t)
	}
	for name, test := range map[string]struct {
		until         time.Time // of the old certificate
		intermediates int       // of the old chain
		from, to      time.Time // of the new certificate
		blocks        []int     // of the new chain
		severity      tfprotov6.DiagnosticSeverity
		want          string // "" for no diagnostic
	}{
		"expired":                       {end, 1, valid, now.Add(-time.Hour), []int{1, 2}, isError, "it would replace cert_"},
		"expired, replaces its like":    {now.Add(-time.Hour), 1, valid, now.Add(-time.Minute), []int{1, 2}, isWarn, "New TLS certificate www.example.com expired on"},
		"not valid yet":                 {end, 1, now.Add(61 * time.Minute), end, []int{1, 2}, isError, "would replace cert_"},
		"the clock may be slow":         {end, 1, now.Add(59 * time.Minute), end, []int{1, 2}, isWarn, "Clients reject it until then."},
		"replaces an expired one":       {now.Add(-time.Hour), 1, now.Add(61 * time.Minute), end, []int{1, 2}, isWarn, "Clients reject it until then."},
		"leaf alone":                    {end, 1, valid, end, []int{1}, isWarn, "Set certificate_pem to the whole chain, such as fullchain.pem"},
		"leaf alone replaces its like":  {end, 0, valid, end, []int{1}, isWarn, ""},
		"other chain with intermediate": {end, 2, valid, end, []int{1, 2}, isWarn, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := testcert.ChainOf{NotBefore: valid, NotAfter: test.until, Intermediates: test.intermediates, IssuersNotAfter: end.AddDate(10, 0, 0)}.New(t)
			state, _ := p.Import(kind, w.Upload(t, old, ""), nil)
			text, key := chain(test.from, test.to, 1, test.blocks...)
			found := p.Plan(kind, state, acctest.Object(state.Type(), pair(text, key))).Diagnostics
			if test.want == "" {
				acctest.ExpectNone(t, found)
				return
			}
			acctest.Expect(t, found, test.severity, acctest.At("certificate_pem"), test.want)
		})
	}
}
