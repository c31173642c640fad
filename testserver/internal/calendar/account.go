package calendar

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"maps"
	"os/exec"
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
	a = &Account{server: server, folder: folder.On(server, (*exec.Cmd).Run, "TUNNEL_REHEARSAL_CLOCK=true"), early: map[string]time.Duration{}}
	var plan *copy.Plan
	if err = a.SetClock(from); err == nil {
		plan, err = a.folder.FirstPlan(ctx)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	a.addresses, a.Warning = plan.Addresses(), warning(plan)
	for _, resource := range plan.ResourceChanges {
		after, _ := resource.Change.After.(map[string]any)
		if hours, renews := after["early_renewal_hours"].(float64); renews {
			a.early[resource.Address] = time.Duration(hours) * time.Hour
		}
	}
	return a, stop, nil
}

// warning returns how long before an end plans warn, if the configuration says so with a
// constant.
func warning(plan *copy.Plan) time.Duration {
	value := struct {
		Hours time.Duration `json:"constant_value"`
	}{720} // the default
	_ = json.Unmarshal(plan.Configuration.ProviderConfig["tunnel"].Expressions["expiry_warning_hours"], &value)
	return value.Hours * time.Hour
}

// errNoClock is the error of a plan that the provider has not made at the time of the
// server.
const errNoClock = copy.Refused("the provider does not use the time of the test server: it is a version without TUNNEL_REHEARSAL_CLOCK, " +
	"or the configuration has no object of it")

// SetClock moves the clock of the server, which the provider follows.
func (a *Account) SetClock(now time.Time) error { return a.server.SetClock(now, true) }

// Plan makes a plan.
func (a *Account) Plan(ctx context.Context) (planned *copy.Ran, err error) {
	if planned, err = a.folder.Plan(ctx); err != nil {
		return nil, err
	}
	follows := false // the provider uses the time of the server
	planned.Warnings = slices.DeleteFunc(planned.Warnings, func(warning copy.Diagnostic) bool {
		shown, rehearsal := strings.CutPrefix(warning.Summary, "Rehearsal at ")
		follows = follows || rehearsal && shown == a.server.Now().Format(time.RFC3339)
		return rehearsal
	})
	if planned.Succeeded && !follows {
		return nil, errNoClock
	}
	return planned, nil
}

// Apply applies the last plan.
func (a *Account) Apply(ctx context.Context) (*copy.Ran, error) {
	ran, err := a.folder.Apply(ctx)
	if err != nil {
		return nil, err
	}
	now, err := a.folder.Addresses()
	maps.Copy(a.addresses, now)
	return ran, err
}

// object is an object of the API, as far as it matters here.
type object struct {
	ID         string    `json:"id"`
	Domain     string    `json:"domain"`
	CommonName string    `json:"subject_common_name"`
	Chain      string    `json:"certificate_pem"`
	NotBefore  time.Time `json:"not_before"`
	NotAfter   time.Time `json:"not_after"`
	ValidAfter time.Time `json:"valid_after"`
	ValidUntil time.Time `json:"valid_until"`
	Principals []string  `json:"principals"`
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
		one.Name = "TLS certificate " + cmp.Or(c.CommonName, c.ID)
		for _, domain := range domains[c.ID] {
			one.Served, one.Hosts = true, hosts[c.ID]
			if renews := domain.Status.RenewsAt; !renews.IsZero() {
				one.Renews, one.Address = renews.UTC(), a.addresses[domain.ID]
				one.Name = "managed certificate of " + domain.Domain
			}
		}
		all = append(all, one)
	}
	for _, c := range a.list("/ssh_host_certificates") {
		one := Object{ID: c.ID, Early: -1, Begin: c.ValidAfter, End: c.ValidUntil, Address: a.addresses[c.ID]}
		one.Name = "SSH host certificate for " + strings.Join(c.Principals, ", ")
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
