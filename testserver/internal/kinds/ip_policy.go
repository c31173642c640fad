package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// ipPolicy is a named group of IP policy rules.
type ipPolicy struct{ common }

const (
	ipPolicyPath                           = "/ip_policies"
	ipPolicyTable store.TableOf[*ipPolicy] = "ip_policies"
)

// checkIPPolicy refuses the id of an IP policy that does not exist.
func (s *Service) checkIPPolicy(in *body.Object, field, id string) {
	_, exists := ipPolicyTable.In(s.store).Get(id)
	in.Rule(exists, field, "IP policy %s does not exist", problem.Printable(id))
}

func ipPolicies(s *Service) engine.Collection[*ipPolicy] {
	return engine.Collection[*ipPolicy]{
		Path:   ipPolicyPath,
		Prefix: "ipp_",
		Field:  "ip_policies",
		Noun:   "IP policy",
		Table:  ipPolicyTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*ipPolicy, error) { return &ipPolicy{newCommon(c, in)}, nil },
		Update: updated[ipPolicy],
	}
}
