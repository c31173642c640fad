package policy

import (
	"sync"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/parser"
)

// parsers are created once, on first use. The fast parser takes microseconds and
// has readable error messages, but rejects some valid expressions, such as {,}.
// The exact parser is generated from the language's grammar, takes about twenty
// times as long, and lists tokens in its error messages. Both have limits on the
// size and the depth of an expression.
var parsers = sync.OnceValue(func() (both struct{ fast, exact *parser.Parser }) {
	macros, optional := parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true)
	var err error
	if both.fast, err = parser.NewParser(macros, optional, parser.EnablePrattParser(true)); err == nil {
		both.exact, err = parser.NewParser(macros, optional)
	}
	if err != nil {
		panic(err) // the options are invalid
	}
	return both
})

// Parse parses a CEL expression. The exact parser confirms an error of the fast
// parser before it is returned.
func Parse(source common.Source) (*ast.AST, *common.Errors) {
	parsed, found := parsers().fast.Parse(source)
	if len(found.GetErrors()) > 0 {
		if confirmed, sure := parsers().exact.Parse(source); len(sure.GetErrors()) == 0 {
			return confirmed, sure
		}
	}
	return parsed, found
}
