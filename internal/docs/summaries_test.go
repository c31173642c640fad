package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// summaryArgument is the position of the summary in the calls that add a diagnostic.
var summaryArgument = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1, "NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0,
	"misspelled": 0, "unusual": 0,
}

// TestTroubleshooting_hasEverySummary checks that somebody who searches the guide for
// the constant words of a summary finds a heading, or a line of code below it.
func TestTroubleshooting_hasEverySummary(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../templates/guides/troubleshooting.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	quoted := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(guide), -1) {
		quoted[strings.Trim(code, "`")] = true
	}
	all := summaries(t)
	if len(all) < 60 {
		t.Errorf("only %d summaries found in the source: %q", len(all), all)
	}
	for _, summary := range all {
		found := false
		for _, words := range wordsOf(summary) {
			found = found || quoted[words] || quoted[firstTwo(words)]
		}
		if !found {
			t.Errorf("the guide Troubleshooting has no `%s`", strings.Join(wordsOf(summary), "` or `"))
		}
	}
}

// firstTwo returns the first two words of a longer text.
func firstTwo(text string) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(2, len(words))], " ")
}

// wordsOf returns the texts between the verbs of a summary.
func wordsOf(summary string) []string {
	var words []string
	for _, part := range regexp.MustCompile(`%[a-z]`).Split(summary, -1) {
		if part = strings.Trim(part, " ()"); part != "" {
			words = append(words, part)
		}
	}
	return words
}

// summaries returns the summaries in the source of the provider, with %s for what is
// not constant.
func summaries(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		if strings.HasPrefix(name, "../cmd/") || strings.HasPrefix(name, "../acctest/") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		constants := constantsOf(file)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if at, ok := summaryArgument[called(node)]; ok && len(node.Args) > at {
					all = append(all, textOf(node.Args[at], constants))
				}
			case *ast.KeyValueExpr:
				if key, ok := node.Key.(*ast.Ident); ok && (key.Name == "Summary" || key.Name == "title") && !strings.HasPrefix(name, "../function/") {
					all = append(all, textOf(node.Value, constants))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(text string) bool { return len(wordsOf(text)) == 0 }) // passed on by a helper
	slices.Sort(all)
	return slices.Compact(all)
}

func called(call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name
	case *ast.Ident:
		return function.Name
	}
	return ""
}

// constantsOf returns the texts of the constants of a file, and of the variables that
// get only one text.
func constantsOf(file *ast.File) map[string]string {
	texts := map[string]string{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			for i, name := range node.Names {
				if i < len(node.Values) {
					texts[name.Name] = textOf(node.Values[i], nil)
				}
			}
		case *ast.AssignStmt:
			for i, left := range node.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(node.Lhs) == len(node.Rhs) && strings.Contains(strings.ToLower(name.Name), "summary") {
					texts[name.Name] = textOf(node.Rhs[i], texts)
				}
			}
		}
		return true
	})
	return texts
}

// textOf returns the text of an expression, with %s for a part that is not constant.
func textOf(value ast.Expr, constants map[string]string) string {
	switch value := value.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(value.Value); err == nil && value.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return textOf(value.X, constants) + textOf(value.Y, constants)
	case *ast.CallExpr:
		if called(value) == "Sprintf" && len(value.Args) > 0 {
			return textOf(value.Args[0], constants)
		}
	case *ast.Ident:
		if text, ok := constants[value.Name]; ok {
			return text
		}
	}
	return "%s"
}
