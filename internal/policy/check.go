package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/operators"
	"cel.dev/cel-go/common/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// A rule whose expression is valid CEL can still apply to no traffic at all. Check
// finds the parts of an expression that no connection makes meaningful. It knows
// what evaluations know: their functions, and what is an address or a range.

// ProblemKind is a kind of problem.
type ProblemKind int

// The kinds of problems.
const (
	// UnknownFunction is a function that evaluations do not know. The service may
	// have it: no list of functions is complete.
	UnknownFunction ProblemKind = iota
	// NoAddress is a text that is not an address or a range, where one is compared.
	NoAddress
	// NoCondition is an expression whose result is not a bool.
	NoCondition
	// NoValue is a value that the variable it is compared with never has.
	NoValue
)

// Problem is a part of an expression that probably does not mean what it should.
type Problem struct {
	Kind ProblemKind
	// Function is the name of an unknown function.
	Function string
	// Reason explains the other kinds, with the part of the expression.
	Reason string
	// Line and Column are the place of the part, counted from 1.
	Line, Column int
}

// mostProblems is the maximum number of problems that are reported.
const mostProblems = 20

// Check returns the problems of an expression, in order. It returns none if the
// syntax is invalid.
func Check(expression string) []Problem {
	parsed, invalid := Parse(common.NewTextSource(expression))
	if len(invalid.GetErrors()) > 0 {
		return nil
	}
	return check(parsed, expression)
}

func check(parsed *ast.AST, expression string) []Problem {
	known, err := environments()
	if err != nil {
		return nil
	}
	c := &checker{environment: known, info: parsed.SourceInfo(), text: []rune(expression), lists: map[string]ast.Expr{}}
	ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(c.visit))
	c.condition(parsed.Expr())
	slices.SortStableFunc(c.found, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return c.found[:min(len(c.found), mostProblems)]
}

type checker struct {
	*environment
	info  *ast.SourceInfo
	text  []rune
	lists map[string]ast.Expr // the lists that the variables of macros go through
	found []Problem
}

func (c *checker) add(p Problem, at ast.Expr) {
	p.Line, p.Column = c.place(at)
	c.found = append(c.found, p)
}

// place returns the line and column where a part begins. The parser's place of a
// call is its parenthesis, and that of a member is its dot.
func (c *checker) place(part ast.Expr) (line, column int) {
	for part.Kind() == ast.SelectKind || part.Kind() == ast.ComprehensionKind {
		if part.Kind() == ast.SelectKind {
			part = part.AsSelect().Operand()
		} else {
			part = part.AsComprehension().IterRange()
		}
	}
	at, _ := c.info.GetOffsetRange(part.ID())
	start := min(int(at.Start), len(c.text))
	if part.Kind() == ast.CallKind && start < len(c.text) && c.text[start] == '(' {
		for start > 0 && strings.ContainsRune(" \t\r\n", c.text[start-1]) {
			start--
		}
		start = max(0, start-len([]rune(part.AsCall().FunctionName())))
	}
	before := string(c.text[:start])
	return strings.Count(before, "\n") + 1, len([]rune(before[strings.LastIndex(before, "\n")+1:])) + 1
}

func (c *checker) visit(part ast.Expr) {
	if part.Kind() == ast.ComprehensionKind {
		c.lists[part.AsComprehension().IterVar()] = part.AsComprehension().IterRange()
		return
	}
	if part.Kind() != ast.CallKind {
		return
	}
	call := part.AsCall()
	arguments := call.Args()
	if call.IsMemberFunction() {
		arguments = append([]ast.Expr{call.Target()}, arguments...)
	}
	switch name := call.FunctionName(); name {
	case inRange, inRanges:
		c.ranges(part, name, arguments)
	case operators.Equals, operators.NotEquals:
		c.compared(arguments[0], arguments[1])
		c.compared(arguments[1], arguments[0])
	case operators.In:
		if _, isText := literal[types.String](arguments[1]); isText {
			c.add(Problem{Kind: NoAddress, Reason: inText(arguments[0], arguments[1])}, arguments[1])
			return
		}
		for _, element := range elements(arguments[1]) {
			c.compared(arguments[0], element)
		}
	default:
		_, known := c.functions.FindOverload(name)
		if full := qualified(call); !known || full != name && !c.methods[name] { // such as rand.double
			c.add(Problem{Kind: UnknownFunction, Function: full}, part)
		}
	}
}

// ranges checks the arguments of inCidrRange and inCidrRanges.
func (c *checker) ranges(call ast.Expr, name string, arguments []ast.Expr) {
	if len(arguments) != 2 {
		c.add(Problem{Kind: NoAddress, Reason: fmt.Sprintf("%s expects an address and a range; found %d arguments", name, len(arguments))}, call)
		return
	}
	address, block := arguments[0], arguments[1]
	text, isText := literal[types.String](address)
	_, notRange := parseBlock(text)
	if isAddress(block) || isText && notRange == nil {
		c.add(Problem{Kind: NoAddress, Reason: fmt.Sprintf(
			"%s expects the address first, such as inCidrRange(conn.client_ip, '192.0.2.0/24'); the arguments are swapped", name,
		)}, call)
		return
	}
	if _, err := parseAddress(string(text)); isText && err != nil {
		c.add(Problem{Kind: NoAddress, Reason: name + ": " + err.Error()}, address)
	}
	blocks := []ast.Expr{block}
	if block.Kind() == ast.IdentKind && c.lists[block.AsIdent()] != nil { // a variable of a macro
		blocks = elements(c.lists[block.AsIdent()])
	}
	if name == inRanges {
		blocks = elements(block)
	}
	for _, block := range blocks {
		if block.Kind() == ast.ListKind || block.Kind() == ast.LiteralKind && !isString(block) || name == inRanges && isString(arguments[1]) {
			c.add(Problem{Kind: NoAddress, Reason: expectations[name]}, block)
			continue
		}
		if text, isText := literal[types.String](block); isText {
			if _, err := parseBlock(text); err != nil {
				c.add(Problem{Kind: NoAddress, Reason: name + ": " + err.Error()}, block)
			}
		}
	}
}

// compared checks a text that is compared with a variable.
func (c *checker) compared(value, other ast.Expr) {
	text, isText := literal[types.String](other)
	switch name := variable(value); {
	case !isText:
	case isAddress(value):
		c.addresses(value, other, text)
	case name == "conn.geo.country_code" && !countryCode.MatchString(string(text)):
		c.add(Problem{Kind: NoValue, Reason: fmt.Sprintf(
			"%s is two capital letters, such as 'DE', and is compared with %s", name, quote.Value(string(text)),
		)}, other)
	case name == "conn.client_port", name == "conn.server_port":
		c.add(Problem{Kind: NoValue, Reason: fmt.Sprintf(
			"%s is a number and is compared with the string %s. Remove the quotes", name, quote.Value(string(text)),
		)}, other)
	}
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// addresses checks a text that is compared with an address.
func (c *checker) addresses(address, other ast.Expr, text types.String) {
	_, err := parseAddress(string(text))
	if err == nil {
		return
	}
	reason := fmt.Sprintf("%s is compared with a text that is no address: %s", quote.Foreign(variable(address)), err)
	if _, err := parseBlock(text); err == nil {
		reason = fmt.Sprintf(
			"%s is compared with a range as if it were text. Use inCidrRange(%[1]s, '%[2]s')", quote.Foreign(variable(address)), text,
		)
	}
	c.add(Problem{Kind: NoAddress, Reason: reason}, other)
}

// inText explains why nothing is in a text.
func inText(value, text ast.Expr) string {
	found, _ := literal[types.String](text)
	if _, err := parseBlock(found); err == nil && variable(value) != "" {
		return fmt.Sprintf("in needs a list; found a string. For a range, use inCidrRange(%s, '%s')", quote.Foreign(variable(value)), found)
	}
	return "in needs a list; found a string. Write a list, such as in ['192.0.2.1'], or use contains() to find a part of a string"
}
