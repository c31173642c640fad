package api

// IPPolicy is a named group of IP policy rules.
type IPPolicy struct{ Object }

// IPPolicyBody is the body that creates or updates an IP policy.
type IPPolicyBody struct{ Details }

// IPPolicies are the IP policies of the account.
var IPPolicies = identified[IPPolicy](Kind{Noun: "IP policy", Prefix: "ipp_", Path: "/ip_policies", ListField: "ip_policies"})
