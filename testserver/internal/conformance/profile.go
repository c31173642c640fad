package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/variation"
)

// Profile says how a service decides what the document leaves open: which quirks and
// which rules of the normalizer it has.
type Profile struct {
	Service string            `json:"service"`
	Quirks  []string          `json:"quirks"`
	Rules   []string          `json:"rules"`
	Unknown map[string]string `json:"unknown"` // why a quirk or rule could not be observed
}

// ParseProfile reads a profile. It refuses names that the test server does not know.
func ParseProfile(text []byte) (*Profile, error) {
	var p Profile
	if err := json.Unmarshal(body.FileText(text), &p); err != nil {
		return nil, fmt.Errorf("invalid profile: %w", body.InWords(err))
	}
	if p.Quirks == nil && p.Rules == nil {
		return nil, errors.New("the file is not a profile that verify -profile has written: it has neither quirks nor rules")
	}
	if _, err := variation.NamedQuirks(p.Quirks...); err != nil {
		return nil, fmt.Errorf("invalid profile: %w", err)
	}
	if _, err := variation.Named(p.Rules...); err != nil {
		return nil, fmt.Errorf("invalid profile: %w", err)
	}
	return &p, nil
}

// names returns all quirks and rules.
func names() []string {
	return slices.Concat(variation.QuirkNames(), variation.Names())
}

// findings are what probes found out, by name of a quirk or rule. A name that is
// missing was not observed.
type findings struct {
	has     map[string]bool
	unknown map[string]string
}

// decide says whether the service has a quirk or rule.
func (f *findings) decide(name string, has bool) {
	f.has[name] = has
	delete(f.unknown, name)
}

// either decides between two known answers. Anything else leaves the name unknown.
func (f *findings) either(name string, has, hasNot bool, found any) {
	if has != hasNot {
		f.decide(name, has)
		return
	}
	delete(f.has, name)
	f.unknown[name] = "found " + cut(asJSON(found))
}

// hidden says that a quirk or rule cannot be seen, because of another one.
func (f *findings) hidden(because string, names ...string) {
	for _, name := range names {
		f.unknown[name] = hiddenBy + because
	}
}

// maybe decides a quirk or rule unless another one hides it.
func (f *findings) maybe(name string, has bool, hiding ...string) {
	for _, other := range hiding {
		if seen, known := f.has[other]; seen || !known {
			f.hidden(other, name)
			return
		}
	}
	f.decide(name, has)
}

// Profile probes all open points. It sends all probes twice, and counts only what both
// times agree on. It returns why it ended early, or nil.
func (run *Run) Profile(service string) (*Profile, error) {
	first := run.probe()
	second := run.probe()
	probeLimit(run, first) // at the end, because any 429 counts
	probeLimit(run, second)
	if run.stopped != nil {
		return nil, run.stopped
	}
	p := &Profile{Service: service, Quirks: []string{}, Rules: []string{}, Unknown: map[string]string{}}
	for _, name := range names() {
		has, known := first.has[name]
		again, knownAgain := second.has[name]
		switch {
		case !known || !knownAgain:
			if p.Unknown[name] = first.unknown[name]; known {
				p.Unknown[name] = second.unknown[name]
			}
		case has != again:
			p.Unknown[name] = "two answers to the same request differ"
		case has && slices.Contains(variation.QuirkNames(), name):
			p.Quirks = append(p.Quirks, name)
		case has:
			p.Rules = append(p.Rules, name)
		}
	}
	return p, nil
}

// probe sends all probes once.
func (run *Run) probe() *findings {
	f := &findings{map[string]bool{}, map[string]string{}}
	for _, name := range names() {
		f.unknown[name] = notShown
	}
	for _, group := range probes {
		if err := group.probe(run, f); err != nil {
			for _, name := range group.names {
				if _, known := f.has[name]; !known {
					f.unknown[name] = err.Error()
				}
			}
		}
	}
	return f
}

// Reasons why a name is unknown on every service, or because of another name.
const (
	notShown   = "no request of a user shows it"
	notLimited = "the service did not answer 429"
	hiddenBy   = "hidden by "
)

// Unclear returns the names that could have been decided: the answers were none of those
// that are known, differed, or were errors.
func (p *Profile) Unclear() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.Unknown)) {
		if why := p.Unknown[name]; why != notShown && why != notLimited && !strings.HasPrefix(why, hiddenBy) {
			names = append(names, name)
		}
	}
	return names
}

// Decided returns the names that a profile decides, with whether the service has them.
func (p *Profile) Decided() map[string]bool {
	decided := map[string]bool{}
	for _, name := range names() {
		if _, unknown := p.Unknown[name]; !unknown {
			decided[name] = slices.Contains(p.Quirks, name) || slices.Contains(p.Rules, name)
		}
	}
	return decided
}

// Differences returns the names that two profiles decide differently.
func (p *Profile) Differences(other *Profile) []string {
	mine, theirs := p.Decided(), other.Decided()
	maps.DeleteFunc(mine, func(name string, has bool) bool {
		also, known := theirs[name]
		return !known || also == has
	})
	return slices.Sorted(maps.Keys(mine))
}
