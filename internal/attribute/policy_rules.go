package attribute

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ReachableRules warns about rules after a rule that denies all traffic.
var ReachableRules validator.List = lists{
	"no rule after one that denies all",
	func(at path.Path, list types.List, diags *diag.Diagnostics) {
		rules := list.Elements()
		for i := range len(rules) - 1 {
			if deniesAll(rules[i]) {
				next := at.AtListIndex(i + 1)
				diags.AddAttributeWarning(next, "Rule without effect",
					fmt.Sprintf("%s has no effect, because %s denies all traffic. Move it before that rule, or remove it.", next, at.AtListIndex(i)))
				return
			}
		}
	},
}

func actionsOf(value attr.Value) []attr.Value {
	rule, ok := value.(types.Object)
	if !ok {
		return nil
	}
	actions, _ := rule.Attributes()["actions"].(types.List)
	return actions.Elements()
}

// deniesAll reports whether a rule applies to all traffic and denies it.
func deniesAll(value attr.Value) bool {
	rule, ok := value.(types.Object)
	if !ok {
		return false
	}
	expressions, ok := rule.Attributes()["expressions"].(types.List)
	if !ok || !IsKnown(expressions) {
		return false
	}
	for _, expression := range expressions.Elements() {
		if text, ok := expression.(types.String); !ok || text.ValueString() != "true" {
			return false
		}
	}
	return slices.ContainsFunc(actionsOf(value), func(action attr.Value) bool { return typeOf(action) == "deny" })
}
