package chaos

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// faults returns rules with all kinds of faults that together hit about a fifth
// of all requests.
func faults(seed uint64) []testserver.Rule {
	rules := []testserver.Rule{
		{Behavior: "delay=200ms"},
		{Behavior: "delay=1500ms"}, // longer than the request timeout
		{Behavior: "429=0"},
		{Behavior: "429=date"},
		{Behavior: "429=none"},
		{Behavior: "500"},
		{Behavior: "html_before"},
		{Behavior: "503=1"},
		{Behavior: "504"},
		{Behavior: "500_after"},
		{Behavior: "html=502"},
		{Behavior: "503_after"},
		{Behavior: "504_after"},
		{Behavior: "reset_before"},
		{Behavior: "reset_during"},
		{Behavior: "reset_during=300ms"},
		{Behavior: "reset_after"},
		{Behavior: "truncate"},
		{Behavior: "html"},
		{Behavior: "html_before"},
		{Behavior: "html_before=200"},
		{Behavior: "content_type"},
		{Behavior: "empty"},
		{Behavior: "endless"},
		{Behavior: "endless=100ms"},
		{Behavior: "lag=2s"},
		{Behavior: "404", Count: 1},
		{Behavior: "404"},
		{Behavior: "redirect"},
		{Behavior: "short_list"},
		{Behavior: "clock_skew=90s"},
	}
	// An empty 200 means that a DELETE is done.
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut} {
		rules = append(rules, testserver.Rule{Behavior: "empty_before=200", Method: method})
	}
	// A rule applies only to requests that no earlier rule hits. The last two apply
	// only to some requests.
	for i := range rules {
		rules[i].Seed = seed*1000 + uint64(i)
		rules[i].Probability = 0.005
		switch {
		case strings.HasPrefix(rules[i].Behavior, "429"):
			rules[i].Probability = 0.003 // a 429 delays all requests, not only one
		case rules[i].Method == http.MethodPut:
			rules[i].Probability = 0.1 // so that each estate has a warning
		}
	}
	return rules
}

// TestAccEstate_faults creates, changes and destroys an estate while the service injects
// faults. Every other seed also chooses other behavior. It repeats each step until it
// succeeds and follows the instructions in the errors. After each step, it compares the
// state with the service.
func TestAccEstate_faults(t *testing.T) {
	t.Parallel()
	eachSeed(t, 2, 2, func(t *testing.T, seed uint64) {
		var options []testserver.Option
		if seed%2 == 1 {
			options = append(options, testserver.WithBehavior(fmt.Sprint("seed=", seed)))
		}
		w := acctest.Start(t, options...)
		estate, r := newEstate(t, w, 2, acctest.Kinds), newRealTerraform(t, w)
		r.arguments["request_timeout"] = "1s"
		user, injected := newOperator(estate, r), 0
		for _, step := range []struct {
			name    string
			config  map[string]resourceConfig
			options []tfexec.ApplyOption
		}{{"create", estate.first, nil}, {"change", estate.second, nil}, {"destroy", estate.second, []tfexec.ApplyOption{tfexec.Destroy(true)}}} {
			w.ResetStats()
			w.SetRules(faults(seed)...)
			runs := 1
			for ; !user.run(step.config, append(step.options, tfexec.Parallelism(20))...); runs++ {
				if runs == 25 {
					t.Fatalf("%s still fails:\n%s", step.name, r.summary())
				}
				w.SetRules(faults(seed + uint64(runs))...)
			}
			// An empty 200 to an update that was not processed is a warning, and the next
			// plan shows the difference.
			if user.warned && !user.run(step.config, step.options...) {
				t.Fatalf("%s fails without a fault:\n%s", step.name, r.summary())
			}
			failures := w.Stats().Failures
			for _, n := range failures {
				injected += n
			}
			t.Logf("%s: succeeded at run %d; %d requests, failures: %v", step.name, runs, w.Stats().Total, failures)
			if step.options != nil {
				step.config = nil
			}
			estate.agree(r, step.name, step.config)
		}
		t.Logf("%d objects, %d faults, %d unknown outcomes: %d objects made, %d named and imported, %d deleted as orphans",
			len(estate.first), injected, user.unknown, user.created, user.named, user.deleted)
	})
}
