package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testName = regexp.MustCompile(`^(TestAcc|Test)[A-Z][A-Za-z0-9]*_[a-z][A-Za-z0-9]*$|^(Fuzz|Benchmark)[A-Z][A-Za-z0-9_]*$`)

// Tests that run Terraform are called TestAcc<Resource>_<case>, others
// Test<Thing>_<case>. Package acctest refuses to run Terraform for other names.
func TestNames_followPattern(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() || !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		for _, name := range testsIn(t, file) {
			seen++
			if !testName.MatchString(name) {
				t.Errorf("%s: %s does not match %s", file, name, testName)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 200 {
		t.Errorf("only %d tests were found: the test looks in the wrong place", seen)
	}
}

// testsIn returns the names of the tests, benchmarks and fuzz tests in a file.
func testsIn(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Recv != nil || function.Name.Name == "TestMain" {
			continue
		}
		for _, prefix := range []string{"Test", "Fuzz", "Benchmark"} {
			if strings.HasPrefix(function.Name.Name, prefix) {
				names = append(names, function.Name.Name)
			}
		}
	}
	return names
}
