package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tunnel-service/terraform-provider-tunnel/"

// allowed names what each layer may import of this module; a package that is
// not named here is an object, and the last line is for those.
var allowed = map[string][]string{
	"internal/api":       {},
	"internal/attribute": {"internal/api"},
	"internal/crud":      {"internal/api", "internal/attribute"},
	"internal/function":  {"internal/attribute"},
	"internal/demo":      {},
	"testserver":         {},
	"object":             {"internal/api", "internal/attribute", "internal/crud"},
}

// free may import anything: the top of the house, and what only tests use.
var free = []string{"", "internal/provider", "internal/acctest", "internal/bench", "internal/docs", "testserver/cmd/tunnel-testserver"}

func TestImportsRunDownwardsOnly(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		from := strings.TrimPrefix(filepath.ToSlash(folder), ".")
		for _, to := range imports(t, path) {
			seen++
			if to == "testserver" && !slices.Contains([]string{"internal/acctest", "internal/bench", "testserver/cmd/tunnel-testserver"}, from) {
				t.Errorf("%s imports the test server: only tests may", path)
			}
			if slices.Contains(free, from) {
				continue
			}
			layer := from
			if _, ok := allowed[layer]; !ok {
				layer = "object"
			}
			if !slices.Contains(allowed[layer], to) {
				t.Errorf("%s imports %s, which is not below it", path, to)
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
func imports(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(name, module); ok {
			own = append(own, to)
		}
	}
	return own
}
