// Package ippolicyrule defines the ranges of addresses that an IP policy allows or
// denies: tunnel_ip_policy_rule.
package ippolicyrule

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes IP policy rules to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.IPPolicyRule]{
	Kind:        api.IPPolicyRules.Kind,
	Subcategory: "Edges",
	Schema: schema.Schema{
		Description: "An IP policy rule: a range of IP addresses that an IP policy allows or denies. " +
			"A plan reads many rules with few requests. For many ranges, use `for_each`. " +
			"The API documentation does not describe IP policy rules: this resource matches public services of this kind.",
		Attributes: crud.ObjectAttributes(api.IPPolicyRules.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.IPPolicyRules.Kind),
	References: []crud.Reference[*model]{{
		Attribute: "ip_policy_id", To: []*api.Kind{api.IPPolicies.Kind},
		Of: func(m *model) []string { return []string{m.IPPolicyID.ValueString()} },
	}},
	Fill: fill,
	Reading: crud.Reading[*model, *api.IPPolicyRule]{
		Description: "Reads an IP policy rule: a range of IP addresses that an IP policy allows or denies.",
		Filters: crud.ObjectFilters[api.IPPolicyRule](
			crud.EqualFilter("ip_policy_id", "Returns the rules of the IP policy with this ID.",
				func(o *api.IPPolicyRule) string { return o.Policy() }),
		),
		Name: func(o *api.IPPolicyRule) string { return crud.DisplayName(o.Action+" "+o.CIDR, o.Description) },
	},
	Operations: crud.Collection(api.IPPolicyRules, create, update),
})

type model struct {
	crud.Object
	IPPolicyID types.String      `tfsdk:"ip_policy_id"`
	Action     types.String      `tfsdk:"action"`
	CIDR       attribute.IPRange `tfsdk:"cidr"`
}

var attributes = map[string]schema.Attribute{
	"ip_policy_id": crud.Parent(api.IPPolicies.Kind),
	"action": schema.StringAttribute{
		Required:      true,
		Description:   "Action for connections from the range. One of `allow` or `deny`.\nChanging this forces a new resource to be created.",
		Validators:    attribute.UsuallyOneOf("allow", "deny"),
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	},
	"cidr": schema.StringAttribute{
		CustomType: attribute.IPRangeType{},
		Required:   true,
		Description: "IP address or CIDR range, such as `192.0.2.0/24` or `2001:db8::/32`.\n" +
			"Formatting differences of the same range are ignored. Can be updated in place.",
		Validators:    attribute.IPRangeForm,
		PlanModifiers: []planmodifier.String{attribute.IPRangeType{}.KeepSame()},
	},
}

func create(_ *crud.Provider, plan, _ *model) api.IPPolicyRuleCreate {
	return api.IPPolicyRuleCreate{
		IPPolicyRuleUpdate: update(plan), IPPolicyID: plan.IPPolicyID.ValueString(), Action: plan.Action.ValueString(),
	}
}

func update(plan *model) api.IPPolicyRuleUpdate {
	return api.IPPolicyRuleUpdate{Details: plan.Details(), CIDR: plan.CIDR.ValueString()}
}

func fill(_ *crud.Provider, answer *api.IPPolicyRule, m *model) {
	m.Object.Fill(&answer.Object)
	m.IPPolicyID = attribute.Fixed(m.IPPolicyID, answer.Policy())
	m.Action = types.StringValue(answer.Action)
	m.CIDR = attribute.IPRangeType{}.Of(answer.CIDR)
}
