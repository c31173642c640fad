package edgepolicy

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
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
		Description: "The policy of a " + protocol + " edge: rules for the traffic through it. An edge has at most one policy. " +
			"A policy that is already set is not overwritten: it must be imported. Deleting the policy leaves the edge as it is.",
		Attributes: map[string]schema.Attribute{
			"edge_id": crud.Parent("Id of the " + protocol + " edge, such as `edg" + strings.ToLower(protocol) + "_2abc`. Changing this forces a new resource to be created."),
			"enabled": crud.Enabled("policy"),
			"inbound": rulesAttribute("Rules for traffic that comes in through the edge, in order. At most 100. Defaults to `[]`. Can be updated in place."),
			"outbound": rulesAttribute("Rules for traffic that goes out through the edge, in order. At most 100. The actions `deny` and `restrict-ips` are not allowed. "+
				"Defaults to `[]`. Can be updated in place.", attribute.InboundOnly),
		},
	}
}

// rulesAttribute returns the attribute for the rules of one direction.
// actionTypes are additional validators for the type of an action.
func rulesAttribute(description string, actionTypes ...validator.String) schema.ListNestedAttribute {
	rule := ruleObject(actionTypes)
	return schema.ListNestedAttribute{
		Optional:     true,
		Computed:     true,
		Default:      listdefault.StaticValue(types.ListValueMust(rule.Type(), []attr.Value{})),
		Description:  description,
		NestedObject: rule,
		Validators:   []validator.List{attribute.NoNulls, attribute.MaxItems(maxRules, "rules")},
	}
}

func ruleObject(actionTypes []validator.String) schema.NestedAttributeObject {
	return schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Optional:    true,
			Description: "Human-readable name of the rule. Names need not be unique.",
		},
		"expressions": schema.ListAttribute{
			ElementType: types.StringType,
			Required:    true,
			Description: "Expressions in the Common Expression Language (CEL) that filter the traffic that the rule applies to, such as " +
				"`conn.client_ip in ['192.0.2.1']`. At most 16. Set to `[]` for a rule that applies to all traffic. " +
				"Terraform checks their syntax when it plans, the service their variables.",
			Validators: []validator.List{attribute.NoNulls, attribute.MaxItems(maxExpressions, "expressions"), listvalidator.ValueStringsAre(attribute.CEL)},
		},
		"actions": schema.ListNestedAttribute{
			Required:     true,
			Description:  "Actions for the traffic that the rule applies to, in order. At least one. No action can come after `deny`.",
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
				Description: "Type of the action: `deny`, `log`, `restrict-ips`, or another type that the service knows. Lower-case letters, digits and hyphens.",
				Validators:  append(actionTypes, attribute.ActionType),
			},
			"config": schema.StringAttribute{
				CustomType: attribute.JSONObjectType{},
				Optional:   true,
				Description: "Configuration of the action: a JSON object as a string, usually made by `jsonencode`. For `log`, an object with an object `metadata` in it. " +
					"Not allowed for `deny`. JSON is compared by content, not by spelling.",
				Validators:    []validator.String{attribute.JSONObjectType{}.Valid()},
				PlanModifiers: []planmodifier.String{attribute.JSONObjectType{}.KeepSame()},
			},
		},
		Validators: []validator.Object{attribute.Action},
	}
}
