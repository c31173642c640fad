package attribute

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// CELMeaning are the validators that warn about valid expressions that a service
// rejects, or that never match. Terraform shows only the first of several warnings
// with the same summary, so these name the kind of the problem and the expression.
var CELMeaning = []validator.String{
	CELVariables,
	unusual("Unusual function", "known functions", policy.UnknownFunction),
	unusual("Unusual address", "addresses and ranges where they are compared", policy.NoAddress),
	unusual("Unusual condition", "a condition", policy.NoCondition),
	unusual("Unusual comparison", "values that a variable can have", policy.NoValue),
}

// WithoutSNI warns about expressions for connections without TLS that use the name that
// a client sends in a TLS handshake.
var WithoutSNI = misspelled("Unusual variable without TLS", "variables of TCP connections", func(expression string) error {
	const sni = "conn.tls.sni"
	parsed, found := policy.Parse(common.NewTextSource(expression))
	if len(found.GetErrors()) > 0 || !slices.Contains(policy.Variables(parsed), sni) { // an error of CEL
		return nil
	}
	return errors.New("has the variable " + sni + ", which connections without TLS do not have. To select by name, use an edge with TLS")
})

func unusual(summary, description string, kind policy.ProblemKind) validator.String {
	return check{title: summary, description: description, rule: problems(kind), limit: true, warns: true, placed: true}
}

// problems returns the rule that an expression has no problem of a kind.
func problems(kind policy.ProblemKind) func(string) error {
	return func(expression string) error {
		var texts []string
		for _, problem := range policy.Check(expression) {
			if problem.Kind != kind {
				continue
			}
			at := fmt.Sprintf("at column %d", problem.Column)
			if strings.Contains(expression, "\n") {
				at = fmt.Sprintf("at line %d, column %d", problem.Line, problem.Column)
			}
			text := at + ", " + problem.Reason
			if kind == policy.UnknownFunction {
				text = misspelledFunction(problem.Function, at)
			}
			if text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			return nil
		}
		if kind == policy.UnknownFunction {
			return errors.New(strings.Join(texts, " It "))
		}
		return errors.New("may never match: " + strings.Join(texts, "; "))
	}
}

// misspelledFunction returns a text about a function whose name is one edit away
// from a known one, and "" for others, which the service may have. A name of three
// characters or less is never meant: hash is not a misspelled has.
func misspelledFunction(name, at string) string {
	long := slices.DeleteFunc(policy.Functions(), func(known string) bool { return len(known) <= 3 && !strings.EqualFold(known, name) })
	meant := OneEditFrom(name, long...)
	if meant == "" {
		return ""
	}
	return fmt.Sprintf("has the function %s %s. Did you mean %s?", quote.Foreign(name), at, meant)
}
