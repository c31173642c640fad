package testserver

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind string

// The kinds of faults. "After" means that the request was processed in full and only its answer is lost or replaced;
// otherwise, errors and resets come before any processing.
const (
	FaultDelay FaultKind = "delay" // the request is processed, and answered, a delay later
	FaultSlow  FaultKind = "slow"  // the request is processed at once and answered a delay later

	Fault429 FaultKind = "429"
	Fault500 FaultKind = "500"
	Fault502 FaultKind = "502"
	Fault503 FaultKind = "503"
	Fault504 FaultKind = "504"

	Fault500After FaultKind = "500_after"
	Fault502After FaultKind = "502_after"
	Fault503After FaultKind = "503_after"
	Fault504After FaultKind = "504_after"

	FaultResetBefore FaultKind = "reset_before" // the connection is reset (TCP RST) without an answer
	FaultResetDuring FaultKind = "reset_during" // the connection is reset first, and the request processed a delay later
	FaultResetAfter  FaultKind = "reset_after"

	FaultTruncate    FaultKind = "truncate"     // the connection ends in the middle of the body
	FaultHTML        FaultKind = "html"         // a proxy's HTML page instead of JSON
	FaultContentType FaultKind = "content_type" // the right body as text/plain
	FaultEmpty       FaultKind = "empty"        // no body
	FaultEndless     FaultKind = "endless"      // a body that never ends

	FaultStaleList           FaultKind = "stale_list"             // a list as it was a delay ago
	FaultNotFoundAfterCreate FaultKind = "not_found_after_create" // GET by id is 404 until a delay after creation
)

// Fault is a rule: which requests are hit, and with what. The first rule of the list that hits a request decides.
type Fault struct {
	Method string    // such as "POST"; empty: any
	Route  string    // a path pattern of the API documentation, may end in *; empty: any
	Kind   FaultKind // "fault" in JSON

	// Each rule counts the requests that it matches. From the Nth on (0 is 1) it hits each with the Probability (0 is 1),
	// decided by Seed and the number of the request alone, but no more than Count (0: once if Nth is given, else no limit).
	Nth         int
	Probability float64
	Count       int
	Seed        uint64

	Delay      time.Duration // before the answer; what it means for lags and endless answers, their kinds say
	RetryAfter string        // of an error: "seconds", "date", "none" or the value itself; a 429 has seconds by default
	Before     bool          // html, content_type, empty, truncate: an error instead of processing the request
	Status     int           // of html, empty, content_type, truncate; by default the real answer's, or 502 with Before
}

// faults is the list of rules in force.
type faults struct {
	mutex sync.Mutex
	rules []*faultState
}

// faultState is a rule with what it has done so far.
type faultState struct {
	Fault
	matched uint64
	hits    int
}

// activeFault is a rule that hits one request.
type activeFault struct {
	rule  *faultState
	owner *faults
}

// SetFaults replaces the rules; without any, there are no faults. An invalid rule fails as other Go methods do.
func (s *Server) SetFaults(rules ...Fault) {
	s.must(s.useFaults(rules))
}

func (s *Server) useFaults(rules []Fault) error {
	states := make([]*faultState, 0, len(rules))
	keep := time.Duration(0)
	for _, rule := range rules {
		if err := rule.validate(); err != nil {
			return err
		}
		if rule.Kind == FaultStaleList {
			keep = max(keep, rule.Delay)
		}
		states = append(states, &faultState{Fault: rule})
	}
	s.store.keepPast(keep)
	s.faults.mutex.Lock()
	defer s.faults.mutex.Unlock()
	s.faults.rules = states
	return nil
}

// pick returns the rule that hits a request, or nil.
func (f *faults) pick(c *call) *activeFault {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var hit *activeFault
	for _, rule := range f.rules {
		if !rule.matches(c) {
			continue
		}
		rule.matched++
		if hit == nil && rule.hitsNow() {
			rule.hits++
			hit = &activeFault{rule: rule, owner: f}
		}
	}
	return hit
}

// release undoes a hit that made no difference, such as a list in which nothing was new.
func (a *activeFault) release() {
	a.owner.mutex.Lock()
	defer a.owner.mutex.Unlock()
	a.rule.hits--
}

func (r *faultState) matches(c *call) bool {
	if r.Method != "" && !strings.EqualFold(r.Method, c.request.Method) || !matchesRoute(r.Route, c.endpoint.pattern) {
		return false
	}
	switch r.Kind {
	case FaultStaleList:
		return c.request.Method == http.MethodGet && c.endpoint.isList()
	case FaultNotFoundAfterCreate:
		return c.request.Method == http.MethodGet && c.endpoint.isItem()
	}
	return true
}

func matchesRoute(route, pattern string) bool {
	if prefix, open := strings.CutSuffix(route, "*"); open {
		return strings.HasPrefix(pattern, prefix)
	}
	return route == "" || route == pattern
}

func (r *faultState) hitsNow() bool {
	limit := r.Count
	if limit == 0 && r.Nth > 0 {
		limit = 1
	}
	if r.matched < uint64(max(r.Nth, 1)) || limit > 0 && r.hits >= limit {
		return false
	}
	return r.Probability == 0 || rand.New(rand.NewPCG(r.Seed, r.matched)).Float64() < r.Probability
}
