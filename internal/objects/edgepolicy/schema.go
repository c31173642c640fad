package edgepolicy

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Limits of similar public services. The API contract does not define limits.
const (
	maxRules       = 100 // in each direction
	maxExpressions = 16  // in each rule
)

func policySchema(protocol string) schema.Schema {
	return schema.Schema{
		Description: "The policy of a " + protocol + " edge: rules for its traffic. Each edge has at most one policy. " +
			"Without a policy, an edge lets everybody in. If the policy restricts access, add it to `depends_on` of the backend " +
			"resource of the edge, so that connections start when it exists, and end before it is deleted. " +
			"Creating the resource fails if a policy is already set: import it, unless another resource has the same `edge_id`. " +
			"If two configurations manage the policy of the same edge, " +
			"the last write wins, because the API replaces the policy. Deleting the policy does not change the edge.",
		Attributes: map[string]schema.Attribute{
			"enabled": crud.Enabled("policy"),
			"inbound": rulesAttribute("Ordered list of rules for inbound traffic.\nThe plan warns above 100. Defaults to `[]`. "+
				"Can be updated in place.", protocol),
			"outbound": rulesAttribute(
				"Ordered list of rules for outbound traffic.\nThe plan warns above 100. The actions `deny` and `restrict-ips` are not supported. "+
					"Defaults to `[]`. Can be updated in place.",
				protocol, attribute.InboundOnly,
			),
		},
	}
}

// rulesAttribute returns the attribute for the rules of one direction.
// actionTypes are additional validators for the type of an action.
func rulesAttribute(description, protocol string, actionTypes ...validator.String) schema.ListNestedAttribute {
	expressions := slices.Concat([]validator.String{attribute.CEL}, attribute.CELMeaning)
	if protocol == "TCP" {
		expressions = append(expressions, attribute.WithoutSNI)
	}
	return schema.ListNestedAttribute{
		Optional:     true,
		Description:  description,
		NestedObject: ruleObject(expressions, actionTypes),
		Validators: []validator.List{
			attribute.NoNulls, attribute.MaxItems(maxRules, "rules"), attribute.ReachableRules,
		},
	}
}

func ruleObject(expressions, actionTypes []validator.String) schema.NestedAttributeObject {
	return schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Optional:      true,
			Description:   "Human-readable name of the rule. Does not have to be unique.",
			PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
		},
		"expressions": schema.ListAttribute{
			ElementType: types.StringType,
			Required:    true,
			Description: "CEL (Common Expression Language) expressions that select the traffic of the rule, such as " +
				"`conn.client_ip in ['192.0.2.1']`.\nThe plan warns above 16. Set to `[]` for all traffic. To combine conditions, " +
				"use one expression with `&&` " +
				"or `||`: " +
				"the API documentation does not define how several expressions are combined. " +
				"The provider validates the syntax during the plan, and warns about expressions that cannot match, such as a comparison of an " +
				"address with a text that is not one. The service validates the variables and functions. " +
				"Formatting differences are ignored.",
			Validators: []validator.List{
				attribute.NoNulls,
				attribute.MaxItems(maxExpressions, "expressions"),
				listvalidator.ValueStringsAre(expressions...),
			},
			PlanModifiers: []planmodifier.List{attribute.KeepSameExpressions()},
		},
		"actions": schema.ListNestedAttribute{
			Required:     true,
			Description:  "Ordered list of actions for the traffic of the rule.\nAt least one. No action can come after `deny`.",
			NestedObject: actionObject(actionTypes),
			Validators:   []validator.List{attribute.NoNulls, attribute.Reachable},
		},
	}}
}

func actionObject(actionTypes []validator.String) schema.NestedAttributeObject {
	return schema.NestedAttributeObject{
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				Required:    true,
				Description: "Action type: `deny`, `log`, `restrict-ips`, or another type that the service supports.",
				Validators:  append(actionTypes, attribute.ActionType, attribute.ActionSpelling),
			},
			"config": schema.StringAttribute{
				CustomType: attribute.JSONObjectType{},
				Optional:   true,
				Description: "Action configuration as a JSON object, usually created with `jsonencode`. For `log`, set `metadata` to an object. " +
					"For `restrict-ips`, for example `{ enforce = true, allow = [\"192.0.2.0/24\"] }`. " +
					"Write `$${...}` for a CEL expression that the service evaluates in a value.\nThe plan warns about a config of `deny`. " +
					"Differences in formatting and in members that are null are ignored.",
				Validators:    []validator.String{attribute.JSONObjectType{}.Valid(), attribute.JSONDepth},
				PlanModifiers: []planmodifier.String{attribute.JSONObjectType{}.KeepSame()},
			},
		},
		Validators: []validator.Object{attribute.Action},
	}
}
