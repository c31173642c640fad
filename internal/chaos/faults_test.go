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
		{Kind: testserver.FaultReplay201},
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

func TestAccEstate_faults(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 2, applyUnderFaults)
}

// applyUnderFaults creates, changes and destroys an estate while the service
// injects faults. Every other seed also enables quirks. It repeats each step
// until it succeeds and follows the instructions in the errors. After each
// step, it compares the state with the service.
func applyUnderFaults(t *testing.T, seed uint64) {
	w := acctest.Start(t)
	scale := 4
	if seed%2 == 1 {
		w.SetQuirks(seed)
		scale = 3 // pages have only 3 objects under quirks
	}
	tf := newTerraform(t, w.URL, w.AdminKey, "")
	estate := newEstate(t, w, scale)
	estate.write(tf)
	begun := time.Now()
	injected := 0
	user := operator{estate: estate, env: w, tf: tf, imported: map[string]string{}, left: map[string]bool{}}
	for _, step := range []struct {
		name    string
		options []tfexec.ApplyOption
		plan    []tfexec.PlanOption
		size    int
	}{
		{"create", nil, nil, estate.size()},
		{"change", []tfexec.ApplyOption{tfexec.Var("revision=2")}, []tfexec.PlanOption{tfexec.Var("revision=2")}, estate.size()},
		{"destroy", []tfexec.ApplyOption{tfexec.Destroy(true)}, nil, 0},
	} {
		w.ResetStats()
		w.SetFaults(faults(seed)...)
		runs := 1
		for ; ; runs++ {
			if user.run(append(step.options, tfexec.Parallelism(20))...) {
				break
			}
			if runs == 25 {
				t.Fatalf("%s still fails:\n%s", step.name, tf.summary())
			}
			w.SetFaults(faults(seed + uint64(runs))...)
		}
		w.SetFaults()
		// An empty 200 to an update that was not processed is a warning, and the next
		// plan shows the difference.
		if user.warned && !user.run(step.options...) {
			t.Fatalf("%s fails without a fault:\n%s", step.name, tf.summary())
		}
		stats := w.Stats()
		injected += stats.Faults
		t.Logf("seed %d, %s: succeeded at run %d; %d requests, %d faults, after %s", seed, step.name, runs, stats.Total, stats.Faults, time.Since(begun).Round(time.Second))
		if a := estate.agreement(w, tf); !a.perfect(step.size) {
			t.Fatalf("after %s: %s\n%s", step.name, a, tf.summary())
		}
		if step.size > 0 {
			tf.ExpectNoChanges(t, step.plan...)
		}
	}
	t.Logf("seed %d: %d objects created, changed and destroyed; %d faults injected; %d unknown outcomes: %d objects made, %d named and imported, %d deleted as orphans; 0 duplicates, 0 mismatches",
		seed, estate.size(), injected, user.unknown, user.created, user.named, user.deleted)
}
