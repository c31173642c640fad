package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// ipPolicy is a named group of IP policy rules.
type ipPolicy struct{ common }

const (
	ipPolicyPath                           = "/ip_policies"
	ipPolicyTable store.TableOf[*ipPolicy] = "ip_policies"
)

func (s *Service) ipPolicies() engine.Collection[*ipPolicy] {
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
