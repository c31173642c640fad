package testserver

import (
	"bytes"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the files in testdata, and openapi.yaml")

const ownPath = "github.com/tunnel-service/terraform-provider-tunnel/testserver"

// TestAPI_isUnchanged compares what the package exports with testdata/api.txt:
// other repositories import it. With -update, it rewrites the list.
func TestAPI_isUnchanged(t *testing.T) {
	t.Parallel()
	got := strings.Join(exportedAPI(t), "\n") + "\n"
	const golden = "testdata/api.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	before, after := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for _, line := range before {
		if !slices.Contains(after, line) {
			t.Errorf("the package no longer exports\n%s", line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			t.Errorf("the package now exports\n%s\nIf that is on purpose, run this test with -update", line)
		}
	}
}

// exportedAPI returns one line for each exported constant, variable, function,
// type, field and method of the package. It does not matter in which package
// behind an alias a type is declared.
func exportedAPI(t *testing.T) []string {
	t.Helper()
	pkg := loadPackage(t)
	scope := pkg.Scope()
	var renamed []string
	for _, name := range scope.Names() {
		if typ, ok := scope.Lookup(name).(*types.TypeName); ok && typ.Exported() {
			renamed = append(renamed, ownPath+"."+name, name)
			if named, ok := types.Unalias(typ.Type()).(*types.Named); ok {
				renamed = append(renamed, named.Obj().Pkg().Path()+"."+named.Obj().Name(), name)
			}
		}
	}
	names := strings.NewReplacer(renamed...)
	var lines []string
	add := func(format string, arguments ...any) {
		lines = append(lines, names.Replace(fmt.Sprintf(format, arguments...)))
	}
	for _, name := range scope.Names() {
		switch object := scope.Lookup(name).(type) {
		case *types.Const:
			if object.Exported() {
				add("const %s %s = %s", name, object.Type(), object.Val().ExactString())
			}
		case *types.Var:
			if object.Exported() {
				add("var %s %s", name, object.Type())
			}
		case *types.Func:
			if object.Exported() {
				add("func %s %s", name, object.Type())
			}
		case *types.TypeName:
			if object.Exported() {
				addType(add, name, types.Unalias(object.Type()))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// addType adds the lines of a type, its fields and its methods.
func addType(add func(string, ...any), name string, typ types.Type) {
	switch under := typ.Underlying().(type) {
	case *types.Struct:
		add("type %s struct", name)
		for field := range under.Fields() {
			if field.Exported() {
				add("field %s.%s %s", name, field.Name(), field.Type())
			}
		}
	default:
		add("type %s %s", name, under)
	}
	for selection := range types.NewMethodSet(types.NewPointer(typ)).Methods() {
		if method := selection.Obj(); method.Exported() {
			add("method %s.%s %s", name, method.Name(), method.Type())
		}
	}
}

// loadPackage loads this package as an importer sees it.
func loadPackage(t *testing.T) *types.Package {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", ownPath)
	var message bytes.Buffer
	list.Stderr = &message
	out, err := list.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, message.Bytes())
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", lookup).Import(ownPath)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}
