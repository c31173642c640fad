package sshhostcertificate

import (
	"fmt"
	"math"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// warnOfEnd warns that an existing certificate expires soon or is expired, and
// will not be renewed. The summary names the certificate, because Terraform
// shows only one of several warnings with the same summary.
func warnOfEnd(p *crud.Planning[*model], now time.Time) {
	after, _ := attribute.Instant(p.State.ValidAfter)
	end, ok := attribute.Instant(p.State.ValidUntil)
	if !ok || !attribute.EndsSoon(p.Provider.ExpiryWarning, after, end, now) || !p.Plan.EarlyRenewalHours.IsNull() || replaced(p) {
		return
	}
	hosts := "all hosts"
	if principals := attribute.Strings(p.State.Principals); len(principals) > 0 {
		hosts = crud.JoinLimited(principals, 3)
	}
	consequence := "The configuration does not renew it."
	if attribute.Expired(end, now) {
		consequence = "Clients reject it."
	}
	replace, later := "run terraform apply with -replace", "set early_renewal_hours"
	if pinned(p) {
		replace, later = "set a later valid_until, or remove it and run terraform apply with -replace", "set early_renewal_hours, and "+
			"remove valid_after and valid_until"
	}
	p.Diagnostics.AddAttributeWarning(untilPath, fmt.Sprintf("SSH host certificate %s %s", p.State.ID.ValueString(), attribute.Ends(end, now)),
		fmt.Sprintf("The certificate for %s %s. %s To replace it now, %s. To renew it automatically, %s.%s",
			hosts, attribute.Ends(end, now), consequence, replace, later, attribute.ExpiryHint(end, now)))
}

// warnOfMovingEnd warns of an end that may change with every plan, because it is
// computed with timestamp() or plantimestamp(): it is unknown, or as far away as
// it was when the certificate was created.
func warnOfMovingEnd(p *crud.Planning[*model], now time.Time) {
	created, _ := attribute.Instant(p.State.CreatedAt)
	before, _ := attribute.Instant(p.State.ValidUntil)
	end, known := attribute.Instant(p.Config.ValidUntil)
	moves := known && !end.Equal(before) && (end.Sub(now)-before.Sub(created)).Abs() < time.Hour
	if moves || p.Config.ValidUntil.IsUnknown() {
		p.Diagnostics.AddAttributeWarning(
			untilPath,
			"valid_until may change with every plan",
			"This plan replaces the certificate, because valid_until changes. If it is computed with timestamp() or plantimestamp(), every "+
				"plan does. "+
				"Remove valid_until, and set validity_period_hours.",
		)
	}
}

// stored warns of a new certificate that the service made shorter than it was
// asked to. Every plan will replace it, unless the configuration fixes the end. The
// summary names the certificate, because Terraform shows only one of several warnings
// with the same summary.
func stored(m, config *model, diags *diag.Diagnostics) {
	_, _, fixed := fixedEnd(config)
	if life, short := shortLife(m, m.EarlyRenewalHours); short && !fixed {
		diags.AddAttributeWarning(earlyPath, "Every plan replaces SSH host certificate "+m.ID.ValueString(),
			life+"so a new certificate is due for renewal at once. "+limitsPeriod(m))
	}
}

// warnOfShortLife warns of a certificate that is due for renewal from its beginning.
// Either every new one is, or its configuration has changed since.
func warnOfShortLife(p *crud.Planning[*model]) {
	life, short := shortLife(p.State, p.Plan.EarlyRenewalHours)
	if !short {
		return
	}
	p.Diagnostics.AddAttributeWarning(earlyPath, "SSH host certificate "+p.State.ID.ValueString()+" was due for renewal from its beginning",
		life+"so it is due for renewal. If validity_period_hours has changed since, this renewal is the last of that kind. "+
			limitsPeriod(p.State))
}

// shortLife reports whether a certificate is due for renewal from its creation, and
// begins a sentence about it.
func shortLife(m *model, hours types.Int64) (text string, short bool) {
	early, renewing := attribute.Hours(hours)
	begin, begins := beginning(m)
	until, untilKnown := attribute.Instant(m.ValidUntil)
	text = fmt.Sprintf("The certificate is from %s and is valid until %s (%d hours), but early_renewal_hours is %s, ",
		attribute.Date(begin), attribute.Date(until), lifetime(m), hours)
	return text, renewing && begins && untilKnown && until.Sub(begin) <= early
}

// beginning returns when a certificate was created or, if the service does not say that,
// the beginning of its validity.
func beginning(m *model) (time.Time, bool) {
	if created, ok := attribute.Instant(m.CreatedAt); ok {
		return created, true
	}
	return attribute.Instant(m.ValidAfter)
}

func limitsPeriod(m *model) string {
	return fmt.Sprintf("If the service limits the validity period, set early_renewal_hours to less than %d.", max(1, lifetime(m)))
}

// lifetime returns the hours from the creation of a certificate to its end, rounded to
// the nearest one: a service may set created_at before or after it signs.
func lifetime(m *model) int {
	begin, _ := beginning(m)
	until, _ := attribute.Instant(m.ValidUntil)
	return int(math.Round(until.Sub(begin).Hours()))
}
