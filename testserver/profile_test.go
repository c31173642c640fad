package testserver

import (
	"context"
	"slices"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/variation"
)

// profileOf probes a server, which is left as it was.
func profileOf(t *testing.T, options ...Option) *conformance.Profile {
	t.Helper()
	s := New(options...)
	before := string(s.Export())
	run := newConformance(s, s, func(c *conformance.Config) { c.Mark = "tunnel-verify-abcdefghijklmnop" })
	profile, err := run.Profile("test")
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Clean(context.Background()); err != nil {
		t.Error(err)
	}
	if after := string(s.Export()); after != before {
		t.Errorf("the account has changed:\n%s", diffLines(before, after))
	}
	return profile
}

// unobservable are the names that no request of a user shows on the test server.
var unobservable = []string{variation.NoRetryAfter, variation.TunnelsVary}

func TestProfile_defaultServerHasNone(t *testing.T) {
	t.Parallel()
	p := profileOf(t)
	if len(p.Quirks)+len(p.Rules) > 0 {
		t.Errorf("quirks %q, rules %q", p.Quirks, p.Rules)
	}
	for name, why := range p.Unknown {
		if !slices.Contains(unobservable, name) {
			t.Errorf("%s is unknown: %s", name, why)
		}
	}
}

// like returns the options of a server with quirks and rules.
func like(quirks, rules []string) []Option {
	return []Option{WithNamedQuirks(quirks...), WithNormalRules(rules...)}
}

func TestProfile_eachSingleName(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(QuirkNames(), NormalRules()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var quirks, rules []string
			if slices.Contains(QuirkNames(), name) {
				quirks = []string{name}
			} else {
				rules = []string{name}
			}
			p := profileOf(t, like(quirks, rules)...)
			if slices.Contains(unobservable, name) {
				quirks, rules = nil, nil
			}
			equal(t, "quirks", p.Quirks, append([]string{}, quirks...))
			equal(t, "rules", p.Rules, append([]string{}, rules...))
		})
	}
}

// TestProfile_randomSeeds probes servers with random quirks and rules. What it
// decides is right, it decides most, and a server like the profile has the same
// profile.
func TestProfile_randomSeeds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		var quirks, rules []string
		for _, name := range QuirkNames() {
			more := append(slices.Clone(quirks), name)
			if _, excluded := variation.NamedQuirks(more...); variation.Drawn(name, seed, 3) && excluded == nil {
				quirks = more
			}
		}
		for _, name := range NormalRules() {
			if variation.Drawn(name, seed, 3) {
				rules = append(rules, name)
			}
		}
		p := profileOf(t, like(quirks, rules)...)
		decided := p.Decided()
		for name, has := range decided {
			if has != (slices.Contains(quirks, name) || slices.Contains(rules, name)) {
				t.Errorf("seed %d: %s is %v; quirks %q, rules %q", seed, name, has, quirks, rules)
			}
		}
		if all := len(QuirkNames()) + len(NormalRules()); len(decided) < all/2 {
			t.Errorf("seed %d: only %d of %d are decided: %v", seed, len(decided), all, p.Unknown)
		}
		equal(t, "profile of a server like it", profileOf(t, like(p.Quirks, p.Rules)...).Differences(p), []string(nil))
	}
}

// TestProfile_variantsOfSeeds probes servers with the seeds of -quirks and
// -normalize, where responses to the same request differ. What it decides about
// the rules, and about the quirks of the whole server, is right.
func TestProfile_variantsOfSeeds(t *testing.T) {
	t.Parallel()
	whole := []string{
		variation.OldestFirst, variation.SmallPages, variation.BackendsKept, variation.UnsetDelete404, variation.Forbidden,
		variation.EmptyBody, variation.RouteDescription, variation.KeyAsSent, variation.DenyConfig, variation.UnknownFields,
		variation.TimesVary,
	}
	for seed := range uint64(30) {
		p := profileOf(t, WithQuirks(seed), WithNormalizer(seed))
		for name, has := range p.Decided() {
			isRule := slices.Contains(NormalRules(), name)
			if isRule && has != variation.Drawn(name, seed, 3) || slices.Contains(whole, name) && !has {
				t.Errorf("seed %d: %s is %v", seed, name, has)
			}
		}
	}
}
