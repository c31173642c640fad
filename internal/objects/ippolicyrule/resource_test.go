package ippolicyrule_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_ip_policy_rule.test"

func TestAccIPPolicyRule_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	policy := fmt.Sprintf("ip_policy_id = %q", w.Create("/ip_policies", `{}`))
	rule := func(more ...string) string {
		return acctest.Resource(address, append(more, policy, `action = "allow"`)...)
	}
	acctest.Lifecycle{
		Resource:  address,
		Full:      rule(`cidr = "192.0.2.0/24"`, `description = "Berlin"`, `metadata = "{}"`),
		IsFull:    map[string]any{"action": "allow", "cidr": "192.0.2.0/24", "description": "Berlin", "metadata": "{}"},
		Changed:   rule(`cidr = "2001:db8::/32"`, `description = "Berlin"`, `metadata = "m"`),
		IsChanged: map[string]any{"action": "allow", "cidr": "2001:db8::/32", "description": "Berlin", "metadata": "m"},
		Minimal:   rule(`cidr = "2001:db8::/32"`),
		IsMinimal: map[string]any{"action": "allow", "cidr": "2001:db8::/32", "description": "", "metadata": ""},
		Drift:     `{"cidr": "198.51.100.0/24"}`,
	}.Run(t, w)
}

// TestIPPolicyRule_many checks that hundreds of rules, which a rate limit of 120 requests
// a minute would make impossible one by one, are read with a few requests.
func TestIPPolicyRule_many(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	policy := w.Create("/ip_policies", `{}`)
	states := make([]tftypes.Value, 300)
	for i := range states {
		id := w.Create("/ip_policy_rules", fmt.Sprintf(`{"ip_policy_id": %q, "action": "allow", "cidr": "10.%d.0.0/16"}`, policy, i%256))
		states[i], _ = p.Import("tunnel_ip_policy_rule", id, nil)
	}
	p = p.NextRun()
	w.ResetStats()
	for _, state := range states {
		p.Read("tunnel_ip_policy_rule", state, nil)
	}
	if requests := w.Stats().Total; requests > 10 {
		t.Errorf("%d requests for %d rules", requests, len(states))
	}
}
