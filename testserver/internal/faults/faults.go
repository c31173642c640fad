// Package faults makes requests fail, and limits their rate: fault rules, what
// they do to a request and its response, and the limits. It uses engine, which it
// stands in front of as a hook, and store, body, variation and problem. Kinds of
// objects must stay out: a rule names a route.
package faults

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Kind is the effect of a fault.
type Kind string

// The kinds of faults. The constants with these values in package testserver say
// what they do.
const (
	Delay Kind = "delay"
	Slow  Kind = "slow"

	Hold      Kind = "hold"
	HoldAfter Kind = "hold_after"

	Error429 Kind = "429"
	Error500 Kind = "500"
	Error502 Kind = "502"
	Error503 Kind = "503"
	Error504 Kind = "504"

	Error500After Kind = "500_after"
	Error502After Kind = "502_after"
	Error503After Kind = "503_after"
	Error504After Kind = "504_after"

	ResetBefore Kind = "reset_before"
	ResetDuring Kind = "reset_during"
	ResetAfter  Kind = "reset_after"

	Truncate    Kind = "truncate"
	HTML        Kind = "html"
	ContentType Kind = "content_type"
	Empty       Kind = "empty"
	Endless     Kind = "endless"

	ResetStreamAfter Kind = "reset_stream_after"

	Redirect  Kind = "redirect"
	LostRoute Kind = "lost_route"

	Lag          Kind = "lag"
	LagGet       Kind = "lag_get"
	LagList      Kind = "lag_list"
	EmptyReplica Kind = "empty_replica"

	StalePage Kind = "stale_page"
	ShortList Kind = "short_list"

	NotFoundAfterCreate Kind = "not_found_after_create"
	NotFoundOnce        Kind = "not_found_once"

	Replay201 Kind = "replay_201"

	ClockSkew Kind = "clock_skew"
)

// Fault is a rule that defines which requests get a fault, and which fault. If
// several rules match, the first one that hits the request applies.
type Fault struct {
	Method string // for example "POST"; empty matches any method
	Route  string // route in the API documentation, can end in *; empty matches any route
	Path   string // literal path, for example /ssh_credentials/sshcr_2abc; empty matches any path
	Body   string // JSON object whose members the body of the request must have; empty matches any body
	Kind   Kind   // "fault" in JSON

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
	Code       string        // for ResetStreamAfter: one of the keys of resetCodes; defaults to "protocol_error"
}

// Injector applies fault rules to the requests of clients.
type Injector struct {
	api       *engine.API
	finish    func(*engine.Call, *engine.Answer, Kind) *engine.Answer // logs a response before it is sent; nil means that there is none
	creations creations
	holding   holding

	mutex sync.Mutex
	rules []*faultState
}

// NewInjector returns an injector without rules.
func NewInjector(api *engine.API, finish func(*engine.Call, *engine.Answer, Kind) *engine.Answer) *Injector {
	return &Injector{api: api, finish: finish}
}

// faultState is a rule with its counters.
type faultState struct {
	Fault
	matched uint64
	hits    int
	pages   sync.Map // for StalePage: cached responses by URL
}

// activeFault is a rule that hit a request.
type activeFault struct {
	*Injector
	rule *faultState
}

// Use replaces the rules, and releases what the old ones hold.
func (f *Injector) Use(rules []Fault) error {
	err := f.use(rules, false)
	if err == nil {
		f.Release()
	}
	return err
}

// Add adds rules after those in force, which keep their counters. It drops those that
// are done, so that they do not pile up.
func (f *Injector) Add(rules []Fault) error { return f.use(rules, true) }

func (f *Injector) use(rules []Fault, add bool) error {
	states := make([]*faultState, 0, len(rules))
	for _, rule := range rules {
		if err := rule.validate(f.api.Routes); err != nil {
			return err
		}
		states = append(states, newFaultState(rule, f.api.Routes))
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if add {
		states = slices.Concat(slices.DeleteFunc(slices.Clone(f.rules), (*faultState).done), states)
	}
	keep := time.Duration(0)
	for _, rule := range states {
		if pastKinds[rule.Kind] {
			keep = max(keep, rule.Delay)
		}
	}
	f.api.Store.KeepPast(keep)
	f.rules = states
	return nil
}

// InForce is a rule with the number of requests that it matched and hit.
type InForce struct {
	Rule    Fault  `json:"rule"`
	Matched uint64 `json:"matched"`
	Hits    int    `json:"hits"`
	Done    bool   `json:"done,omitempty"` // it can hit no more requests
}

// InForce returns the rules with their counters.
func (f *Injector) InForce() []InForce {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	rules := []InForce{}
	for _, rule := range f.rules {
		rules = append(rules, InForce{rule.Fault, rule.matched, rule.hits, rule.done()})
	}
	return rules
}

// pick returns the rule that hits a request, or nil if none does.
func (f *Injector) pick(c *engine.Call) *activeFault {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var hit *activeFault
	for _, rule := range f.rules {
		if !rule.matches(c, f.api.BasePath) {
			continue
		}
		rule.matched++
		if hit == nil && rule.hitsNow() {
			rule.hits++
			hit = &activeFault{Injector: f, rule: rule}
		}
	}
	return hit
}

// newFaultState applies the defaults of the kind to a rule.
func newFaultState(rule Fault, api engine.Routes) *faultState {
	switch {
	case rule.Kind == NotFoundOnce && rule.Count == 0:
		rule.Count = 1
	case rule.Kind == LostRoute && rule.Route == "":
		lists := slices.DeleteFunc(slices.Clone(api), func(e *engine.Endpoint) bool { return !e.IsList() })
		rule.Route = lists[rand.New(rand.NewPCG(rule.Seed, 0)).IntN(len(lists))].Pattern + "*"
	}
	return &faultState{Fault: rule}
}

// release undoes a hit that did not change the response, for example of
// NotFoundAfterCreate on an object that is not new.
func (a *activeFault) release() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.rule.hits--
}

func (r *faultState) matches(c *engine.Call, basePath string) bool {
	if r.Path != "" && r.Path != strings.TrimPrefix(c.Request.URL.Path, basePath) || !r.hasBody(c.Body) {
		return false
	}
	if r.Method != "" && !strings.EqualFold(r.Method, c.Request.Method) || !engine.MatchesRoute(r.Route, c.Endpoint.Pattern) {
		return false
	}
	can := kindTraits[r.Kind].hits
	return can == nil || can(c)
}

// hasBody reports whether a body has the members of the rule.
func (r *faultState) hasBody(sent []byte) bool {
	if r.Body == "" {
		return true
	}
	var wanted, members map[string]any
	if json.Unmarshal([]byte(r.Body), &wanted) != nil || json.Unmarshal(sent, &members) != nil {
		return false
	}
	for name, value := range wanted {
		if !reflect.DeepEqual(value, members[name]) {
			return false
		}
	}
	return true
}

// done reports whether a rule can hit no more requests.
func (r *faultState) done() bool {
	limit := r.Count
	if limit == 0 && r.Nth > 0 {
		limit = 1
	}
	return limit > 0 && r.hits >= limit
}

func (r *faultState) hitsNow() bool {
	if r.matched < uint64(max(r.Nth, 1)) || r.done() {
		return false
	}
	return r.Probability == 0 || rand.New(rand.NewPCG(r.Seed, r.matched)).Float64() < r.Probability
}
