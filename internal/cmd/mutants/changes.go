package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

const (
	chosen   = "MUTANT"      // the environment variable with the number of a change; 0 is none
	hitsFile = "MUTANT_HITS" // the file that gets the numbers of the changes that are reached
)

// A change of the code.
type change struct {
	number int
	at     token.Position
	what   string
}

// chooser is the code that chooses one of n changes.
func chooser(n int) string {
	return fmt.Sprintf(`
import (
	"os"
	"strconv"
	"sync/atomic"
)

var (
	mutantChosen, _ = strconv.Atoi(os.Getenv(%q))
	mutantHits      = os.Getenv(%q)
	mutantReached   [%d]atomic.Bool
)

func mutant(n int) bool {
	if mutantHits != "" && !mutantReached[n].Swap(true) {
		if file, err := os.OpenFile(mutantHits, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, _ = file.WriteString(strconv.Itoa(n) + "\n")
			_ = file.Close()
		}
	}
	return n == mutantChosen
}
`, chosen, hitsFile, n+1)
}

// changesOf returns the changes of a file, numbered from before+1 on, and its text with
// all of them: comparisons and conditions are inverted, and each side of && and || and
// statements are omitted.
func changesOf(name string, before int) (all []change, text []byte, err error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	is := func(at token.Pos, what string) ast.Expr {
		number := before + len(all) + 1
		all = append(all, change{number, files.Position(at), what})
		return &ast.CallExpr{Fun: ast.NewIdent("mutant"), Args: []ast.Expr{&ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(number)}}}
	}
	both := func(x ast.Expr, op token.Token, y ast.Expr) ast.Expr {
		return &ast.ParenExpr{X: &ast.BinaryExpr{X: &ast.ParenExpr{X: x}, Op: op, Y: y}}
	}
	not := func(x ast.Expr) ast.Expr { return &ast.UnaryExpr{Op: token.NOT, X: x} }
	for _, declared := range parsed.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		astutil.Apply(function.Body, func(at *astutil.Cursor) bool {
			_, constant := at.Node().(*ast.GenDecl)
			return !constant
		}, func(at *astutil.Cursor) bool {
			switch node := at.Node().(type) {
			case *ast.BinaryExpr:
				switch node.Op {
				case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
					at.Replace(both(node, token.NEQ, is(node.OpPos, "invert "+node.Op.String())))
				case token.LAND:
					node.X = both(is(node.OpPos, "without the left side of &&"), token.LOR, node.X)
					node.Y = both(is(node.OpPos, "without the right side of &&"), token.LOR, node.Y)
				case token.LOR:
					node.X = both(not(is(node.OpPos, "without the left side of ||")), token.LAND, node.X)
					node.Y = both(not(is(node.OpPos, "without the right side of ||")), token.LAND, node.Y)
				}
			case *ast.IfStmt:
				switch node.Cond.(type) {
				case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.UnaryExpr:
					node.Cond = both(node.Cond, token.NEQ, is(node.If, "invert the condition"))
				}
			case *ast.ReturnStmt:
				for i, result := range node.Results {
					if name, ok := result.(*ast.Ident); ok && (name.Name == "true" || name.Name == "false") {
						node.Results[i] = both(result, token.NEQ, is(node.Return, "return not "+name.Name))
					}
				}
			case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
				if at.Index() >= 0 && canGo(node) {
					left := is(at.Node().Pos(), "without the statement")
					at.Replace(&ast.IfStmt{Cond: not(left), Body: &ast.BlockStmt{List: []ast.Stmt{node.(ast.Stmt)}}})
				}
			}
			return true
		})
	}
	var out bytes.Buffer
	err = format.Node(&out, files, parsed)
	return all, out.Bytes(), err
}

// canGo reports whether the code compiles without a statement.
func canGo(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.AssignStmt:
		blank := slices.ContainsFunc(node.Lhs, func(x ast.Expr) bool { name, ok := x.(*ast.Ident); return !ok || name.Name != "_" })
		return node.Tok != token.DEFINE && blank
	case *ast.ExprStmt:
		call, ok := node.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		return !ok || name.Name != "panic"
	}
	return true
}
