package behavior

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Service serves the requests of clients by rules.
type Service struct {
	api     *engine.API
	finish  func(*engine.Call, *engine.Answer, string) *engine.Answer // logs a response before it is sent; nil means that there is none
	holding holding

	mutex sync.Mutex
	rules []*state
}

// NewService returns a service without rules. finish logs a response before it is sent,
// with the failure that has changed it; the response is nil if there is none.
func NewService(api *engine.API, finish func(*engine.Call, *engine.Answer, string) *engine.Answer) *Service {
	return &Service{api: api, finish: finish, holding: holding{arrived: make(chan struct{}), released: make(chan struct{})}}
}

// Use replaces the rules, and releases what the old ones hold.
func (s *Service) Use(rules []Rule) error {
	err := s.use(rules, false)
	if err == nil {
		s.Release()
	}
	return err
}

// Add adds rules after those in force, which keep their counters. It drops those that
// are done, so that they do not pile up.
func (s *Service) Add(rules []Rule) error { return s.use(rules, true) }

func (s *Service) use(rules []Rule, add bool) error {
	states, err := compile(rules, s.api.Routes)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if add {
		states = slices.Concat(slices.DeleteFunc(slices.Clone(s.rules), (*state).done), states)
	}
	keep := time.Duration(0)
	for _, rule := range states {
		if rule.name == "lag" {
			keep = max(keep, rule.given.delay)
		}
	}
	s.api.Store.KeepPast(keep)
	s.rules = states
	return nil
}

// InForce is a rule with the number of requests that it matched and hit.
type InForce struct {
	Rule    Rule   `json:"rule"`
	Matched uint64 `json:"matched"`
	Hits    int    `json:"hits"`
	Done    bool   `json:"done,omitempty"` // it can hit no more requests
}

// InForce returns the rules with their counters.
func (s *Service) InForce() []InForce {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	rules := []InForce{}
	for _, rule := range s.rules {
		rules = append(rules, InForce{rule.Rule, rule.matched, rule.hits, rule.done()})
	}
	return rules
}

// Off returns the assumptions about traffic that do not hold.
func (s *Service) Off() map[string]bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	off := map[string]bool{}
	for _, rule := range s.rules {
		off[rule.name] = true
	}
	return off
}

// hit is a rule that hit a request.
type hit struct {
	*Service
	*state
	number uint64 // of the request, of those that the rule matches
}

// Serve serves a request.
func (s *Service) Serve(w http.ResponseWriter, c *engine.Call) {
	var limits []*limit
	for _, h := range s.pick(c, func(d *definition) bool { return !d.fails() }) {
		if h.limit != nil {
			limits = append(limits, h.limit)
			continue
		}
		act, _ := c.Acts.(*acts)
		if act == nil {
			act = &acts{api: s.api, on: map[string]bool{}, random: rand.New(rand.NewPCG(h.Seed, h.number))}
			c.Acts = act
		}
		act.on[h.name] = true
		if h.change != nil || h.patch != nil {
			act.values = append(act.values, h.definition)
		}
	}
	done, refusal := admit(limits, c.Arrived)
	defer done()
	if refusal != nil {
		s.finish(c, s.api.Encode(c, nil, refusal), "").Send(w)
		return
	}
	name := ""
	for _, h := range s.pick(c, (*definition).fails) {
		if name = h.name; h.serve != nil {
			h.serve(h, w, c)
			return
		}
		random := rand.New(rand.NewPCG(h.Seed, h.number))
		s.api.Wait(c, h.given.delay+time.Duration(random.Int64N(int64(h.given.spread)+1)))
	}
	s.finish(c, s.api.Process(c), name).Send(w)
}

// fails reports whether a behavior is a failure.
func (d *definition) fails() bool { return d.serve != nil || d.name == "delay" }

// pick returns the rules that hit a request, of the behaviors that are asked for. After a
// failure that answers, no other one hits it.
func (s *Service) pick(c *engine.Call, asked func(*definition) bool) []*hit {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var hits []*hit
	answered := false
	for _, rule := range s.rules {
		if !asked(rule.definition) || !rule.matches(c) {
			continue
		}
		rule.matched++
		if !answered && rule.hitsNow() {
			rule.hits++
			hits = append(hits, &hit{s, rule, rule.matched})
			answered = rule.serve != nil
		}
	}
	return hits
}
