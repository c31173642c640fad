package testserver

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// breaking is a service that does the opposite of what some rules expect: it accepts
// what it should refuse, and refuses what it should accept. Nothing else changes.
func breaking(broken func(conformance.Rule) bool) func(*Server) http.Handler {
	return around("", "", func(s *Server, r *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
		rule := conformance.RuleOf(r.Context())
		if rule.Name == "" || !broken(rule) {
			return serve()
		}
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", "application/json")
		operation := inner(s, http.MethodGet, "/unknown", "").Header().Get("Tunnel-Operation-Id")
		w.Header().Set("Tunnel-Operation-Id", operation)
		if rule.Status >= http.StatusBadRequest {
			w.WriteHeader(http.StatusOK)
			_, _ = w.WriteString("{}")
			return w
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(w, `{"error_code":"ERR_TUNNEL_409","status_code":409,"msg":"no","details":{"operation_id":%q}}`, operation)
		return w
	})
}

// parts is how many services share the rules that have a request of their own.
const parts = 2

// TestConformance_eachRuleIsBroken checks, for each rule, that a service which breaks it
// is seen, and nothing else is said about it. Rules that have a request of their own are
// broken one by one; the others need one of the strangers.
func TestConformance_eachRuleIsBroken(t *testing.T) {
	t.Parallel()
	var rules []string
	for _, result := range allVariants(t).Results {
		rules = append(rules, result.Name())
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	broken := &names{all: map[string]bool{}}
	t.Run("requests", func(t *testing.T) {
		for part := range parts {
			t.Run(fmt.Sprint(part), func(t *testing.T) {
				t.Parallel()
				breakRequests(t, broken, func(rule string) bool { n, known := slices.BinarySearch(rules, rule); return known && n%parts == part })
			})
		}
	})
	t.Run("strangers", func(t *testing.T) {
		for name, one := range allStrangers() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				one.run(t, broken)
			})
		}
	})
	var without []string
	for _, rule := range rules {
		if !broken.all[afterComma(rule)] {
			without = append(without, rule)
		}
	}
	t.Logf("%d rules, %d without a service that breaks them", len(rules), len(without))
	if len(without) > 0 {
		t.Errorf("no service breaks these rules; add one to strangers: %s", strings.Join(without, "; "))
	}
}

// names are the names of rules that a service breaks, of any kind.
type names struct {
	mutex sync.Mutex
	all   map[string]bool
}

// add adds the rules of a result. One result can be about many rules.
func (n *names) add(result conformance.Result) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for _, rule := range append(result.Rules, result.Name()) {
		n.all[afterComma(rule)] = true
	}
}

func afterComma(rule string) string {
	_, name, _ := strings.Cut(rule, ", ")
	return name
}

// breakRequests breaks the rules that have a request of their own.
func breakRequests(t *testing.T, broken *names, isBroken func(rule string) bool) {
	t.Helper()
	s, seen := New(), map[string]bool{}
	run := newConformance(s, breaking(func(rule conformance.Rule) bool {
		name := conformance.Result{Method: rule.Method, Route: rule.Route, Rule: rule.Name}.Name()
		if isBroken(name) {
			seen[name] = true
		}
		return seen[name]
	})(s))
	if err := run.All(); err != nil {
		t.Error(err)
	}
	found := map[string]bool{}
	for _, result := range run.Differences() {
		broken.add(result)
		rules := result.Rules
		if len(rules) == 0 {
			rules = []string{result.Name()}
		}
		for _, rule := range rules {
			if found[rule] = true; !seen[rule] {
				t.Errorf("a wrong statement about %s: %s", rule, result)
			}
		}
	}
	for rule := range seen {
		if !found[rule] {
			t.Errorf("it was not found: %s", rule)
		}
	}
}
