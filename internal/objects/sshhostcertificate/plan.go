package sshhostcertificate

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	principalsPath = path.Root("principals")
	untilPath      = path.Root("valid_until")
	earlyPath      = path.Root("early_renewal_hours")
	readyPath      = path.Root("ready_for_renewal")
)

// defaultValidity is how long a certificate is valid where valid_until is left
// to the service: a year, of 365 days at least.
const defaultValidity = 365 * 24 * time.Hour

// validate checks what a configuration says by itself.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	after, afterKnown := attribute.Instant(config.ValidAfter)
	until, untilKnown := attribute.Instant(config.ValidUntil)
	if !afterKnown || !untilKnown {
		return
	}
	if err := attribute.CheckPeriod(after, until); err != nil {
		diags.AddAttributeError(untilPath, "Invalid period", "valid_until "+err.Error()+".")
	}
}

// plan checks a certificate that is to be created, and replaces one whose time
// has come.
func plan(_ context.Context, p *crud.Planning[model]) {
	now := p.Provider.Now()
	if p.State == nil {
		planNew(p, now)
		return
	}
	if fixedInWindow(p, now) {
		return
	}
	if renew, known := due(p, now); !known {
		p.Plan.ReadyForRenewal = types.BoolUnknown()
	} else if renew {
		p.Plan.ReadyForRenewal = types.BoolUnknown()
		p.Replace.Append(readyPath)
	} else {
		p.Plan.ReadyForRenewal = types.BoolValue(false)
	}
}

// due tells whether a certificate is to be replaced for its age, as far as that
// is known. As long as the window stays the same, the last refresh has decided
// it: a plan is made again when it is applied, and must not turn out otherwise
// for the time that has gone by.
func due(p *crud.Planning[model], now time.Time) (renew, known bool) {
	switch {
	case p.Plan.EarlyRenewalHours.IsUnknown() || p.Plan.ValidUntil.IsUnknown():
		return false, false
	case p.Plan.EarlyRenewalHours.Equal(p.State.EarlyRenewalHours) && p.Plan.ValidUntil.Same(p.State.ValidUntil):
		return p.State.ReadyForRenewal.ValueBool(), true
	}
	return ready(p.Plan, now), true
}

func planNew(p *crud.Planning[model], now time.Time) {
	if len(p.Plan.Principals.Elements()) == 0 && !p.Plan.Principals.IsUnknown() {
		p.Diagnostics.AddAttributeWarning(principalsPath, "SSH host certificate for all hosts",
			"principals is empty, so the certificate will be valid for all hosts: whoever has its private key can pass for any server, "+
				"to clients that trust the authority. Name the hosts that it is for.")
	}
	if !fixedInWindow(p, now) && p.Config.ValidUntil.IsNull() {
		warnOfEndlessRenewal(p)
	}
	if p.Plan.EarlyRenewalHours.IsNull() {
		p.Plan.ReadyForRenewal = types.BoolValue(false)
	}
}

// fixedInWindow tells whether valid_until is written down and has come so near
// that the certificate is due: its successor would be, too, at every run. That,
// and a valid_until in the past where a certificate is to be made, is an error.
func fixedInWindow(p *crud.Planning[model], now time.Time) bool {
	until, ok := attribute.Instant(p.Config.ValidUntil)
	if !ok {
		return false
	}
	early, renewing := attribute.Hours(p.Config.EarlyRenewalHours)
	isNew := p.State == nil || !p.Plan.ValidUntil.Same(p.State.ValidUntil)
	switch {
	case isNew && attribute.EndsWithin(0, until, now):
		p.Diagnostics.AddAttributeError(untilPath, "Certificate without a future",
			"valid_until is "+date(until)+", and it is "+date(now)+" now: the certificate would be invalid from the beginning. "+
				"Expected a time in the future; left out, the certificate is valid for a year.")
	case renewing && attribute.EndsWithin(early, until, now):
		p.Diagnostics.AddAttributeError(untilPath, "Certificate due for renewal",
			"The certificate is due: valid_until is "+date(until)+", which is less than early_renewal_hours ("+p.Config.EarlyRenewalHours.String()+
				") from now, and since it is written down, a new certificate would be due as well, at every run. "+
				"Give a later valid_until, or leave it out: then each new certificate is valid for a year. To destroy it instead: terraform destroy -refresh=false.")
	default:
		return false
	}
	return true
}

func warnOfEndlessRenewal(p *crud.Planning[model]) {
	if early, ok := attribute.Hours(p.Config.EarlyRenewalHours); ok && early >= defaultValidity {
		p.Diagnostics.AddAttributeWarning(earlyPath, "Certificate always due for renewal",
			"early_renewal_hours is "+p.Config.EarlyRenewalHours.String()+", and a certificate without valid_until is valid for a year, which is 8760 hours: "+
				"it is due as soon as it is made, and every run replaces it. Give fewer hours.")
	}
}

// ready tells whether a certificate's time for renewal has come.
func ready(m *model, now time.Time) bool {
	early, renewing := attribute.Hours(m.EarlyRenewalHours)
	until, ok := attribute.Instant(m.ValidUntil)
	return renewing && ok && attribute.EndsWithin(early, until, now)
}

// observe finds by the clock whether a certificate is due.
func observe(provider *crud.Provider, m *model) {
	m.ReadyForRenewal = types.BoolValue(ready(m, provider.Now()))
}

// settle lets stand what the plan showed, where the time has come since.
func settle(plan, state *model) {
	if !plan.ReadyForRenewal.IsUnknown() {
		state.ReadyForRenewal = plan.ReadyForRenewal
	}
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
