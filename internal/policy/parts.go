package policy

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// condition checks whether the result of an expression can be a bool.
func (c *checker) condition(e ast.Expr) {
	what := ""
	switch e.Kind() {
	case ast.LiteralKind:
		if _, isBool := literal[types.Bool](e); !isBool {
			what = withArticle(e.AsLiteral().Type().TypeName())
		}
	case ast.ListKind:
		what = "a list"
	case ast.MapKind, ast.StructKind:
		what = "a map"
	case ast.IdentKind, ast.SelectKind:
		if slices.Contains(PublicVariables, variable(e)) {
			what = "the value of " + variable(e)
		}
	case ast.ComprehensionKind:
		macro := e.AsComprehension()
		if result := macro.Result(); result.Kind() == ast.IdentKind && result.AsIdent() == macro.AccuVar() {
			if macro.AccuInit().Kind() == ast.ListKind {
				what = "a list"
			}
			break
		}
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot, operators.Conditional:
			for _, argument := range call.Args() {
				c.condition(argument)
			}
		default:
			if c.others[call.FunctionName()] {
				what = "the result of " + displayName(call)
			}
		}
	}
	if what != "" {
		c.add(Problem{Kind: NoCondition, Reason: what + " cannot be true or false"}, e)
	}
}

// displayName returns a function, or an operator as it is written.
func displayName(call ast.CallExpr) string {
	if operator, ok := operators.FindReverse(call.FunctionName()); ok {
		return cmp.Or(operator, "? :")
	}
	return quote.Foreign(call.FunctionName())
}

// isAddress reports whether an expression is a variable that holds an address.
func isAddress(e ast.Expr) bool {
	name := variable(e)
	return strings.HasSuffix(name, "_ip") && slices.Contains(PublicVariables, name)
}

// variable returns the name of a variable, such as conn.client_ip, or "" for
// other expressions.
func variable(e ast.Expr) string {
	name := ""
	for e.Kind() == ast.SelectKind && !e.AsSelect().IsTestOnly() {
		name = "." + e.AsSelect().FieldName() + name
		e = e.AsSelect().Operand()
	}
	if e.Kind() != ast.IdentKind {
		return ""
	}
	return e.AsIdent() + name
}

// qualified returns the name of a function, such as rand.int: what it is called
// on belongs to the name if it is not a part of conn.
func qualified(call ast.CallExpr) string {
	if call.IsMemberFunction() {
		if of := variable(call.Target()); of != "" && !strings.Contains(of, ".") && of != "conn" {
			return of + "." + call.FunctionName()
		}
	}
	return call.FunctionName()
}

func elements(list ast.Expr) []ast.Expr {
	switch list.Kind() {
	case ast.ListKind:
		return list.AsList().Elements()
	case ast.LiteralKind:
		return []ast.Expr{list}
	}
	return nil
}

func isString(e ast.Expr) bool {
	_, ok := literal[types.String](e)
	return ok
}

// literal returns the value of a literal of a type.
func literal[T types.String | types.Bool](e ast.Expr) (value T, ok bool) {
	if e.Kind() == ast.LiteralKind {
		value, ok = e.AsLiteral().(T)
	}
	return value, ok
}

// parseBlock parses a range in CIDR notation.
func parseBlock[T ~string](text T) (netip.Prefix, error) {
	block, err := netip.ParsePrefix(string(text))
	if err != nil {
		return block, fmt.Errorf("%s is not a range in CIDR notation", quote.Value(string(text)))
	}
	return block, nil
}

func withArticle(name string) string {
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
