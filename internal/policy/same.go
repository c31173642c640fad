package policy

import (
	"fmt"
	"strings"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
)

// Same reports whether two expressions mean the same because they differ only in
// what the grammar ignores: white space, comments, superfluous parentheses, and the
// notation of strings and numbers. It returns false if one of them is not valid.
func Same(a, b string) bool {
	one, ok := structureOf(a)
	if !ok {
		return false
	}
	other, ok := structureOf(b)
	return ok && one == other
}

// structureOf returns a text that is equal for expressions with the same parts.
func structureOf(expression string) (string, bool) {
	parsed, invalid := Parse(common.NewTextSource(expression))
	if len(invalid.GetErrors()) > 0 {
		return "", false
	}
	var s structure
	ast.PreOrderVisit(parsed.Expr(), &s)
	return s.String(), true
}

// A structure visits the parts of an expression, each before its operands. It
// writes how many operands follow, so that no two expressions have one text.
type structure struct{ strings.Builder }

func (s *structure) VisitExpr(part ast.Expr) {
	switch part.Kind() {
	case ast.CallKind:
		call := part.AsCall()
		fmt.Fprintf(s, "call %q %t %d\n", call.FunctionName(), call.IsMemberFunction(), len(call.Args()))
	case ast.ComprehensionKind:
		macro := part.AsComprehension()
		fmt.Fprintf(s, "macro %q %q %q\n", macro.IterVar(), macro.IterVar2(), macro.AccuVar())
	case ast.IdentKind:
		fmt.Fprintf(s, "variable %q\n", part.AsIdent())
	case ast.ListKind:
		list := part.AsList()
		fmt.Fprintf(s, "list %d %v\n", list.Size(), list.OptionalIndices())
	case ast.LiteralKind:
		value := part.AsLiteral()
		fmt.Fprintf(s, "%s %q\n", value.Type().TypeName(), fmt.Sprint(value.Value()))
	case ast.MapKind:
		fmt.Fprintf(s, "map %d\n", part.AsMap().Size())
	case ast.SelectKind:
		fmt.Fprintf(s, "member %q %t\n", part.AsSelect().FieldName(), part.AsSelect().IsTestOnly())
	case ast.StructKind:
		fmt.Fprintf(s, "struct %q %d\n", part.AsStruct().TypeName(), len(part.AsStruct().Fields()))
	}
}

// VisitEntryExpr visits an entry of a map or struct, before its key and value.
func (s *structure) VisitEntryExpr(entry ast.EntryExpr) {
	if entry.Kind() == ast.MapEntryKind {
		fmt.Fprintf(s, "entry %t\n", entry.AsMapEntry().IsOptional())
		return
	}
	fmt.Fprintf(s, "field %q %t\n", entry.AsStructField().Name(), entry.AsStructField().IsOptional())
}
