package attribute

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

// Expressions returns the state of a list of CEL expressions for the service's
// response. It keeps the known text of an expression with the same meaning, such as
// one from a heredoc, which ends with a line end.
func Expressions(known types.List, answer []string) types.List {
	return sameExpressions(ListOf(answer), known)
}

// KeepSameExpressions returns a plan modifier that keeps the state's expressions if all
// planned ones have the same meanings. Terraform refuses a plan that has some elements
// of the state and some of the configuration.
func KeepSameExpressions() planmodifier.List { return keepSameExpressions{} }

type keepSameExpressions struct{}

func (keepSameExpressions) Description(context.Context) string {
	return "White space, comments and quotes in expressions are ignored."
}

func (m keepSameExpressions) MarkdownDescription(ctx context.Context) string {
	return m.Description(ctx)
}

func (keepSameExpressions) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if IsKnown(req.PlanValue) && sameExpressions(req.PlanValue, req.StateValue).Equal(req.StateValue) {
		resp.PlanValue = req.StateValue
	}
}

// sameExpressions returns a list of expressions in which those that have the same
// meaning as the known ones at their places have these texts.
func sameExpressions(expressions, known types.List) types.List {
	before, now := known.Elements(), slices.Clone(expressions.Elements())
	for i := range min(len(before), len(now)) {
		if sameExpression(before[i], now[i]) {
			now[i] = before[i]
		}
	}
	return types.ListValueMust(types.StringType, now)
}

func sameExpression(one, other attr.Value) bool {
	a, isText := one.(types.String)
	b, alsoText := other.(types.String)
	return isText && alsoText && IsKnown(a) && IsKnown(b) && !a.Equal(b) && policy.Same(a.ValueString(), b.ValueString())
}
