package api

import "cmp"

// IPPolicyRule allows or denies a range of addresses in an IP policy.
type IPPolicyRule struct {
	Object
	IPPolicy   Ref    `json:"ip_policy"`
	IPPolicyID string `json:"ip_policy_id"` // of a service that shows the id alone
	Action     string `json:"action"`       // allow or deny
	CIDR       string `json:"cidr"`
}

// Policy returns the id of the policy, and "" if the response does not show it.
func (r *IPPolicyRule) Policy() string { return cmp.Or(r.IPPolicy.ID, r.IPPolicyID) }

// IPPolicyRuleCreate is the body that creates an IP policy rule.
type IPPolicyRuleCreate struct {
	IPPolicyRuleUpdate
	IPPolicyID string `json:"ip_policy_id"`
	Action     string `json:"action"`
}

// IPPolicyRuleUpdate is the body that updates an IP policy rule. The policy and the
// action cannot change.
type IPPolicyRuleUpdate struct {
	Details
	CIDR string `json:"cidr"` // an address, or a range in CIDR notation
}

// IPPolicyRules are the IP policy rules of the account.
var IPPolicyRules = identified[IPPolicyRule](
	Kind{Noun: "IP policy rule", Prefix: "ipr_", Path: "/ip_policy_rules", ListField: "ip_policy_rules"},
)
