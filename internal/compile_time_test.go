package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Every package that uses a type compiles the generic types that its methods mention, for
// all kinds of objects. With one such method for each kind, a build took three times as
// long. Use a function instead of a method, as in package api.
func TestMethods_mentionNoGenericType(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, pattern := range []string{"api/*.go", "crud/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, declaration := range file.Decls {
				method, ok := declaration.(*ast.FuncDecl)
				if !ok || method.Recv == nil || mentionsGeneric(method.Recv) {
					continue
				}
				seen++
				if mentionsGeneric(method.Type) {
					t.Errorf("%s: the method %s mentions a generic type", set.Position(method.Pos()), method.Name)
				}
			}
		}
	}
	if seen < 50 {
		t.Fatalf("only %d methods were found: the test looks in the wrong place", seen)
	}
}

// mentionsGeneric reports whether a part of a declaration names a generic type of its own
// package.
func mentionsGeneric(node ast.Node) bool {
	found := false
	ast.Inspect(node, func(node ast.Node) bool {
		var of ast.Expr
		switch node := node.(type) {
		case *ast.IndexExpr:
			of = node.X
		case *ast.IndexListExpr:
			of = node.X
		}
		if _, own := of.(*ast.Ident); own {
			found = true
		}
		return !found
	})
	return found
}
