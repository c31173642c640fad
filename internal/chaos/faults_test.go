package chaos

import (
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// faults returns rules with all kinds of faults that together hit about a fifth
// of all requests.
func faults(seed uint64) []testserver.Fault {
	rules := []testserver.Fault{
		{Kind: testserver.FaultDelay, Delay: 200 * time.Millisecond},
		{Kind: testserver.FaultDelay, Delay: 1500 * time.Millisecond}, // longer than the request timeout
		{Kind: testserver.Fault429, RetryAfter: "0"},
		{Kind: testserver.Fault429, RetryAfter: "date"},
		{Kind: testserver.Fault429, RetryAfter: "none"},
		{Kind: testserver.Fault500},
		{Kind: testserver.Fault502},
		{Kind: testserver.Fault503, RetryAfter: "1"},
		{Kind: testserver.Fault504},
		{Kind: testserver.Fault500After},
		{Kind: testserver.Fault502After},
		{Kind: testserver.Fault503After},
		{Kind: testserver.Fault504After},
		{Kind: testserver.FaultResetBefore},
		{Kind: testserver.FaultResetDuring},
		{Kind: testserver.FaultResetDuring, Delay: 300 * time.Millisecond},
		{Kind: testserver.FaultResetAfter},
		{Kind: testserver.FaultTruncate},
		{Kind: testserver.FaultHTML},
		{Kind: testserver.FaultHTML, Before: true},
		{Kind: testserver.FaultHTML, Before: true, Status: 200},
		{Kind: testserver.FaultContentType},
		{Kind: testserver.FaultEmpty},
		{Kind: testserver.FaultEndless},
		{Kind: testserver.FaultEndless, Delay: 100 * time.Millisecond},
		{Kind: testserver.FaultLagList, Delay: 2 * time.Second},
		{Kind: testserver.FaultLag, Delay: 2 * time.Second},
		{Kind: testserver.FaultLagGet, Delay: 2 * time.Second},
		{Kind: testserver.FaultNotFoundAfterCreate, Delay: 2 * time.Second},
		{Kind: testserver.FaultNotFoundOnce},
		{Kind: testserver.FaultLostRoute},
		{Kind: testserver.FaultRedirect},
		{Kind: testserver.FaultEmptyReplica},
		{Kind: testserver.FaultStalePage, Delay: 2 * time.Second},
		{Kind: testserver.FaultShortList},
		{Kind: testserver.FaultClockSkew, Delay: 90 * time.Second},
	}
	// An empty 200 means that a DELETE is done.
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut} {
		rules = append(rules, testserver.Fault{Kind: testserver.FaultEmpty, Before: true, Status: http.StatusOK, Method: method})
	}
	// A rule applies only to requests that no earlier rule hits. The last two apply
	// only to some requests.
	for i := range rules {
		rules[i].Seed = seed*1000 + uint64(i)
		rules[i].Probability = 0.005
		switch {
		case rules[i].Kind == testserver.Fault429:
			rules[i].Probability = 0.003 // a 429 delays all requests, not only one
		case rules[i].Method == http.MethodPut:
			rules[i].Probability = 0.1 // so that each estate has a warning
		}
	}
	return rules
}

// TestAccEstate_faults creates, changes and destroys an estate while the service injects
// faults. Every other seed also enables quirks. It repeats each step until it succeeds
// and follows the instructions in the errors. After each step, it compares the state with
// the service.
func TestAccEstate_faults(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 2, func(t *testing.T, seed uint64) {
		w := acctest.Start(t)
		if seed%2 == 1 {
			w.SetQuirks(seed)
		}
		estate, r := newEstate(t, w, 2, acctest.Kinds), newRealTerraform(t, w)
		r.arguments["request_timeout"] = "1s"
		user, injected := newOperator(estate, r), 0
		for _, step := range []struct {
			name    string
			config  map[string]resourceConfig
			options []tfexec.ApplyOption
		}{{"create", estate.first, nil}, {"change", estate.second, nil}, {"destroy", estate.second, []tfexec.ApplyOption{tfexec.Destroy(true)}}} {
			w.ResetStats()
			w.SetFaults(faults(seed)...)
			runs := 1
			for ; !user.run(step.config, append(step.options, tfexec.Parallelism(20))...); runs++ {
				if runs == 25 {
					t.Fatalf("%s still fails:\n%s", step.name, r.summary())
				}
				w.SetFaults(faults(seed + uint64(runs))...)
			}
			// An empty 200 to an update that was not processed is a warning, and the next
			// plan shows the difference.
			if user.warned && !user.run(step.config, step.options...) {
				t.Fatalf("%s fails without a fault:\n%s", step.name, r.summary())
			}
			injected += w.Stats().Faults
			t.Logf("%s: succeeded at run %d; %d requests, %d faults", step.name, runs, w.Stats().Total, w.Stats().Faults)
			if step.options != nil {
				step.config = nil
			}
			estate.agree(r, step.name, step.config)
		}
		t.Logf("%d objects, %d faults, %d unknown outcomes: %d objects made, %d named and imported, %d deleted as orphans",
			len(estate.first), injected, user.unknown, user.created, user.named, user.deleted)
	})
}
