package provider

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/protocol"
)

// TestGeneric_knowsNoKind checks that the code that all kinds share names none of
// them: it would be one more place to change for a new kind. Attributes of one
// word are left out, because they are words of the language, too.
func TestGeneric_knowsNoKind(t *testing.T) {
	t.Parallel()
	var words []string
	for _, k := range Kinds() {
		words = append(words, k.Path)
		if k.Noun != "API key" { // the provider itself has one
			words = append(words, k.Noun, k.Plural())
		}
		if k.Prefix != "" {
			words = append(words, k.Prefix)
		}
	}
	for name, resource := range protocol.Resources(New("test")()) {
		words = append(words, name)
		object, _ := resource.StateType(t.Context()).(tftypes.Object)
		for attribute := range object.AttributeTypes {
			if strings.Contains(attribute, "_") && attribute != "created_at" {
				words = append(words, attribute)
			}
		}
	}
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	known := regexp.MustCompile(`(?:^|[^A-Za-z_])(?:` + strings.Join(words, "|") + `)(?:$|[^A-Za-z_])`)
	// The provider block has attributes for some kinds, and kinds have files of
	// their own.
	own := regexp.MustCompile(`\(\s*Kind\{Noun: `)
	for _, pattern := range []string{"../api/*.go", "../crud/*.go", "../attribute/*.go", "../attribute/pki/*.go", "../protocol/*.go", "*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") || file == "provider.go" || own.Match(text) && !strings.HasSuffix(file, "api/kind.go") {
				continue
			}
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, file, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(parsed, func(node ast.Node) bool {
				if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if value, err := strconv.Unquote(literal.Value); err == nil && known.MatchString(value) {
						t.Errorf("%s names a kind: %s", set.Position(literal.Pos()), value)
					}
				}
				return true
			})
		}
	}
}
