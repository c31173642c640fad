package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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

// SECURITY.md names a test for each promise. It must exist.
func TestSecurity_namesTestsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	exists := map[string]bool{}
	err = filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, "_test.go") {
			for _, name := range testsIn(t, file) {
				exists[name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	promises, _, _ := strings.Cut(string(text), "## What it does not protect")
	for _, promise := range strings.Split(promises, "\n- **")[1:] {
		title, rest, _ := strings.Cut(promise, "**")
		if !strings.Contains(rest, "Tests: `") {
			t.Errorf("%s: no test is named", title)
		}
	}
	for _, name := range regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`").FindAllStringSubmatch(string(text), -1) {
		if !exists[name[1]] {
			t.Errorf("there is no test %s", name[1])
		}
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
