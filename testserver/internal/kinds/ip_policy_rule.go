package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// ipPolicyRule allows or denies a range of addresses in an IP policy.
type ipPolicyRule struct {
	common
	IPPolicyID string `json:"ip_policy_id"`
	Action     string `json:"action"`
	CIDR       string `json:"cidr"`
}

const ipPolicyRuleTable store.TableOf[*ipPolicyRule] = "ip_policy_rules"

func (r *ipPolicyRule) Refers() []string { return []string{r.IPPolicyID} }
func (r *ipPolicyRule) Label() string    { return r.Action + " " + r.CIDR }

func ipPolicyRules(s *Service) engine.Collection[*ipPolicyRule] {
	return engine.Collection[*ipPolicyRule]{
		Path:   "/ip_policy_rules",
		Prefix: "ipr_",
		Field:  "ip_policy_rules",
		Noun:   "IP policy rule",
		Table:  ipPolicyRuleTable.In(s.store),
		Refers: []string{ipPolicyPath},
		Create: func(c *engine.Call, in *body.Object) (*ipPolicyRule, error) {
			rule := &ipPolicyRule{
				common: newCommon(c, in), Action: in.Required("action"), IPPolicyID: orExisting(in.Reference("ip_policy_id", "ip_policy"), ""),
			}
			s.checkIPPolicy(in, "ip_policy_id", rule.IPPolicyID)
			in.Rule(rule.Action == "allow" || rule.Action == "deny", "action", "action must be allow or deny")
			rule.read(in)
			return rule, nil
		},
		Update: updated[ipPolicyRule],
		View: func(c *engine.Call, uri string, rule *ipPolicyRule) any {
			return struct {
				URI string `json:"uri"`
				common
				IPPolicy reference `json:"ip_policy"`
				Action   string    `json:"action"`
				CIDR     string    `json:"cidr"`
			}{uri, rule.common, reference{rule.IPPolicyID, c.Base() + ipPolicyPath + "/" + rule.IPPolicyID}, rule.Action, rule.CIDR}
		},
	}
}

// read sets the range that a request contains.
func (r *ipPolicyRule) read(in *body.Object) {
	r.CIDR = orExisting(in.Text("cidr"), r.CIDR)
	_, ok := keys.Range(r.CIDR)
	in.Rule(ok, "cidr", "cidr must be an IP address or a range in CIDR notation, such as 192.0.2.0/24")
}
