package function

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

type policyRules struct{}

func (policyRules) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "policy_rules"
}

func (policyRules) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Returns the rules of a policy document for a policy resource.",
		Description: "Returns the rules of one phase of a policy document, in the form of the attributes `inbound` and `outbound` of " +
			"`tunnel_tls_edge_policy` and `tunnel_tcp_edge_policy`. A policy document is a file in YAML or JSON that holds a list of rules for " +
			"each phase. Each rule is an object:\n\n" +
			"- `name`: optional.\n" +
			"- `expressions`: list of CEL expressions. If it is missing, the rule applies to all traffic.\n" +
			"- `actions`: list of objects with `type` and, optionally, `config`. A `config` that is an object becomes JSON.\n\n" +
			"Other members are an error, because they are misspelled. The document can also have a member `enabled`, which the result does not " +
			"contain. The resource validates the expressions and actions.",
		Parameters: []function.Parameter{
			function.DynamicParameter{
				Name:               "document",
				AllowUnknownValues: true,
				Description:        "The decoded document, such as `yamldecode(file(\"policy.yml\"))` or `jsondecode(file(\"policy.json\"))`.",
			},
			function.StringParameter{
				Name: "phase",
				Description: "Phase whose rules to return: the name of a member of the document, such as `inbound` or `on_tcp_connect`. " +
					"A phase that is null has no rules.",
			},
		},
		Return: function.ListReturn{ElementType: ruleType},
	}
}

var (
	actionType = types.ObjectType{AttrTypes: map[string]attr.Type{"type": types.StringType, "config": types.StringType}}
	ruleType   = types.ObjectType{AttrTypes: map[string]attr.Type{
		"name": types.StringType, "expressions": types.ListType{ElemType: types.StringType}, "actions": types.ListType{ElemType: actionType},
	}}
)

func (policyRules) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var d types.Dynamic
	var phase string
	if resp.Error = req.Arguments.Get(ctx, &d, &phase); resp.Error != nil {
		return
	}
	document := underlying(d)
	if document != nil && document.IsUnknown() {
		resp.Error = resp.Result.Set(ctx, types.ListUnknown(ruleType))
		return
	}
	phases, err := phasesOf(document)
	if err != nil {
		resp.Error = argumentError(0, "document", err)
		return
	}
	if !slices.Contains(phases, phase) {
		resp.Error = argumentError(1, "phase", missingPhase(phase, phases))
		return
	}
	r := &reader{known: true}
	rules := r.documentRules("document."+quote.Bare(phase), membersOf(document)[phase])
	switch {
	case r.err != nil:
		resp.Error = function.NewArgumentFuncError(0, r.err.Error())
	case !r.known:
		resp.Error = resp.Result.Set(ctx, types.ListUnknown(ruleType))
	default:
		resp.Error = resp.Result.Set(ctx, types.ListValueMust(ruleType, rules))
	}
}

// phasesOf returns the names of the phases of a document: its members that are
// lists, null or unknown.
func phasesOf(document attr.Value) ([]string, error) {
	members := membersOf(document)
	if _, isText := document.(types.String); isText {
		return nil, errors.New("must be an object; found a string. Decode it with yamldecode() or jsondecode()")
	}
	if members == nil {
		return nil, fmt.Errorf("must be an object, such as yamldecode(file(\"policy.yml\")) returns; found %s", kindOf(document))
	}
	var phases []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		_, isList := elementsOf(members[name])
		_, isBool := members[name].(types.Bool)
		switch {
		case isList || members[name].IsNull() || members[name].IsUnknown():
			phases = append(phases, name)
		case name != "enabled" || !isBool:
			return nil, fmt.Errorf("has the unknown member %s: %s. Expected phases, each with a list of rules, and enabled",
				quote.Bare(name), kindOf(members[name]))
		}
	}
	return phases, nil
}

func missingPhase(phase string, phases []string) error {
	if len(phases) == 0 {
		return fmt.Errorf("must be a phase of the document; found %s, and the document has no phases", quote.Value(phase))
	}
	names := make([]string, len(phases))
	for i, name := range phases {
		names[i] = quote.Bare(name)
	}
	return fmt.Errorf("must be a phase of the document: %s; found %s", attribute.Alternatives(names), quote.Value(phase))
}

// documentRules converts the rules of a document to those of a policy resource.
func (r *reader) documentRules(at string, value attr.Value) []attr.Value {
	rules := []attr.Value{}
	for i, element := range r.list(at, value) {
		here := fmt.Sprintf("%s[%d]", at, i)
		rule := r.object(here, element, "name", "expressions", "actions")
		if actions := rule["actions"]; rule != nil && (actions == nil || actions.IsNull()) {
			r.fail(here+".actions", "set", actions)
		}
		expressions, actions := []attr.Value{}, []attr.Value{}
		for j, expression := range r.list(here+".expressions", rule["expressions"]) {
			expressions = append(expressions, r.required(fmt.Sprintf("%s.expressions[%d]", here, j), expression))
		}
		for j, element := range r.list(here+".actions", rule["actions"]) {
			place := fmt.Sprintf("%s.actions[%d]", here, j)
			if action := r.object(place, element, "type", "config"); action != nil {
				actions = append(actions, types.ObjectValueMust(actionType.AttrTypes, map[string]attr.Value{
					"type": r.required(place+".type", action["type"]), "config": r.config(place+".config", action["config"]),
				}))
			}
		}
		name := types.StringNull()
		if given := rule["name"]; given != nil && !given.IsNull() {
			name = types.StringValue(r.text(here+".name", given))
		}
		rules = append(rules, types.ObjectValueMust(ruleType.AttrTypes, map[string]attr.Value{
			"name": name, "expressions": types.ListValueMust(types.StringType, expressions), "actions": types.ListValueMust(actionType, actions),
		}))
	}
	return rules
}

// required returns a string that must be set.
func (r *reader) required(at string, value attr.Value) types.String {
	if value == nil || value.IsNull() {
		r.fail(at, "set", value)
	}
	return types.StringValue(r.text(at, value))
}

// config returns the config of an action as JSON. The same config is always the
// same text.
func (r *reader) config(at string, value attr.Value) types.String {
	switch text, isText := value.(types.String); {
	case value == nil || value.IsNull():
		return types.StringNull()
	case value.IsUnknown():
		r.known = false
		return types.StringNull()
	case isText:
		return text
	case membersOf(value) == nil:
		r.fail(at, "an object", value)
		return types.StringNull()
	}
	encoded, err := json.Marshal(r.json(value))
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%s: %w", at, err)
	}
	return types.StringValue(string(encoded))
}

// json converts a value for encoding/json. Numbers keep all digits.
func (r *reader) json(value attr.Value) any {
	if value == nil || value.IsNull() {
		return nil
	}
	if value.IsUnknown() {
		r.known = false
		return nil
	}
	if members := membersOf(value); members != nil {
		object := make(map[string]any, len(members))
		for name, member := range members {
			object[name] = r.json(member)
		}
		return object
	}
	if elements, ok := elementsOf(value); ok {
		list := make([]any, len(elements))
		for i, element := range elements {
			list[i] = r.json(element)
		}
		return list
	}
	if number, ok := value.(types.Number); ok {
		return json.Number(numberText(number.ValueBigFloat()))
	}
	converted, _ := plain(value)
	return converted
}

// numberText returns a number in JSON: with an exponent only if it is very large or
// small.
func numberText(number *big.Float) string {
	if exponent := number.MantExp(nil); exponent < -100 || exponent > 100 {
		return strings.Replace(number.Text('e', -1), "e+", "e", 1)
	}
	return number.Text('f', -1)
}
