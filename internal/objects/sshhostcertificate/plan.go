package sshhostcertificate

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	principalsPath = path.Root("principals")
	afterPath      = path.Root("valid_after")
	untilPath      = path.Root("valid_until")
	periodPath     = path.Root("validity_period_hours")
	earlyPath      = path.Root("early_renewal_hours")
	readyPath      = path.Root("ready_for_renewal")
)

// defaultEnd returns the end of a certificate that the service creates without
// valid_until. See "Limits" in the API contract.
func defaultEnd(created time.Time) time.Time { return created.AddDate(1, 0, 0) }

// defaultHours is the default validity period in hours, without a leap day.
const defaultHours = 365 * 24

const enableRenewal = "To enable renewal, remove valid_after and valid_until, and set validity_period_hours. If ignore_changes contains " +
	"them, or is all, remove them there, too: Terraform sets them to the values of the state."

// validate checks the parts of a configuration that do not depend on the state
// or the time.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	after, afterKnown := attribute.Instant(config.ValidAfter)
	until, untilKnown := attribute.Instant(config.ValidUntil)
	if afterKnown && untilKnown {
		if err := attribute.CheckPeriod(after, until); err != nil {
			diags.AddAttributeError(untilPath, "Invalid period", "valid_until "+err.Error()+".")
		}
	}
	if attribute.IsKnown(config.ValidityPeriodHours) && attribute.IsKnown(config.ValidUntil) {
		diags.AddAttributeError(
			periodPath,
			"Conflicting arguments validity_period_hours and valid_until",
			"Expected one of validity_period_hours and valid_until; found both. Remove valid_until, or remove validity_period_hours if the end "+
				"must not move. If ignore_changes contains valid_until, or is all, Terraform sets it to the value of the state: remove it there.",
		)
	}
	if early, hours := config.EarlyRenewalHours, config.ValidityPeriodHours; attribute.IsKnown(early) && attribute.IsKnown(hours) &&
		early.ValueInt64() >= hours.ValueInt64() {
		diags.AddAttributeError(
			earlyPath,
			"Certificate always due for renewal",
			fmt.Sprintf(
				"early_renewal_hours (%s) must be less than validity_period_hours (%s). Otherwise each new certificate is due for renewal immediately.",
				early, hours,
			),
		)
	}
}

// plan checks a certificate that is created or changed, and replaces a
// certificate that is due for renewal.
func plan(_ context.Context, p *crud.Planning[*model]) {
	now := p.Provider.Now()
	checkPrincipals(p)
	checkTimes(p, now)
	if p.State == nil {
		planNew(p)
		return
	}
	warnOfEnd(p, now)
	warnOfMovingEnd(p, now)
	p.Plan.ReadyForRenewal = types.BoolValue(p.State.ReadyForRenewal.ValueBool())
	switch {
	case otherWindow(p):
		p.Plan.ReadyForRenewal = types.BoolValue(false)
		if !pinned(p) && !replaced(p) && ready(p.Plan, now) {
			p.Diagnostics.AddAttributeWarning(
				earlyPath,
				"SSH host certificate "+p.State.ID.ValueString()+" is due for renewal",
				"With the new early_renewal_hours ("+p.Plan.EarlyRenewalHours.String()+"), the certificate is due for renewal. "+
					"This plan only changes the setting. The next plan replaces the certificate: apply twice, or use -replace.",
			)
		}
	case !pinned(p) && due(p, now):
		p.Plan.ReadyForRenewal = types.BoolUnknown()
		p.Replace.Append(readyPath)
		warnOfShortLife(p)
	}
}

// replaced reports whether the plan changes an attribute that cannot be updated
// in place.
func replaced(p *crud.Planning[*model]) bool {
	// The plan modifiers have replaced other spellings of a value by the value of
	// the state.
	plan, state := p.Plan, p.State
	return !plan.SSHCertificateAuthorityID.Equal(state.SSHCertificateAuthorityID) || !plan.PublicKey.Equal(state.PublicKey) ||
		!plan.Principals.Equal(state.Principals) || !plan.ValidAfter.Equal(state.ValidAfter) || !plan.ValidUntil.Equal(state.ValidUntil)
}

// otherWindow reports whether the plan changes the time of the renewal.
func otherWindow(p *crud.Planning[*model]) bool {
	return !p.Plan.EarlyRenewalHours.IsUnknown() && !p.Plan.EarlyRenewalHours.Equal(p.State.EarlyRenewalHours)
}

// due reports whether a certificate must be renewed. If something else changes,
// the result of the last refresh applies: Terraform plans again during apply,
// and the plan must stay the same although time has passed. What was due stays
// due.
func due(p *crud.Planning[*model], now time.Time) bool {
	return p.State.ReadyForRenewal.ValueBool() || !p.Changes && ready(p.State, now)
}

// pinned reports whether the configuration fixes the end of the certificate.
// Such a certificate is not renewed, because the new one would have the same
// end.
func pinned(p *crud.Planning[*model]) bool {
	_, _, fixed := fixedEnd(p.Config)
	return fixed
}

// fixedEnd returns the end of a certificate and the attribute that fixes it, if
// the configuration does so with valid_until or with valid_after and a validity
// period.
func fixedEnd(config *model) (end time.Time, by path.Path, fixed bool) {
	if until, ok := attribute.Instant(config.ValidUntil); ok {
		return until, untilPath, true
	}
	after, afterSet := attribute.Instant(config.ValidAfter)
	period, periodSet := attribute.Hours(config.ValidityPeriodHours)
	return after.Add(period), periodPath, afterSet && periodSet
}

func planNew(p *crud.Planning[*model]) {
	if end, _, ok := fixedEnd(p.Config); ok && p.Config.ValidUntil.IsNull() {
		p.Plan.ValidUntil = attribute.TimestampOf(end)
	}
	if p.Plan.EarlyRenewalHours.IsNull() {
		p.Plan.ReadyForRenewal = types.BoolValue(false)
	}
	if keyType, _, _ := pki.PublicKeyParameters(p.Plan.PublicKey.ValueString()); keyType != "" {
		p.Plan.KeyType = types.StringValue(keyType)
	}
}

// end returns the end of a new certificate. A validity period starts at the
// creation unless valid_after is set.
func end(provider *crud.Provider, plan *model) attribute.Timestamp {
	if period, ok := attribute.Hours(plan.ValidityPeriodHours); ok && plan.ValidUntil.IsUnknown() {
		return attribute.TimestampOf(provider.Now().Add(period).Truncate(time.Second))
	}
	return plan.ValidUntil
}

// checkPrincipals warns of a certificate that is valid for all hosts. It also
// warns if a change removes the principals, because Terraform makes two plans
// for a replacement and shows only the warnings of the first.
func checkPrincipals(p *crud.Planning[*model]) {
	if p.Plan.Principals.IsUnknown() || len(p.Plan.Principals.Elements()) > 0 {
		return
	}
	if p.State == nil || len(p.State.Principals.Elements()) > 0 {
		found := "empty"
		if p.Config.Principals.IsNull() {
			found = "not set"
		}
		p.Diagnostics.AddAttributeWarning(principalsPath, "SSH host certificate for all hosts",
			"principals is "+found+", so the certificate is valid for all hosts. Anyone who has the private host key can impersonate any server "+
				"to clients that trust the authority. Set principals to the hostnames and IP addresses of the server.")
	}
}

// checkTimes checks the times of a new certificate and changes of the times. It
// warns if the configuration prevents renewal or causes it in every apply.
func checkTimes(p *crud.Planning[*model], now time.Time) {
	after, afterSet := attribute.Instant(p.Config.ValidAfter)
	end, by, fixed := fixedEnd(p.Config)
	early, renewing := attribute.Hours(p.Config.EarlyRenewalHours)
	isNew := p.State == nil || attribute.IsKnown(p.Config.ValidUntil) && !p.Plan.ValidUntil.Same(p.State.ValidUntil) ||
		afterSet && !p.Plan.ValidAfter.Same(p.State.ValidAfter)
	switch {
	case isNew && fixed && attribute.EndsWithin(0, end, now):
		p.Diagnostics.AddAttributeError(by, "Certificate would already be expired",
			"The certificate must expire in the future, but with "+by.String()+" it would be valid until "+attribute.Date(end)+
				"; it is now "+attribute.Date(now)+". Set a later time, or remove valid_after and valid_until: the certificate is then valid for "+
				"validity_period_hours, or for one year."+
				crud.DuringDestroy)
	case isNew && fixed && end.UTC().Year() > 9999:
		p.Diagnostics.AddAttributeError(
			by,
			"Certificate would expire too late",
			"The certificate would be valid until "+end.UTC().
				Format(time.DateOnly)+
				", but the latest supported year is 9999. Reduce "+by.String()+".",
		)
	case isNew && afterSet && p.Config.ValidUntil.IsNull() && p.Config.ValidityPeriodHours.IsNull() && !after.Before(defaultEnd(now)):
		p.Diagnostics.AddAttributeError(afterPath, "valid_after is too late",
			"valid_after is "+attribute.Date(after)+", but a certificate without valid_until expires one year after creation ("+
				attribute.Date(defaultEnd(now))+"). Set validity_period_hours or valid_until, or an earlier valid_after."+crud.DuringDestroy)
	case fixed && renewing && attribute.EndsWithin(early, end, now):
		p.Diagnostics.AddAttributeWarning(by, "SSH host certificate is due but cannot be renewed",
			"The certificate is valid until "+attribute.Date(end)+", so it is due for renewal (early_renewal_hours is "+
				p.Config.EarlyRenewalHours.String()+"). It cannot be renewed automatically, because the configuration sets a fixed end: "+
				"a new certificate would expire at the same time. "+
				enableRenewal+" "+
				"To replace the certificate only once, set a later valid_until or, with validity_period_hours, a later valid_after.")
	case fixed && renewing && (p.State == nil || otherWindow(p)):
		p.Diagnostics.AddAttributeWarning(
			earlyPath,
			"early_renewal_hours has no effect",
			"The configuration sets a fixed end ("+attribute.Date(end)+"), so the certificate cannot be renewed: "+
				"a new certificate would expire at the same time. "+
				enableRenewal+" Otherwise remove early_renewal_hours.",
		)
	case p.State == nil && renewing && p.Config.ValidUntil.IsNull() &&
		p.Config.ValidityPeriodHours.IsNull() && early >= defaultEnd(now).Sub(now):
		p.Diagnostics.AddAttributeWarning(earlyPath, "Certificate always due for renewal",
			fmt.Sprintf("early_renewal_hours is %s, but a certificate without valid_until is valid for one year (%d hours). "+
				"Every apply would replace it. Set a smaller value.", p.Config.EarlyRenewalHours, int(defaultEnd(now).Sub(now).Hours())))
	}
}

// ready reports whether a certificate is due for renewal.
func ready(m *model, now time.Time) bool {
	early, renewing := attribute.Hours(m.EarlyRenewalHours)
	until, ok := attribute.Instant(m.ValidUntil)
	return renewing && ok && attribute.EndsWithin(early, until, now)
}

// generated removes the times that the service chose from a generated
// configuration, because an imported certificate with valid_until could not be
// renewed.
func generated(m *model) {
	created, ok := attribute.Instant(m.CreatedAt)
	if !ok {
		return
	}
	created = created.Truncate(time.Second) // certificates have whole seconds
	if after, ok := attribute.Instant(m.ValidAfter); ok && after.Equal(created) {
		m.ValidAfter = attribute.TimestampType{}.Of("")
	}
	if until, ok := attribute.Instant(m.ValidUntil); ok &&
		(until.Equal(defaultEnd(created)) || until.Equal(created.Add(defaultHours*time.Hour))) {
		m.ValidUntil = attribute.TimestampType{}.Of("")
	}
}

// needsPlan reports whether plan may have a result for a certificate that the
// configuration does not change: at the boundaries of time, or if an earlier
// refresh found that it is due.
func needsPlan(u *crud.Unchanged) bool {
	now := u.Provider.Now()
	until, err := attribute.ParseTime(u.Text("valid_until"))
	early := time.Duration(u.Number("early_renewal_hours")) * time.Hour
	if err != nil || !u.False("ready_for_renewal") || attribute.EndsWithin(early, until, now) {
		return true
	}
	after, err := attribute.ParseTime(u.Text("valid_after"))
	if early == 0 && attribute.EndsSoon(u.Provider.ExpiryWarning, after, until, now) {
		return true
	}
	period := time.Duration(u.Number("validity_period_hours")) * time.Hour
	return err == nil && period > 0 && attribute.EndsWithin(early, after.Add(period), now)
}
