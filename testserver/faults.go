package testserver

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// FaultKind is the effect of a fault.
type FaultKind string

// The kinds of faults. "After" means that the request is processed and its
// response is lost or replaced. Other errors and resets do not process the
// request, except for FaultResetDuring.
const (
	FaultDelay FaultKind = "delay" // the request is processed after the delay
	FaultSlow  FaultKind = "slow"  // the request is processed at once, and the response is delayed

	Fault429 FaultKind = "429"
	Fault500 FaultKind = "500"
	Fault502 FaultKind = "502"
	Fault503 FaultKind = "503"
	Fault504 FaultKind = "504"

	Fault500After FaultKind = "500_after"
	Fault502After FaultKind = "502_after"
	Fault503After FaultKind = "503_after"
	Fault504After FaultKind = "504_after"

	FaultResetBefore FaultKind = "reset_before" // the connection is reset (TCP RST) without a response
	FaultResetDuring FaultKind = "reset_during" // the connection is reset, and the request is processed after the delay
	FaultResetAfter  FaultKind = "reset_after"

	FaultTruncate    FaultKind = "truncate"     // the connection closes in the middle of the body
	FaultHTML        FaultKind = "html"         // an HTML page of a proxy instead of JSON
	FaultContentType FaultKind = "content_type" // the correct body with the content type text/plain
	FaultEmpty       FaultKind = "empty"        // no body
	FaultEndless     FaultKind = "endless"      // a body that never ends

	FaultResetStreamAfter FaultKind = "reset_stream_after" // HTTP/2: the request is processed and its stream is reset with Code

	FaultRedirect  FaultKind = "redirect"   // a redirect to a path that returns 404
	FaultLostRoute FaultKind = "lost_route" // 404, as if the route did not exist

	FaultLag          FaultKind = "lag"           // a GET returns the state of the given delay ago
	FaultLagGet       FaultKind = "lag_get"       // the same, only for a GET of an object or module
	FaultLagList      FaultKind = "lag_list"      // the same, only for a GET of a list
	FaultEmptyReplica FaultKind = "empty_replica" // a GET returns the state of an account without objects

	FaultStalePage FaultKind = "stale_page" // a cached list response, up to the given delay old
	FaultShortList FaultKind = "short_list" // list elements without some members

	FaultNotFoundAfterCreate FaultKind = "not_found_after_create" // GET by id returns 404 until the delay after creation has passed
	FaultNotFoundOnce        FaultKind = "not_found_once"         // 404 for an object or module that exists

	FaultReplay201  FaultKind = "replay_201"  // the 201 of an earlier POST to the same path
	FaultForeign201 FaultKind = "foreign_201" // the request is processed, and the 201 contains an object of another client

	FaultClockSkew FaultKind = "clock_skew" // Date differs by the given delay from the clock of created_at
)

// Fault is a rule that defines which requests get a fault, and which fault. If
// several rules match, the first one that hits the request applies.
type Fault struct {
	Method string    // for example "POST"; empty matches any method
	Route  string    // route in the API documentation, can end in *; empty matches any route
	Kind   FaultKind // "fault" in JSON

	// Each rule counts the requests that it matches. Starting with the Nth (0 means
	// 1), each request is hit with the given Probability (0 means 1), which depends
	// only on Seed and the number of the request. Count limits the hits (0 means 1
	// if Nth is set, and no limit otherwise).
	Nth         int
	Probability float64
	Count       int
	Seed        uint64

	Delay      time.Duration // delay before the response; for some kinds an age or a difference, see above
	RetryAfter string        // for errors: "seconds", "date", "none" or a literal value; defaults to "seconds" for 429
	Before     bool          // for broken responses: return an error instead of processing the request
	Status     int           // for broken responses; defaults to the real status, or to 502 with Before. For redirects; defaults to 307
	Code       string        // for FaultResetStreamAfter: one of the keys of resetCodes; defaults to "protocol_error"
}

// injector applies fault rules to the requests of clients.
type injector struct {
	api       *api
	finish    func(*call, *answer, FaultKind) *answer // logs a response before it is sent; nil means that there is none
	creations creations

	mutex sync.Mutex
	rules []*faultState
}

// newInjector returns an injector without rules.
func newInjector(api *api, finish func(*call, *answer, FaultKind) *answer) *injector {
	return &injector{api: api, finish: finish}
}

// faultState is a rule with its counters.
type faultState struct {
	Fault
	matched uint64
	hits    int
	pages   sync.Map // for FaultStalePage: cached responses by URL
}

// activeFault is a rule that hit a request.
type activeFault struct {
	*injector
	rule *faultState
}

// use replaces the rules.
func (f *injector) use(rules []Fault) error {
	states := make([]*faultState, 0, len(rules))
	keep := time.Duration(0)
	for _, rule := range rules {
		if err := rule.validate(f.api.routes); err != nil {
			return err
		}
		if pastKinds[rule.Kind] {
			keep = max(keep, rule.Delay)
		}
		states = append(states, newFaultState(rule, f.api.routes))
	}
	f.api.store.keepPast(keep)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.rules = states
	return nil
}

// pick returns the rule that hits a request, or nil if none does.
func (f *injector) pick(c *call) *activeFault {
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
			hit = &activeFault{injector: f, rule: rule}
		}
	}
	return hit
}

// newFaultState applies the defaults of the kind to a rule.
func newFaultState(rule Fault, api routes) *faultState {
	switch {
	case rule.Kind == FaultNotFoundOnce && rule.Count == 0:
		rule.Count = 1
	case rule.Kind == FaultLostRoute && rule.Route == "":
		lists := slices.DeleteFunc(slices.Clone(api), func(e *endpoint) bool { return !e.isList() })
		rule.Route = lists[rand.New(rand.NewPCG(rule.Seed, 0)).IntN(len(lists))].pattern + "*"
	}
	return &faultState{Fault: rule}
}

// release undoes a hit that did not change the response, for example of
// FaultNotFoundAfterCreate on an object that is not new.
func (a *activeFault) release() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.rule.hits--
}

func (r *faultState) matches(c *call) bool {
	if r.Method != "" && !strings.EqualFold(r.Method, c.request.Method) || !matchesRoute(r.Route, c.endpoint.pattern) {
		return false
	}
	can := faultKinds[r.Kind].hits
	return can == nil || can(c)
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
