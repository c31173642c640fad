package testserver

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Behavior is one way in which a service may act that differs from the default.
type Behavior = behavior.Behavior

// Rule applies a behavior to the requests that meet its conditions. A request meets all
// limits, choices, values and delays whose rules match, but only the first other failure.
type Rule = behavior.Rule

// Behaviors returns all behaviors, or those of some groups: failures, limits, choices
// and values.
func Behaviors(groups ...string) []Behavior { return behavior.All(groups...) }

// ParseRules reads rules from JSON: a list of rules and of names.
func ParseRules(data []byte) ([]Rule, error) {
	return behavior.Parse(data, kinds.Routes())
}

// WithBehavior makes the server act differently from the start. A name can have a value,
// such as "delay=20ms", and "seed=7" is a reproducible choice of what the API
// documentation leaves open. See [Behaviors]. [New] panics if a name is unknown.
func WithBehavior(names ...string) Option { return WithRules(named(names)...) }

// WithRules is like [WithBehavior] with conditions.
func WithRules(rules ...Rule) Option {
	return func(s *Server) { s.startRules = append(s.startRules, rules...) }
}

// SetBehavior is like [Server.SetRules] with names. Without names, only the behavior of
// the start is left.
func (s *Server) SetBehavior(names ...string) { s.SetRules(named(names)...) }

// SetRules replaces all rules but those of the start until [Server.Reset], and releases
// held requests. An invalid rule fails the test, or panics if the server was created with
// [New].
func (s *Server) SetRules(rules ...Rule) {
	s.must(s.behavior.Use(slices.Concat(s.startRules, rules)))
}

func named(names []string) []Rule {
	if len(names) == 0 {
		return nil
	}
	return behavior.Named(strings.Join(names, ","))
}

// RulesInForce returns the rules with the names that a seed has chosen.
func (s *Server) RulesInForce() []Rule {
	var rules []Rule
	for _, state := range s.behavior.InForce() {
		rules = append(rules, state.Rule)
	}
	return rules
}

// HeldRequest is a request that the behavior hold holds.
type HeldRequest = behavior.Held

// Held returns the requests that are held, oldest first. If there are none, it waits for
// one until the context ends.
func (s *Server) Held(ctx context.Context) []HeldRequest { return s.behavior.Held(ctx) }

// Release lets the held requests go on, and returns how many they are.
func (s *Server) Release() int { return s.behavior.Release() }

// heldWait is how long a request for the held requests waits at most.
const heldWait = 30 * time.Second

// controlHeld returns the requests that are held. If there are none, it waits for one.
func (s *Server) controlHeld(c *engine.Call) (*engine.Answer, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), heldWait)
	defer cancel()
	held := s.Held(ctx)
	if held == nil {
		held = []HeldRequest{}
	}
	return s.success(c, http.StatusOK, map[string]any{"held": held}), nil
}

// controlRelease releases the held requests.
func (s *Server) controlRelease(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]int{"released": s.Release()}), nil
}

// controlBehavior returns the rules in force with their counters, and all behaviors.
func (s *Server) controlBehavior(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]any{"rules": s.behavior.InForce(), "known": Behaviors()}), nil
}

// controlSetBehavior replaces all rules until the next reset, or with ?add=true adds to
// them. It adds an entry to the request log that says what is in force now.
func (s *Server) controlSetBehavior(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("add")
	if err != nil {
		return nil, err
	}
	use := s.behavior.Use
	switch text := query.Get("add"); text {
	case "true":
		use = s.behavior.Add
	case "", "false":
	default:
		return nil, problem.Invalid("add", "invalid add: expected true or false; found %s", problem.Printable(text))
	}
	rules, err := ParseRules(c.Body)
	if err != nil {
		return nil, problem.Invalid("", "%v", err)
	}
	s.switching.Lock()
	defer s.switching.Unlock()
	before := s.inWords()
	if err := use(rules); err != nil {
		return nil, err
	}
	if now := s.inWords(); now != before {
		s.log.Note(c, &engine.Answer{Status: http.StatusOK}, "behavior: "+now)
	}
	return s.controlBehavior(c)
}

// inWords returns the rules that can hit requests, without paths and bodies, which can
// hold secrets.
func (s *Server) inWords() string {
	var texts []string
	for _, state := range s.behavior.InForce() {
		text := state.Rule.Behavior
		if on := strings.TrimSpace(state.Rule.Method + " " + state.Rule.Route); on != "" {
			text += " (" + on + ")"
		}
		if !state.Done {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return "the default"
	}
	return strings.Join(texts, ", ")
}
