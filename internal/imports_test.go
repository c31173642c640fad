package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tunnel-service/terraform-provider-tunnel/"

// allowed names what each layer may import of this module. internal/objects/any
// stands for the packages of objects.
var allowed = map[string][]string{
	"internal/api":           {"internal/api/gate"},
	"internal/api/gate":      {},
	"internal/quote":         {},
	"internal/policy":        {"internal/quote"},
	"internal/attribute":     {"internal/api", "internal/policy", "internal/quote"},
	"internal/crud":          {"internal/api", "internal/attribute", "internal/quote"},
	"internal/protocol":      {"internal/attribute", "internal/crud", "internal/quote"},
	"internal/edgemodule":    {"internal/api", "internal/crud"},
	"internal/action":        {"internal/api", "internal/attribute", "internal/crud", "internal/quote"},
	"internal/attribute/pki": {"internal/attribute", "internal/quote"},
	"internal/function":      {"internal/attribute", "internal/attribute/pki", "internal/policy", "internal/quote"},
	"internal/objects/any": {
		"internal/api", "internal/attribute", "internal/attribute/pki", "internal/crud", "internal/edgemodule", "internal/quote",
	},

	"testserver/internal/problem":     {},
	"testserver/internal/page":        {},
	"testserver/internal/store":       {},
	"testserver/internal/copy":        append(within("problem"), "testserver"),
	"testserver/internal/calendar":    append(within("copy", "problem"), "testserver"),
	"testserver/internal/explore":     append(within("copy", "problem", "traffic"), "testserver"),
	"testserver/internal/body":        within("problem"),
	"testserver/internal/keys":        within("body", "problem"),
	"testserver/internal/contract":    within("body", "problem"),
	"testserver/internal/engine":      within("body", "contract", "problem", "store"),
	"testserver/internal/kinds":       within("body", "engine", "keys", "problem", "store"),
	"testserver/internal/behavior":    within("body", "engine", "keys", "problem"),
	"testserver/internal/conformance": within("body", "contract", "keys", "problem"),
	"testserver/internal/record":      within("body", "engine"),
	"testserver/internal/traffic":     within("problem", "store"), // sees the account, and decides nothing for the server
	"testserver/internal/plane":       within("engine", "keys", "kinds", "store", "traffic"),
	"testserver": within("behavior", "body", "contract", "engine", "keys", "kinds", "page", "plane", "problem", "record", "store",
		"traffic"),
}

// within returns the paths of packages in testserver/internal.
func within(names ...string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, "testserver/internal/"+name)
	}
	return paths
}

// free may import anything: main, the provider, commands, and what tests share.
func free(folder string) bool {
	return slices.Contains([]string{"", "internal/provider", "internal/acctest", "testserver/cmd/tunnel-testserver"}, folder) ||
		strings.HasPrefix(folder, "internal/cmd/")
}

// mayTest are the folders that may import the test server outside of tests.
var mayTest = []string{
	"internal/acctest", "internal/cmd/bench", "internal/cmd/demo", "testserver/cmd/tunnel-testserver",
	"testserver/internal/copy", "testserver/internal/calendar", "testserver/internal/explore",
}

func TestImports_runDownwards(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		folder, err := filepath.Rel("..", filepath.Dir(file))
		if err != nil {
			return err
		}
		from := strings.TrimPrefix(filepath.ToSlash(folder), ".")
		for _, to := range imports(t, file) {
			seen++
			if to == "testserver" && !slices.Contains(mayTest, from) {
				t.Errorf("%s imports the test server: only tests may", file)
			}
			if free(from) {
				continue
			}
			layer := from
			if path.Dir(layer) == "internal/objects" {
				layer = "internal/objects/any"
			}
			if _, ok := allowed[layer]; !ok {
				t.Errorf("%s is in no layer", from)
			}
			if !slices.Contains(allowed[layer], to) {
				t.Errorf("%s imports %s, which is not below it", file, to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d imports were found: the test looks in the wrong place", seen)
	}
}

// imports returns what a file imports of this module.
func imports(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, i := range file.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(imported, module); ok {
			own = append(own, to)
		}
	}
	return own
}
