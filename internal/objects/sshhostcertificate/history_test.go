package sshhostcertificate_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// applied is one terraform apply in the life of a certificate, and what it must do: by
// default nothing.
type applied struct {
	after  time.Duration // since the apply before
	config values        // besides the arguments that never change
	// changes are the attributes that an update changes. None of them is sent.
	changes  []string
	replaces bool
	// renewsNext means that the next plan replaces the certificate. Otherwise the next
	// plan is empty.
	renewsNext bool
	due        bool          // whether the state says that the certificate is due
	lasts      time.Duration // from now to the end of the certificate, if not 0
}

// TestSSHHostCertificate_renewalOverTime applies configurations while time passes.
func TestSSHHostCertificate_renewalOverTime(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	start := acctest.NewClock().Now()
	year := start.AddDate(1, 0, 0).Sub(start)
	hours := func(name string, n int64) values { return values{name: acctest.Number(n)} }
	at := func(name string, offset time.Duration) values {
		return values{name: acctest.Text(start.Add(offset).Format(time.RFC3339))}
	}
	early := func(n int64, more ...values) values {
		all := hours("early_renewal_hours", n)
		for _, some := range more {
			maps.Copy(all, some)
		}
		return all
	}
	until, from, period := at("valid_until", 100*hour), at("valid_after", 0), hours("validity_period_hours", 100)
	hosts := func(names ...string) values { return values{"principals": acctest.Texts(names...)} }
	newYork, india := time.FixedZone("", -5*3600), time.FixedZone("", 5*3600+1800)
	milliseconds := func(offset time.Duration) tftypes.Value {
		return acctest.Text(start.Add(offset).Format("2006-01-02T15:04:05.000Z07:00"))
	}
	between := func(zone *time.Location, more time.Duration) values {
		return values{
			"valid_after": acctest.Text(start.In(zone).Format(time.RFC3339)),
			"valid_until": acctest.Text(start.Add(48*hour + more).In(zone).Format(time.RFC3339)),
		}
	}
	fixed := maps.Clone(period)
	maps.Copy(fixed, from)
	window, both := []string{"early_renewal_hours"}, []string{"early_renewal_hours", "ready_for_renewal"}
	for name, steps := range map[string][]applied{
		"renewed in the window": {
			{config: early(24), lasts: year},
			{after: year - 25*hour, config: early(24)},
			{after: 2 * hour, config: early(24), replaces: true},
		},
		"renewed after the end": {
			{config: early(0), lasts: year},
			{after: year + hour, config: early(0), replaces: true},
		},
		"a window added and removed": {
			{},
			{after: 2000 * hour, config: early(720), changes: window},
			{changes: window},
			{after: 2 * year}, // expired, but renewal is not configured
			{config: early(720), changes: window, renewsNext: true},
			{config: early(720), replaces: true},
		},
		"a fixed end in the window": {
			{config: early(24, until), lasts: 100 * hour},
			{after: 80 * hour, config: early(24, until), due: true},
			{after: 80 * hour, config: early(24, until), due: true}, // expired
		},
		"the window of a fixed end": {
			{config: until},
			{config: early(24, until), changes: window},
			{after: 80 * hour, config: early(25, until), changes: both},
			{config: early(25, until), due: true},
		},
		"the window of a fixed period": {
			{config: fixed, lasts: 100 * hour},
			{config: early(24, fixed), changes: window},
			{after: 80 * hour, config: early(25, fixed), changes: both},
			{config: early(25, fixed), due: true},
		},
		"another period": {
			{config: early(12, hours("validity_period_hours", 48)), lasts: 48 * hour},
			{config: early(12, hours("validity_period_hours", 96)), changes: []string{"validity_period_hours"}, lasts: 48 * hour},
			{after: 40 * hour, config: early(12, hours("validity_period_hours", 96)), replaces: true, lasts: 96 * hour},
			{config: early(12, at("valid_after", 100*hour), hours("validity_period_hours", 24)), replaces: true, lasts: 84 * hour},
		},
		"one second more": {
			{config: between(newYork, 0)},
			{config: between(time.UTC, 0)},
			{config: between(india, 0)},
			{config: values{"valid_after": milliseconds(0), "valid_until": milliseconds(48 * hour)}},
			{config: between(newYork, time.Second), replaces: true},
		},
		"other principals": {
			{config: hosts("a.example.com", "b.example.com")},
			{config: hosts("b.example.com", "a.example.com")},
			{config: hosts("b.example.com"), replaces: true},
			{config: values{"principals": tftypes.NewValue(hosts()["principals"].Type(), nil)}, replaces: true},
			{config: hosts()},
		},
	} {
		for server, options := range map[string][]testserver.Option{"default": nil, "other behavior": {testserver.WithBehavior("seed=4")}} {
			t.Run(name+", "+server, func(t *testing.T) {
				t.Parallel()
				clock := acctest.NewClock()
				clock.Advance(start.Sub(clock.Now()))
				newHistory(t, clock, options).applies(steps)
			})
		}
	}
}

// history is the life of one certificate.
type history struct {
	t     *testing.T
	w     *acctest.Env
	clock *acctest.Clock
	state tftypes.Value
	given values // the arguments that never change
}

func newHistory(t *testing.T, clock *acctest.Clock, options []testserver.Option) *history {
	t.Helper()
	w := acctest.Start(t, append(options, testserver.WithClock(clock.Now))...)
	return &history{t: t, w: w, clock: clock, given: values{
		"ssh_certificate_authority_id": acctest.Text(w.Parents.SSHCertificateAuthority),
		"public_key":                   acctest.Text(testcert.PublicKey(t, "")), "principals": acctest.Texts("host.example.com"),
	}}
}

// run returns a new provider, as each command of Terraform starts one, and
// reads the certificate.
func (h *history) run() *acctest.Protocol {
	h.t.Helper()
	p := h.w.Protocol(h.t, provider.WithClock(h.clock.Now))
	if !h.state.IsNull() {
		h.state, _ = p.Read(kind, h.state, nil)
	}
	return p
}

func (h *history) applies(steps []applied) {
	h.t.Helper()
	of := acctest.NewProtocol(h.t).Type(kind)
	h.state = tftypes.NewValue(of, nil)
	for i, step := range steps {
		h.clock.Advance(step.after)
		arguments := maps.Clone(h.given)
		maps.Copy(arguments, step.config)
		config := acctest.Object(of, arguments)
		p, prior := h.run(), h.state
		plan := p.Plan(kind, prior, config)
		p.Must(plan.Diagnostics)
		if replaces := len(plan.RequiresReplace) > 0; replaces != step.replaces {
			h.t.Fatalf("step %d: replaced because of %v, want %t", i, plan.RequiresReplace, step.replaces)
		}
		h.w.ResetStats()
		switch planned := p.Value(of, plan.PlannedState); {
		case step.replaces:
			if plan.RequiresReplace[0].Equal(acctest.At("ready_for_renewal")) && p.Attributes(planned)["ready_for_renewal"].IsKnown() {
				h.t.Errorf("step %d: the plan of a renewal knows ready_for_renewal", i)
			}
			h.apply(p, prior, tftypes.NewValue(of, nil))
			h.apply(p, h.state, config)
		case prior.IsNull():
			if planned := p.Attributes(planned)["key_type"]; !planned.Equal(acctest.Text("ed25519")) {
				h.t.Errorf("step %d: the plan has the key_type %s", i, planned)
			}
			h.apply(p, prior, config)
		default:
			if diff := cmp.Diff(step.changes, h.changed(p, prior, planned)); diff != "" {
				h.t.Errorf("step %d: other changes than expected (-want +planned):\n%s", i, diff)
			}
			if !planned.Equal(prior) {
				h.apply(p, prior, config)
			}
			if sent := h.w.Stats().Requests["PATCH /ssh_host_certificates/{id}"]; sent > 0 {
				h.t.Errorf("step %d: %d updates were sent, want none", i, sent)
			}
		}
		h.expect(i, step, config)
	}
	h.apply(h.run(), h.state, tftypes.NewValue(of, nil))
	if left := h.w.List("/ssh_host_certificates"); len(left) > 0 {
		h.t.Errorf("after the destroy there is %v", left)
	}
}

// apply plans and applies a configuration. Like Terraform, it expects that known
// values stay as planned.
func (h *history) apply(p *acctest.Protocol, prior, config tftypes.Value) {
	h.t.Helper()
	var planned values
	if !config.IsNull() {
		planned = p.Attributes(p.Value(config.Type(), p.Plan(kind, prior, config).PlannedState))
	}
	var found []string
	state, diagnostics := p.Apply(kind, prior, config)
	p.Must(diagnostics)
	for name, value := range planned {
		if value.IsFullyKnown() && !value.Equal(p.Attributes(state)[name]) {
			found = append(found, fmt.Sprintf("%s is %s, planned as %s", name, p.Attributes(state)[name], value))
		}
	}
	if len(found) > 0 {
		h.t.Errorf("inconsistent result after apply: %v", found)
	}
	h.state = state
}

// changed returns the attributes that differ, and fails the test if one is unknown.
func (h *history) changed(p *acctest.Protocol, prior, planned tftypes.Value) []string {
	h.t.Helper()
	if !planned.IsFullyKnown() {
		h.t.Errorf("an update plans unknown values: %s", planned)
	}
	var names []string
	for name, value := range p.Attributes(planned) {
		if !value.Equal(p.Attributes(prior)[name]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// expect checks the state, and that the next plan does what the step says.
func (h *history) expect(i int, step applied, config tftypes.Value) {
	h.t.Helper()
	p := acctest.NewProtocol(h.t)
	var due bool
	if ready := p.Attributes(h.state)["ready_for_renewal"]; !ready.IsNull() {
		if err := ready.As(&due); err != nil {
			h.t.Fatal(err)
		}
	}
	if due != step.due {
		h.t.Errorf("step %d: ready_for_renewal is %t", i, due)
	}
	end, err := time.Parse(time.RFC3339, p.Strings(h.state)["valid_until"])
	if want := h.clock.Now().Add(step.lasts); err != nil || step.lasts > 0 && !end.Equal(want) {
		h.t.Errorf("step %d: valid_until is %s, want %s", i, end, want)
	}
	next := h.run()
	plan := next.Plan(kind, h.state, config)
	next.Must(plan.Diagnostics)
	if step.renewsNext != (len(plan.RequiresReplace) > 0) ||
		!step.renewsNext && !next.Value(config.Type(), plan.PlannedState).Equal(h.state) {
		h.t.Errorf("step %d: the next plan replaces because of %v, and plans %v", i, plan.RequiresReplace, plan.PlannedState)
	}
}
