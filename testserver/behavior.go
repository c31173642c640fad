package testserver

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/faults"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/variation"
)

// behavior is how a server differs from a plain one, apart from its faults. It is
// replaced as a whole, so that each request meets one behavior.
type behavior struct {
	latency time.Duration
	limits  faults.Limits
	quirks  *variation.Quirks // nil means none
	normal  *variation.Rules  // nil means none
}

// behave changes the behavior, and the one that a reset restores.
func (s *Server) behave(change func(*behavior)) {
	s.behaving.Lock()
	defer s.behaving.Unlock()
	change(&s.startBehavior)
	s.changeBehavior(change)
}

// changeBehavior changes the behavior until the next reset.
func (s *Server) changeBehavior(change func(*behavior)) {
	changed := *s.behavior.Load()
	change(&changed)
	s.behavior.Store(&changed)
}

// resetBehavior restores the behavior of the start, and begins the rate limit and the
// sequence of quirks again.
func (s *Server) resetBehavior() {
	s.behaving.Lock()
	defer s.behaving.Unlock()
	if s.startBehavior.quirks != nil {
		s.startBehavior.quirks = s.startBehavior.quirks.Again()
	}
	s.startBehavior.limits.Clear()
	restored := s.startBehavior
	s.behavior.Store(&restored)
}

// inForce is how the server differs from a plain one.
type inForce struct {
	Faults          []faults.InForce `json:"faults"`
	Quirks          []string         `json:"quirks"`
	NormalRules     []string         `json:"normal_rules"`
	Latency         string           `json:"latency,omitempty"`
	RateLimit       string           `json:"rate_limit,omitempty"`
	MaxConcurrent   int              `json:"max_concurrent,omitempty"`
	RequireReserved bool             `json:"require_reserved,omitempty"`
}

func (s *Server) inForce() inForce {
	b := s.behavior.Load()
	found := inForce{Faults: s.injector.InForce(), Quirks: []string{}, NormalRules: []string{},
		MaxConcurrent: b.limits.Concurrent(), RequireReserved: s.requireReserved}
	if b.quirks != nil {
		found.Quirks = append(found.Quirks, b.quirks.Names()...)
	}
	if b.normal != nil {
		found.NormalRules = append(found.NormalRules, b.normal.Names()...)
	}
	if b.latency > 0 {
		found.Latency = b.latency.String()
	}
	if n, period := b.limits.Rate(); n > 0 {
		text := period.String()
		if period%time.Second == 0 {
			text = fmt.Sprintf("%ds", period/time.Second)
		}
		found.RateLimit = fmt.Sprintf("%d/%s", n, text)
	}
	return found
}

// differences says in words what another behavior has that differs from this one.
func (f inForce) differences(now inForce) string {
	var found []string
	differs := func(was, is, name string) {
		switch {
		case was == is:
		case is == "":
			found = append(found, "no "+name)
		default:
			found = append(found, name+" "+is)
		}
	}
	concurrent := func(n int) string { return strings.TrimPrefix(fmt.Sprint(n), "0") }
	differs(f.Latency, now.Latency, "latency")
	differs(f.RateLimit, now.RateLimit, "rate limit")
	differs(concurrent(f.MaxConcurrent), concurrent(now.MaxConcurrent), "limit of concurrent requests")
	differs(strings.Join(f.Quirks, ", "), strings.Join(now.Quirks, ", "), "quirks")
	differs(strings.Join(f.NormalRules, ", "), strings.Join(now.NormalRules, ", "), "normalization")
	differs(faultsInWords(f.Faults), faultsInWords(now.Faults), "faults")
	return strings.Join(found, "; ")
}

// faultsInWords returns the rules that can hit requests, each with what it is for, but
// without paths and bodies, which can hold secrets.
func faultsInWords(rules []faults.InForce) string {
	var texts []string
	for _, rule := range rules {
		text := string(rule.Rule.Kind)
		if on := strings.TrimSpace(rule.Rule.Method + " " + rule.Rule.Route); on != "" {
			text += " (" + on + ")"
		}
		if !rule.Done {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// controlBehavior returns what is in force, and the names of what can be.
func (s *Server) controlBehavior(c *engine.Call) (*engine.Answer, error) {
	known := map[string][]string{"quirks": QuirkNames(), "normal_rules": NormalRules()}
	return s.success(c, http.StatusOK, map[string]any{"in_force": s.inForce(), "known": known}), nil
}

// controlSetBehavior changes the latency, the limits, the quirks and the normal rules
// that the body names, until the next reset, and keeps the others.
func (s *Server) controlSetBehavior(c *engine.Call) (*engine.Answer, error) {
	in, err := body.Settings(c.Body)
	if err != nil {
		return nil, err
	}
	changes, err := behaviorChanges(in)
	if err != nil {
		return nil, err
	}
	s.behaving.Lock()
	defer s.behaving.Unlock()
	err = s.switched(c, func() error {
		s.changeBehavior(func(b *behavior) {
			for _, change := range changes {
				change(b)
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.controlBehavior(c)
}

// behaviorChanges reads the changes that a body describes.
func behaviorChanges(in *body.Object) (changes []func(*behavior), err error) {
	latency, rate, concurrent := in.Text("latency"), in.Text("rate_limit"), in.Number("max_concurrent")
	quirks, rules := in.Texts("quirks"), in.Texts("normal_rules")
	in.RefuseUnknown()
	if latency != nil {
		d, err := faults.ParseLatency(*latency)
		in.Rule(err == nil, "latency", "%v", err)
		changes = append(changes, func(b *behavior) { b.latency = d })
	}
	if rate != nil {
		n, period, err := faults.ParseRate(*rate)
		in.Rule(err == nil || *rate == "", "rate_limit", `expected a number and a duration such as "120/60s", or "" for no limit`)
		changes = append(changes, func(b *behavior) {
			if b.limits.RemoveRate(); n > 0 {
				b.limits.SetRate(n, period)
			}
		})
	}
	if concurrent != nil {
		known := *concurrent >= 0 && *concurrent <= maxSwitched
		in.Rule(known, "max_concurrent", "expected 0, which means no limit, or a number up to %d", maxSwitched)
		changes = append(changes, func(b *behavior) {
			if b.limits.RemoveConcurrent(); *concurrent > 0 {
				b.limits.SetConcurrent(*concurrent)
			}
		})
	}
	if quirks != nil {
		named, err := variation.NamedQuirks(quirks...)
		in.Rule(err == nil, "quirks", "%v", err)
		changes = append(changes, func(b *behavior) { b.quirks = named })
	}
	if rules != nil {
		chosen, err := variation.Named(rules...)
		in.Rule(err == nil, "normal_rules", "%v", err)
		changes = append(changes, func(b *behavior) { b.normal = &chosen })
	}
	return changes, in.End()
}

// maxSwitched is the highest limit of concurrent requests that can be switched on.
const maxSwitched = 1_000_000

// switched runs what changes the behavior or the faults for a control request, and adds
// an entry to the request log that says what has changed.
func (s *Server) switched(c *engine.Call, change func() error) error {
	before := s.inForce()
	if err := change(); err != nil {
		return err
	}
	if note := before.differences(s.inForce()); note != "" {
		s.note(c, &engine.Answer{Status: http.StatusOK}, note)
	}
	return nil
}

// note adds an entry about a control request to the request log.
func (s *Server) note(c *engine.Call, a *engine.Answer, note string) {
	entry := s.logEntry(c, a, "")
	entry.Note = note
	s.requestLog.note(entry)
}
