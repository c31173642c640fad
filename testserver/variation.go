package testserver

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/variation"
)

// SetQuirks enables quirks and starts the sequence of the seed from the
// beginning.
func (s *Server) SetQuirks(seed uint64) {
	s.setQuirks(variation.NewQuirks(seed))
}

// QuirkNames returns the names of all quirks for [WithNamedQuirks].
func QuirkNames() []string {
	return variation.QuirkNames()
}

// SetNamedQuirks enables the quirks with these names. Unlike with a seed, they
// apply to every response that they can change. Without names, there are no
// quirks. An unknown name fails the test, or panics if the server was created
// with [New].
func (s *Server) SetNamedQuirks(names ...string) {
	quirks, err := variation.NamedQuirks(names...)
	if err != nil {
		s.must(err)
		return
	}
	s.setQuirks(quirks)
}

// ClearQuirks disables quirks.
func (s *Server) ClearQuirks() {
	s.setQuirks(nil)
}

func (s *Server) setQuirks(quirks *variation.Quirks) {
	s.behave(func(b *behavior) { b.quirks = quirks })
}

// NormalRules returns the names of all rules for [WithNormalRules].
func NormalRules() []string {
	return variation.Names()
}

// SetNormalizer makes the server change values in its responses by the rules
// that the seed selects, about a third of all. docs/reference.md lists them.
func (s *Server) SetNormalizer(seed uint64) {
	s.setNormal(variation.Draw(seed))
}

// SetNormalRules makes the server change values in its responses by the rules
// with these names. Without names, it changes nothing. An unknown name fails
// the test, or panics if the server was created with [New].
func (s *Server) SetNormalRules(names ...string) {
	chosen, err := variation.Named(names...)
	if err != nil {
		s.must(err)
		return
	}
	s.setNormal(chosen)
}

func (s *Server) setNormal(chosen variation.Rules) {
	s.behave(func(b *behavior) { b.normal = &chosen })
}
