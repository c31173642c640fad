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

const (
	maxRules       = 100 // in each direction
	maxExpressions = 16  // in each rule
)

func policySchema(protocol string) schema.Schema {
	return schema.Schema{
		Description: "The policy of a " + protocol + " edge: rules for the traffic through it. An edge has one policy at most. " +
			"One that is set already is not overwritten: it must be imported. Deleting the policy leaves the edge as it is.",
		Attributes: map[string]schema.Attribute{
			"edge_id":  crud.Parent("Id of the " + protocol + " edge, such as edg" + strings.ToLower(protocol) + "_2abc. A change deletes the policy of the one edge and creates that of the other."),
			"enabled":  crud.Enabled("policy"),
			"inbound":  rulesAttribute("Rules for traffic that comes in through the edge, in order. At most 100; left out and empty are the same. Changed in place."),
			"outbound": rulesAttribute("Rules for traffic that goes out through the edge, in order. At most 100; left out and empty are the same. Changed in place."),
		},
	}
}

func rulesAttribute(description string) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional:     true,
		Computed:     true,
		Default:      listdefault.StaticValue(types.ListValueMust(ruleObject.Type(), []attr.Value{})),
		Description:  description,
		NestedObject: ruleObject,
		Validators:   []validator.List{attribute.NoNulls, listvalidator.SizeAtMost(maxRules)},
	}
}

var ruleObject = schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
	"name": schema.StringAttribute{
		Optional:    true,
		Description: "Name of the rule, for people. Names need not differ.",
	},
	"expressions": schema.ListAttribute{
		ElementType: types.StringType,
		Optional:    true,
		Computed:    true,
		Default:     listdefault.StaticValue(types.ListValueMust(types.StringType, []attr.Value{})),
		Description: "Expressions in the Common Expression Language (CEL) that filter the traffic to which the rule applies, such as " +
			"conn.client_ip in ['192.0.2.1']. At most 16; left out and empty are the same. Their syntax is checked when Terraform plans, their variables by the service.",
		Validators: []validator.List{
			attribute.NoNulls, listvalidator.SizeAtMost(maxExpressions), listvalidator.ValueStringsAre(attribute.CEL),
		},
	},
	"actions": schema.ListNestedAttribute{
		Required:     true,
		Description:  "What is done with the traffic to which the rule applies, in order. At least one action.",
		NestedObject: actionObject,
		Validators:   []validator.List{attribute.NoNulls, listvalidator.SizeAtLeast(1)},
	},
}}

var actionObject = schema.NestedAttributeObject{
	Attributes: map[string]schema.Attribute{
		"type": schema.StringAttribute{
			Required:    true,
			Description: "Type of the action: deny, log, restrict-ips or another that the service knows. Lower-case letters, digits and hyphens.",
			Validators:  []validator.String{attribute.ActionType},
		},
		"config": schema.StringAttribute{
			CustomType: attribute.JSONObjectType{},
			Optional:   true,
			Description: "Configuration of the action: a JSON object as a string, best made by jsonencode. For log, an object with an object metadata in it; " +
				"deny takes none. Another order of members, other white space or another notation of a number is no change.",
			Validators:    []validator.String{attribute.JSONObjectType{}.Valid()},
			PlanModifiers: []planmodifier.String{attribute.JSONObjectType{}.KeepSame()},
		},
	},
	Validators: []validator.Object{attribute.Action},
}
