package edgepolicy

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

type rule struct {
	Name        types.String `tfsdk:"name"`
	Expressions types.List   `tfsdk:"expressions"`
	Actions     []action     `tfsdk:"actions"`
}

type action struct {
	Type   types.String         `tfsdk:"type"`
	Config attribute.JSONObject `tfsdk:"config"`
}

// requested converts rules to the form of the API. The result is never nil.
func requested(rules []rule) []api.EndpointRule {
	bodies := make([]api.EndpointRule, len(rules))
	for i, r := range rules {
		actions := make([]api.EndpointAction, len(r.Actions))
		for j, a := range r.Actions {
			actions[j] = api.EndpointAction{Type: a.Type.ValueString(), Config: json.RawMessage(attribute.FileText(a.Config.ValueString()))}
		}
		bodies[i] = api.EndpointRule{
			Name:        r.Name.ValueString(),
			Expressions: append([]string{}, attribute.Strings(r.Expressions)...),
			Actions:     actions,
		}
	}
	return bodies
}

// answered converts rules of the API to rules of the model. It keeps the known
// spelling of equal values. The result is never nil, because no rules and an
// empty list are equal.
func answered(known []rule, answer []api.EndpointRule) []rule {
	rules := make([]rule, len(answer))
	for i := range answer {
		before := at(known, i)
		rules[i] = rule{
			Name:        attribute.Optional(before.Name, answer[i].Name),
			Expressions: attribute.Expressions(before.Expressions, answer[i].Expressions),
			Actions:     make([]action, len(answer[i].Actions)),
		}
		for j, a := range answer[i].Actions {
			rules[i].Actions[j] = action{
				Type:   types.StringValue(a.Type),
				Config: attribute.OptionalJSONObject(at(before.Actions, j).Config, a.Config),
			}
		}
	}
	return rules
}

// at returns an element of a list, or the zero value if the index is beyond its
// end.
func at[T any](list []T, i int) T {
	if i < len(list) {
		return list[i]
	}
	var none T
	return none
}
