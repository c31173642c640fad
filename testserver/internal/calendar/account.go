package calendar

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Account is a [World]: the copy of an account and of its configuration.
type Account struct {
	Warning   time.Duration // before an end, when plans begin to warn
	server    *testserver.Server
	folder    *copy.Folder
	addresses map[string]string        // in the state, by id
	early     map[string]time.Duration // early renewal, by address
}

// Open serves a copy of an account until stop is called, and checks with a first plan
// that nothing can reach anything else.
func Open(ctx context.Context, folder *copy.Folder, account []byte, from time.Time) (a *Account, stop func(), err error) {
	server := testserver.New(testserver.WithClock(func() time.Time { return from }))
	if stop, err = copy.Serve(account, server, server); err != nil {
		return nil, nil, err
	}
	a = &Account{
		server: server, folder: folder.On(server, "TUNNEL_REHEARSAL_CLOCK=true"),
		addresses: map[string]string{}, early: map[string]time.Duration{},
	}
	if err := a.prepare(ctx, from); err != nil {
		stop()
		return nil, nil, err
	}
	return a, stop, nil
}

func (a *Account) prepare(ctx context.Context, from time.Time) error {
	if err := a.SetClock(from); err != nil {
		return err
	}
	plan, err := a.Plan(ctx)
	if err != nil {
		return err
	}
	if plan.Failure != "" {
		return errors.New("the first plan fails: " + plan.Failure)
	}
	shown, err := a.folder.Check(ctx, a.planFile())
	if err != nil {
		return err
	}
	for _, resource := range shown.ResourceChanges {
		before, _ := resource.Change.Before.(map[string]any)
		after, _ := resource.Change.After.(map[string]any)
		id, _ := before["id"].(string)
		a.addresses[id] = resource.Address
		if hours, renews := after["early_renewal_hours"].(float64); renews {
			a.early[resource.Address] = time.Duration(hours) * time.Hour
		}
	}
	a.Warning = warning(shown)
	return nil
}

// defaultWarning is the default of expiry_warning_hours.
const defaultWarning = 720 * time.Hour

// warning returns how long before an end plans warn, if the configuration says so with a
// constant.
func warning(plan *copy.Plan) time.Duration {
	var value struct {
		Hours *int64 `json:"constant_value"`
	}
	err := json.Unmarshal(plan.Configuration.ProviderConfig["tunnel"].Expressions["expiry_warning_hours"], &value)
	if err != nil || value.Hours == nil {
		return defaultWarning
	}
	return time.Duration(*value.Hours) * time.Hour
}

// errNoClock is the error of a plan that the provider has not made at the time of the
// server.
const errNoClock = copy.Refused("the provider does not use the time of the test server: it is a version without TUNNEL_REHEARSAL_CLOCK, " +
	"or the configuration has no object of it")

func (a *Account) planFile() string { return a.folder.File("rehearsal") }

// SetClock moves the clock of the server, which the provider follows.
func (a *Account) SetClock(now time.Time) error { return a.server.SetClock(now, true) }

// Plan makes a plan, and keeps it in a file.
func (a *Account) Plan(ctx context.Context) (Plan, error) {
	var plan Plan
	events, err := a.folder.Plan(ctx, a.planFile())
	if err != nil {
		return plan, err
	}
	follows := false // the provider uses the time of the server
	plan.Failure = problem.Escape(copy.Failure(events...))
	for _, e := range events {
		shown, rehearsal := strings.CutPrefix(e.Diagnostic.Summary, "Rehearsal at ")
		switch {
		case rehearsal:
			follows = shown == a.server.Now().Format(time.RFC3339)
		case e.Type == "diagnostic" && e.Diagnostic.Severity == "warning":
			plan.Warnings = append(plan.Warnings, Warning{
				Address: problem.Escape(e.Diagnostic.Address), Summary: problem.Escape(e.Diagnostic.Summary),
			})
		case e.Type == "planned_change" && e.Change.Action != "noop" && e.Change.Action != "read":
			plan.Changes = append(plan.Changes, Change{Address: problem.Escape(e.Change.Resource.Addr), Action: e.Change.Action})
		}
	}
	if plan.Failure == "" && !follows {
		return plan, errNoClock
	}
	slices.SortFunc(plan.Changes, func(a, b Change) int { return cmp.Compare(a.Address, b.Address) })
	return plan, nil
}

// Apply applies the last plan.
func (a *Account) Apply(ctx context.Context) (failure string, err error) {
	events, err := a.folder.Apply(ctx, a.planFile())
	for _, e := range events {
		if e.Type == "apply_complete" && e.Hook.ID != "" {
			a.addresses[e.Hook.ID] = problem.Escape(e.Hook.Resource.Addr)
		}
	}
	return problem.Escape(copy.Failure(events...)), err
}

// object is an object of the API, as far as it matters here.
type object struct {
	ID         string    `json:"id"`
	CreatedAt  time.Time `json:"created_at"`
	Domain     string    `json:"domain"`
	CommonName string    `json:"subject_common_name"`
	Chain      string    `json:"certificate_pem"`
	NotBefore  time.Time `json:"not_before"`
	NotAfter   time.Time `json:"not_after"`
	ValidAfter time.Time `json:"valid_after"`
	ValidUntil time.Time `json:"valid_until"`
	Principals []string  `json:"principals"`
	Policy     any       `json:"certificate_management_policy"`
	Status     struct {
		RenewsAt time.Time `json:"renews_at"`
	} `json:"certificate_management_status"`
	Certificate *struct {
		ID string `json:"id"`
	} `json:"certificate"`
}

// list returns the objects of a list.
func (a *Account) list(path string) (all []object) {
	text, _ := json.Marshal(a.server.List(path)) // it was JSON
	_ = json.Unmarshal(text, &all)               // of the documented types, as the server checks
	return all
}

// keys are the lists of what never expires, but gets old.
var keys = []struct{ path, noun string }{{"/api_keys", "API key"}, {"/ssh_credentials", "SSH credential"}}

// Notes returns what no plan shows: managed domains without a certificate, and how old
// keys are at a time.
func (a *Account) Notes(until time.Time) (notes []string) {
	name := func(o object) string { return problem.Escape(cmp.Or(a.addresses[o.ID], o.Domain, o.ID)) }
	for _, domain := range a.list("/reserved_domains") {
		if domain.Policy != nil && domain.Certificate == nil {
			notes = append(notes, name(domain)+": managed, but without a certificate. The calendar does not know when the service issues the "+
				"first one: look at certificate_management_status")
		}
	}
	for _, key := range keys {
		if all := a.list(key.path); len(all) > 0 {
			oldest := slices.MinFunc(all, func(a, b object) int { return a.CreatedAt.Compare(b.CreatedAt) })
			notes = append(notes, fmt.Sprintf("%s, whose end the API does not show: the oldest, %s, is of %s, and %s old at the end of the calendar",
				problem.Count(len(all), key.noun), name(oldest), oldest.CreatedAt.UTC().Format(time.DateOnly), length(until.Sub(oldest.CreatedAt))))
		}
	}
	return notes
}

// Objects returns the certificates of the account.
func (a *Account) Objects() []Object {
	var all []Object
	domains := map[string][]object{} // by the id of their certificate
	for _, domain := range a.list("/reserved_domains") {
		if domain.Certificate != nil {
			domains[domain.Certificate.ID] = append(domains[domain.Certificate.ID], domain)
		}
	}
	hosts := a.hosts()
	for _, c := range a.list("/tls_certificates") {
		one := Object{ID: c.ID, Early: -1, Begin: c.NotBefore, End: endOfChain(c.Chain, c.NotAfter), Address: a.addresses[c.ID]}
		one.Name = "TLS certificate " + problem.Escape(cmp.Or(c.CommonName, c.ID))
		for _, domain := range domains[c.ID] {
			one.Served, one.Hosts = true, hosts[c.ID]
			if renews := domain.Status.RenewsAt; !renews.IsZero() {
				one.Renews, one.Address = renews.UTC(), a.addresses[domain.ID]
				one.Name = "managed certificate of " + problem.Escape(domain.Domain)
			}
		}
		all = append(all, one)
	}
	for _, c := range a.list("/ssh_host_certificates") {
		one := Object{ID: c.ID, Early: -1, Begin: c.ValidAfter, End: c.ValidUntil, Address: a.addresses[c.ID]}
		one.Name = "SSH host certificate for " + problem.Escape(strings.Join(c.Principals, ", "))
		one.Served = one.Address != "" // what Terraform manages is on a host
		if early, renewing := a.early[one.Address]; renewing {
			one.Early = early
		}
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b Object) int { return cmp.Or(a.End.Compare(b.End), cmp.Compare(a.Address, b.Address)) })
	return all
}

// hosts returns the hosts of edges whose clients get a certificate, by its id.
func (a *Account) hosts() map[string][]string {
	hosts := map[string][]string{}
	now := a.server.Recorded()
	for _, t := range now.Follow(now.Requests(), a.server.World(nil)) {
		if id := t.After.Shown; id != "" && !slices.Contains(hosts[id], t.Request.Host) {
			hosts[id] = append(hosts[id], problem.Escape(t.Request.Host))
		}
	}
	return hosts
}

// endOfChain returns the first end of a certificate and its intermediates. Clients have
// their own roots.
func endOfChain(chain string, end time.Time) time.Time {
	for block, rest := pem.Decode([]byte(chain)); block != nil; block, rest = pem.Decode(rest) {
		issuer, err := x509.ParseCertificate(block.Bytes)
		if err == nil && issuer.NotAfter.Before(end) && issuer.Subject.String() != issuer.Issuer.String() {
			end = issuer.NotAfter
		}
	}
	return end.UTC()
}
