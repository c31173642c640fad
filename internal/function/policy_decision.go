package function

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

type policyDecision struct{}

func (policyDecision) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "policy_decision"
}

func (policyDecision) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Decides offline what a policy does with a connection.",
		Description: "Evaluates the policy of a TLS or TCP edge for a connection, without the service. " +
			"Use it in `terraform test`, `check` blocks and preconditions. Returns an object with:\n\n" +
			"- `decision`: `deny`, `allow` or `undetermined`.\n" +
			"- `rule`: the rule that denies the connection, as an object with `index` and `name`. Null unless it is certain " +
			"which rule denies the connection. The name of a rule without a name is empty.\n" +
			"- `matched`: the rules that certainly apply, in order, up to the one that denies the connection. " +
			"Each is an object with `index` and `name`.\n" +
			"- `missing`: what the decision depends on and the provider does not know: variables such as `conn.geo.country_code`, " +
			"functions such as `name()`, and action types such as `action rate-limit`.\n" +
			"- `reason`: explanation of the decision, for error messages.\n\n" +
			"The decision is `allow` if the policy is disabled or no rule denies the connection. It is `undetermined` if the result depends on " +
			"something that is not known: " +
			"a variable that the connection does not have (or that is null), a map as a whole, a list with maps, lists or nulls, " +
			"a function that the provider cannot evaluate, " +
			"an action other than `deny`, `log` and `restrict-ips`, " +
			"`ip_policies` of a `restrict-ips`, " +
			"an expression that fails (for example because of a type) or takes too many steps to evaluate, or several expressions in a rule of " +
			"which some are true and some are false. " +
			"The provider evaluates the standard functions of CEL, its string functions such as `lowerAscii()` and `split()`, and " +
			"`inCidrRange(ip, cidr)` and `inCidrRanges(ip, cidrs)`. " +
			"The service may decide differently from the provider where the API documentation is silent.",
		Parameters: []function.Parameter{
			function.DynamicParameter{
				Name:               "policy",
				AllowUnknownValues: true,
				Description: "The policy: a resource or data source of type `tunnel_tls_edge_policy` or `tunnel_tcp_edge_policy`, or an object " +
					"with the same attributes `enabled`, `inbound` and `outbound`. " +
					"If `enabled` is unset, the policy is enabled.",
			},
			function.DynamicParameter{
				Name:               "connection",
				AllowUnknownValues: true,
				Description: "The variables of the expressions, as an object such as `{ conn = { client_ip = \"192.0.2.1\", tls = { sni = " +
					"\"a.example.com\" } } }`. " +
					"In CEL, a number and a string are never equal, so each variable needs the type that the service uses. " +
					"The variable `now`, if set, is a timestamp in RFC 3339 format. The current time is never used.",
			},
		},
		VariadicParameter: function.StringParameter{
			Name:        "direction",
			Description: "Direction of the traffic: `inbound` (default) or `outbound`.",
		},
		Return: function.ObjectReturn{AttributeTypes: decisionTypes},
	}
}

var (
	ruleIDType    = types.ObjectType{AttrTypes: map[string]attr.Type{"index": types.Int64Type, "name": types.StringType}}
	decisionTypes = map[string]attr.Type{
		"decision": types.StringType,
		"rule":     ruleIDType,
		"matched":  types.ListType{ElemType: ruleIDType},
		"missing":  types.ListType{ElemType: types.StringType},
		"reason":   types.StringType,
	}
)

func (policyDecision) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var p, c types.Dynamic
	var directions []types.String
	if resp.Error = req.Arguments.Get(ctx, &p, &c, &directions); resp.Error != nil {
		return
	}
	direction := "inbound"
	for i, given := range directions {
		direction = given.ValueString()
		if i > 0 {
			resp.Error = argumentError(2, "direction", fmt.Errorf("must be one argument; found %d directions", len(directions)))
			return
		}
		if direction != "inbound" && direction != "outbound" {
			resp.Error = argumentError(2, "direction", fmt.Errorf("must be \"inbound\" or \"outbound\"; found %s", quote.Value(direction)))
			return
		}
	}
	evaluated, known, err := policyOf(underlying(p), direction)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	connection, connectionKnown, err := connectionOf(underlying(c))
	if err != nil {
		resp.Error = function.NewArgumentFuncError(1, err.Error())
		return
	}
	if !known || !connectionKnown {
		resp.Error = resp.Result.Set(ctx, types.ObjectUnknown(decisionTypes))
		return
	}
	resp.Error = resp.Result.Set(ctx, decisionValue(policy.Decide(ctx, evaluated, direction, connection)))
}

// underlying returns the value of an argument of any type. It is nil for null.
func underlying(argument types.Dynamic) attr.Value {
	if argument.IsUnknown() {
		return argument
	}
	return argument.UnderlyingValue()
}

func decisionValue(d policy.Decision) types.Object {
	rule := types.ObjectNull(ruleIDType.AttrTypes)
	if d.Rule != nil {
		rule = ruleIDValue(*d.Rule)
	}
	matched := make([]attr.Value, len(d.Matched))
	for i, id := range d.Matched {
		matched[i] = ruleIDValue(id)
	}
	return types.ObjectValueMust(decisionTypes, map[string]attr.Value{
		"decision": types.StringValue(d.Decision),
		"rule":     rule,
		"matched":  types.ListValueMust(ruleIDType, matched),
		"missing":  attribute.ListOf(d.Missing),
		"reason":   types.StringValue(d.Reason),
	})
}

func ruleIDValue(id policy.RuleID) types.Object {
	return types.ObjectValueMust(ruleIDType.AttrTypes, map[string]attr.Value{
		"index": types.Int64Value(int64(id.Index)), "name": types.StringValue(id.Name),
	})
}

// connectionOf converts the argument connection. known is false if a part of it
// is unknown.
func connectionOf(value attr.Value) (connection map[string]any, known bool, err error) {
	const want = "connection must be an object such as { conn = { client_ip = \"192.0.2.1\" } }"
	if value != nil && value.IsUnknown() {
		return nil, false, nil
	}
	if err := checkMaps("connection", value); err != nil {
		return nil, false, err
	}
	converted, known := plain(value)
	connection, ok := converted.(map[string]any)
	if !ok {
		return nil, false, fmt.Errorf("%s; found %s", want, kindOf(value))
	}
	switch now := connection["now"].(type) {
	case nil:
	case string:
		moment, err := time.Parse(time.RFC3339, now)
		if err != nil {
			return nil, false, fmt.Errorf("connection.now must be a timestamp in RFC 3339 format; found %s", quote.Value(now))
		}
		connection["now"] = moment
	default:
		return nil, false, fmt.Errorf("connection.now must be a timestamp in RFC 3339 format")
	}
	return connection, known, nil
}

// checkMaps returns an error for a map that has turned a number or a boolean into a
// string: comparisons with it would be false.
func checkMaps(at string, value attr.Value) error {
	members := membersOf(value)
	_, isMap := value.(types.Map)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		here := at + "." + name
		text, isText := members[name].(types.String)
		_, noNumber := strconv.ParseFloat(text.ValueString(), 64)
		isBool := text.ValueString() == "true" || text.ValueString() == "false"
		if isMap && isText && (noNumber == nil || isBool) {
			return fmt.Errorf("%s is a map of strings, so %s is the string %s. Use an object, such as { %s = %s }, which keeps numbers and booleans",
				at, here, quote.Value(text.ValueString()), name, text.ValueString())
		}
		if err := checkMaps(here, members[name]); err != nil {
			return err
		}
	}
	return nil
}
