package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// ipRestriction is the module of an edge or route that lets only connections pass that
// its IP policies allow.
type ipRestriction struct {
	Enabled   bool     `json:"enabled"`
	PolicyIDs []string `json:"ip_policy_ids"`
}

func (r *ipRestriction) Refers() []string {
	if r == nil {
		return nil
	}
	return r.PolicyIDs
}

// readRestriction reads the module from a request to the module, the edge or the route.
func (s *Service) readRestriction(in *body.Object) *ipRestriction {
	restriction := &ipRestriction{
		Enabled: orExisting(in.Flag("enabled"), true), PolicyIDs: orEmpty(in.References("ip_policy_ids", "ip_policies")),
	}
	listed := map[string]bool{}
	for i, id := range restriction.PolicyIDs {
		field := body.Element("ip_policy_ids", i)
		s.checkIPPolicy(in, field, id)
		in.Rule(!listed[id], field, "duplicate IP policy %s", problem.Printable(id))
		listed[id] = true
	}
	return restriction
}

// showRestriction returns the JSON form of the module, or nil if it is not set.
func (s *Service) showRestriction(c *engine.Call, restriction *ipRestriction) any {
	if restriction == nil {
		return nil
	}
	return struct {
		Enabled    bool        `json:"enabled"`
		IPPolicies []reference `json:"ip_policies"`
	}{restriction.Enabled, referencesTo(c, ipPolicyPath, restriction.PolicyIDs)}
}

// restrictionOf returns the module of edges or routes. place returns its field.
func restrictionOf[P store.Item](s *Service, owner engine.Collection[P], place func(P) **ipRestriction) engine.Module[P, ipRestriction] {
	return engine.Module[P, ipRestriction]{
		Name: "ip_restriction", Noun: "IP restriction", Owner: owner, Read: s.readRestriction, Place: place, View: s.showRestriction,
	}
}
