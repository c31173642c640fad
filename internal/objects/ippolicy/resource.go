// Package ippolicy defines groups of IP policy rules: tunnel_ip_policy.
package ippolicy

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes IP policies to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.IPPolicy]{
	Kind:        api.IPPolicies.Kind,
	Subcategory: "Edges",
	Schema: schema.Schema{
		Description: "An IP policy: a named group of `tunnel_ip_policy_rule`, which allow or deny ranges of IP addresses. " +
			"To use it, add its ID to `ip_policy_ids` of the IP restriction of an edge or route, or to `ip_policies` of a `restrict-ips` " +
			"action of an edge policy. " +
			"To replace or remove a policy that is in use, set `create_before_destroy`: otherwise the deletion fails with \"still in use\". " +
			"It also fails while the policy has rules that this configuration does not manage. " +
			"The API documentation does not describe IP policies: this resource matches public services of this kind.",
		Attributes: crud.ObjectAttributes(api.IPPolicies.Kind, nil),
	},
	Keys: crud.ObjectKey[model](api.IPPolicies.Kind),
	Fill: func(_ *crud.Provider, answer *api.IPPolicy, m *model) { m.Object.Fill(&answer.Object) },
	Reading: crud.Reading[*model, *api.IPPolicy]{
		Description: "Reads an IP policy. For its rules, use `tunnel_ip_policy_rules`.",
		Filters:     crud.ObjectFilters[api.IPPolicy](),
		Name:        func(o *api.IPPolicy) string { return crud.DisplayName(o.ID, o.Description) },
	},
	Operations: crud.Collection(api.IPPolicies, crud.CreateWith(body), body),
})

type model struct{ crud.Object }

func body(plan *model) api.IPPolicyBody { return api.IPPolicyBody{Details: plan.Details()} }
