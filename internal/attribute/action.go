package attribute

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ActionType validates the format of a policy action's type. It does not check
// whether the service knows the type.
var ActionType = Limit("an action type, such as restrict-ips", checkActionType)

var actionType = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// checkActionType returns an error if text does not have the format of an
// action type.
func checkActionType(text string) error {
	if actionType.MatchString(text) {
		return nil
	}
	if meant := strings.ToLower(strings.ReplaceAll(text, "_", "-")); actionType.MatchString(meant) {
		return fmt.Errorf(
			"must contain only lowercase letters, digits and hyphens; found %s. Did you mean %s?", quote.Value(text), quote.Value(meant),
		)
	}
	return fmt.Errorf(
		"must be an action type such as deny, log or restrict-ips (lowercase letters, digits and hyphens); found %s", quote.Value(text),
	)
}

// ActionSpelling warns about an action's type that is one edit away from a
// common one.
var ActionSpelling = misspelled("Unusual action type", "a known action type", func(text string) error {
	if checkActionType(text) != nil { // an error of ActionType
		return nil
	}
	if meant := cmp.Or(elsewhere[text], OneEditFrom(text, "deny", "log", "restrict-ips")); meant != "" {
		return fmt.Errorf("is %s. Did you mean %s?", quote.Value(text), quote.Value(meant))
	}
	if slices.Contains([]string{"allow", "accept", "permit", "pass"}, text) {
		return fmt.Errorf("is %s. Expected deny, log or restrict-ips: no rule allows a connection ahead of later ones. "+
			"To exempt traffic, negate the condition in the rule that denies", quote.Value(text))
	}
	return nil
})

// elsewhere are action types of other products that mean one of this service.
var elsewhere = map[string]string{
	"block": "deny", "drop": "deny", "reject": "deny", "forbid": "deny", "ip-restriction": "restrict-ips", "ip-filter": "restrict-ips",
}

// InboundOnly validates an action's type in outbound rules. It rejects the
// types that the service allows in inbound rules only.
var InboundOnly = Limit("an action for outbound traffic", func(text string) error {
	if text == "deny" || text == "restrict-ips" {
		return fmt.Errorf("must not be deny or restrict-ips in an outbound rule; found %s. Move the rule to inbound", quote.Value(text))
	}
	return nil
})

const (
	checkSpelling = "If it is set, check the spelling of config: Terraform ignores unknown attributes of nested objects."
	setMetadata   = `Set for example config = jsonencode({ metadata = { env = "prod" } }).`
)

// logProblem says what is unusual in the config of a log action, a JSON object. It
// returns "" if that is nothing.
func logProblem(config string) string {
	value, _ := parseJSON(config) //nolint:errcheck // the caller checked it
	members, _ := value.(map[string]any)
	switch metadata, given := members["metadata"]; {
	case len(members) == 0:
		return "is empty, so it has no metadata object."
	case given:
		if _, ok := metadata.(map[string]any); !ok {
			return fmt.Sprintf("has metadata = %s. Expected an object.", quote.Bare(fmt.Sprint(metadata)))
		}
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if strings.EqualFold(name, "meta") || OneEditFrom(name, "metadata") != "" {
			return fmt.Sprintf("has the member %s, but no metadata. Did you mean metadata?", quote.Value(name))
		}
	}
	return "has no metadata object."
}

// Action validates that an action's config fits its type.
var Action validator.Object = action{}

type action struct{}

func (action) Description(context.Context) string { return "a config that matches the type" }

func (a action) MarkdownDescription(ctx context.Context) string { return a.Description(ctx) }

func (action) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if !IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	kind := typeOf(req.ConfigValue)
	config, ok := req.ConfigValue.Attributes()["config"].(JSONObject)
	at := req.Path.AtName("config")
	switch given := ok && IsKnown(config); {
	case kind == "restrict-ips" && ok && config.IsNull():
		resp.Diagnostics.AddAttributeWarning(at, "Restrict-ips action without config",
			fmt.Sprintf("%s is not set, so the action has no addresses. Set for example config = jsonencode({ allow = [\"192.0.2.0/24\"] }). "+
				checkSpelling, at))
	case kind == "restrict-ips" && given:
		checkRestrictIPs(&resp.Diagnostics, at, config.ValueString())
	case kind == "deny" && given && checkJSONObject(config.ValueString()) == nil:
		if (JSONObject{config.StringValue}).Same(JSONObjectType{}.Of("{}")) {
			return
		}
		resp.Diagnostics.AddAttributeWarning(at, "Deny action with config",
			fmt.Sprintf("%s is set, but the API documentation shows no config for the deny action. The service may reject or ignore it.", at))
	case kind == "log" && given && checkJSONObject(config.ValueString()) != nil: // an error of the type of the attribute
	case kind == "log" && ok && config.IsNull():
		resp.Diagnostics.AddAttributeWarning(at, "Log action without metadata",
			fmt.Sprintf("%s is not set. %s %s", at, setMetadata, checkSpelling))
	case kind == "log" && given:
		if problem := logProblem(config.ValueString()); problem != "" {
			resp.Diagnostics.AddAttributeWarning(at, "Log action without metadata", fmt.Sprintf("%s %s %s", at, problem, setMetadata))
		}
	}
}

// Reachable validates that a list of actions is not empty and that no action
// follows deny.
var Reachable validator.List = lists{"no action after deny", func(at path.Path, list types.List, diags *diag.Diagnostics) {
	actions := list.Elements()
	if len(actions) == 0 {
		diags.AddAttributeError(at, "Missing action",
			fmt.Sprintf("%s must contain at least one action, such as { type = \"deny\" }; found none.", at))
	}
	for i := range len(actions) - 1 {
		if typeOf(actions[i]) == "deny" {
			at := at.AtListIndex(i + 1)
			diags.AddAttributeError(at, "Unreachable action",
				fmt.Sprintf("%s is unreachable, because it comes after a deny action. Move it before the deny action, or remove it.", at))
			return
		}
	}
}}

// typeOf returns the type of an action, "" if it is not known.
func typeOf(value attr.Value) string {
	object, ok := value.(types.Object)
	if !ok {
		return ""
	}
	kind, _ := object.Attributes()["type"].(types.String)
	return kind.ValueString()
}
