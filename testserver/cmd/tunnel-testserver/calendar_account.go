package main

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/calendar"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// rehearsedAccount is the copy of an account and of its configuration.
type rehearsedAccount struct {
	server    *testserver.Server
	folder    *copy.Folder
	gate      []string                 // command; empty if there is no gate
	addresses map[string]string        // in the state, by id
	early     map[string]time.Duration // early renewal, by address
}

// firstPlanFails is the error of a configuration that cannot be planned at the start.
type firstPlanFails string

func (f firstPlanFails) Error() string { return "the first plan fails: " + string(f) }

// prepare checks with a first plan that the rehearsal cannot reach anything else, and
// returns that plan.
func (a *rehearsedAccount) prepare(ctx context.Context, from time.Time) (*copy.Plan, error) {
	if err := a.SetClock(from); err != nil {
		return nil, err
	}
	plan, err := a.Plan(ctx)
	if err != nil {
		return nil, err
	}
	if plan.Failure != "" {
		return nil, firstPlanFails(plan.Failure)
	}
	shown, err := a.folder.Check(ctx, a.planFile())
	if err != nil {
		return nil, err
	}
	a.early = map[string]time.Duration{}
	for _, resource := range shown.ResourceChanges {
		a.addresses[resource.Change.Before.ID] = resource.Address
		if hours := resource.Change.After.Early; hours != nil {
			a.early[resource.Address] = time.Duration(*hours) * time.Hour
		}
	}
	return shown, nil
}

// errNoClock is the error of a plan that the provider has not made at the time of the
// server.
const errNoClock = copy.Refused("the provider does not use the time of the test server: it is a version without TUNNEL_REHEARSAL_CLOCK, " +
	"or the configuration has no object of it")

func (a *rehearsedAccount) planFile() string { return a.folder.File("rehearsal") }

// SetClock moves the clock of the server, which the provider follows.
func (a *rehearsedAccount) SetClock(now time.Time) error { return a.server.SetClock(now, true) }

// Plan makes a plan, and keeps it in a file.
func (a *rehearsedAccount) Plan(ctx context.Context) (calendar.Plan, error) {
	var plan calendar.Plan
	events, err := a.folder.Plan(ctx, a.planFile())
	if err != nil {
		return plan, err
	}
	follows := false // the provider uses the time of the server
	plan.Failure = printable(copy.Failure(events...))
	for _, e := range events {
		shown, rehearsal := strings.CutPrefix(e.Diagnostic.Summary, "Rehearsal at ")
		switch {
		case rehearsal:
			follows = shown == a.server.Now().Format(time.RFC3339)
		case e.Type == "diagnostic" && e.Diagnostic.Severity == "warning":
			plan.Warnings = append(plan.Warnings, calendar.Warning{
				Address: printable(e.Diagnostic.Address), Summary: printable(e.Diagnostic.Summary),
			})
		case e.Type == "planned_change" && e.Change.Action != "noop" && e.Change.Action != "read":
			plan.Changes = append(plan.Changes, calendar.Change{Address: printable(e.Change.Resource.Addr), Action: e.Change.Action})
		}
	}
	if plan.Failure == "" && !follows {
		return plan, errNoClock
	}
	slices.SortFunc(plan.Changes, func(a, b calendar.Change) int { return cmp.Compare(a.Address, b.Address) })
	return plan, nil
}

// notStarted are the exit codes of a shell that cannot run its command or read its
// script.
var notStarted = []int{2, 126, 127}

// Gate runs the gate with the file of the last plan.
func (a *rehearsedAccount) Gate(ctx context.Context) (bool, error) {
	if len(a.gate) == 0 {
		return true, nil
	}
	err := a.folder.Gate(ctx, a.gate, a.planFile())
	if stopped, ok := errors.AsType[*exec.ExitError](err); ok && !slices.Contains(notStarted, stopped.ExitCode()) {
		return false, nil
	}
	return err == nil, err
}

// Apply applies the last plan.
func (a *rehearsedAccount) Apply(ctx context.Context) (failure string, err error) {
	events, err := a.folder.Apply(ctx, a.planFile())
	for _, e := range events {
		if e.Type == "apply_complete" && e.Hook.ID != "" {
			a.addresses[e.Hook.ID] = printable(e.Hook.Resource.Addr)
		}
	}
	return printable(copy.Failure(events...)), err
}

// Objects returns the certificates of the account.
func (a *rehearsedAccount) Objects() []calendar.Object {
	var all []calendar.Object
	domains := map[string][]map[string]any{} // by the id of their certificate
	for _, domain := range a.server.List("/reserved_domains") {
		certificate, _ := domain["certificate"].(map[string]any)
		if id := text(certificate, "id"); id != "" {
			domains[id] = append(domains[id], domain)
		}
	}
	for _, certificate := range a.server.List("/tls_certificates") {
		object := calendar.Object{ID: text(certificate, "id"), Early: -1, Begin: instant(certificate, "not_before")}
		object.End = endOfChain(text(certificate, "certificate_pem"), instant(certificate, "not_after"))
		object.Address = a.addresses[object.ID]
		object.Name = "TLS certificate " + printable(cmp.Or(text(certificate, "subject_common_name"), object.ID))
		for _, domain := range domains[object.ID] {
			object.Served = true
			status, _ := domain["certificate_management_status"].(map[string]any)
			if renews := instant(status, "renews_at"); !renews.IsZero() {
				object.Renews, object.Address = renews, a.addresses[text(domain, "id")]
				object.Name = "managed certificate of " + printable(text(domain, "domain"))
			}
		}
		all = append(all, object)
	}
	for _, certificate := range a.server.List("/ssh_host_certificates") {
		object := calendar.Object{ID: text(certificate, "id"), Early: -1}
		object.Begin, object.End = instant(certificate, "valid_after"), instant(certificate, "valid_until")
		var hosts []string
		principals, _ := certificate["principals"].([]any)
		for _, principal := range principals {
			name, _ := principal.(string)
			hosts = append(hosts, printable(name))
		}
		object.Name = "SSH host certificate for " + strings.Join(hosts, ", ")
		if object.Address = a.addresses[object.ID]; object.Address != "" {
			object.Served = true // what Terraform manages is on a host
			if early, renewing := a.early[object.Address]; renewing {
				object.Early = early
			}
		}
		all = append(all, object)
	}
	slices.SortFunc(all, func(a, b calendar.Object) int { return cmp.Or(a.End.Compare(b.End), cmp.Compare(a.Address, b.Address)) })
	return all
}

// endOfChain returns the first end of a certificate and its intermediates. Clients have
// their own roots.
func endOfChain(chain string, end time.Time) time.Time {
	for block, rest := pem.Decode([]byte(chain)); block != nil; block, rest = pem.Decode(rest) {
		issuer, err := x509.ParseCertificate(block.Bytes)
		if err == nil && issuer.NotAfter.Before(end) && issuer.Subject.String() != issuer.Issuer.String() {
			end = issuer.NotAfter.UTC()
		}
	}
	return end
}

func text(object map[string]any, name string) string {
	value, _ := object[name].(string)
	return value
}

// instant returns a time of an object. It is zero if there is none.
func instant(object map[string]any, name string) time.Time {
	at, err := time.Parse(time.RFC3339, text(object, name))
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
