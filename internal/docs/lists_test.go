package docs

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestListExamples_findObjects parses the list blocks itself and therefore does
// not need Terraform.
func TestListExamples_findObjects(t *testing.T) {
	t.Parallel()
	w, ids := startPopulatedServer(t)
	p := w.Protocol(t)
	for _, name := range append(glob(t, "list-resources/*/*"), glob(t, "guides/query/*")...) {
		t.Run(name, func(t *testing.T) {
			file, diags := hclsyntax.ParseConfig([]byte(substituteIDs(t, read(t, name), ids)), name, hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			body, ok := file.Body.(*hclsyntax.Body)
			if !ok || len(body.Blocks) == 0 {
				t.Fatal("there is no list")
			}
			for _, list := range body.Blocks {
				arguments := map[string]tftypes.Value{}
				for _, config := range list.Body.Blocks {
					for _, attribute := range config.Body.Attributes {
						value, diags := attribute.Expr.Value(nil)
						if diags.HasErrors() {
							t.Fatal(diags)
						}
						arguments[attribute.Name] = argument(value)
					}
				}
				if found := p.List(list.Labels[0], 0, arguments); len(found) == 0 {
					t.Errorf("%v finds nothing", list.Labels)
				}
			}
		})
	}
}

// argument converts a string or a map of strings to a protocol value.
func argument(value cty.Value) tftypes.Value {
	if value.Type() == cty.String {
		return acctest.Text(value.AsString())
	}
	elements := map[string]tftypes.Value{}
	for name, element := range value.AsValueMap() {
		elements[name] = acctest.Text(element.AsString())
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, elements)
}

func TestAccListExamples_query(t *testing.T) {
	t.Parallel()
	w, ids := startPopulatedServer(t)
	tf := w.Terraform(t, "")
	tf.Needs(t, acctest.Query)
	tf.Init(t)
	for _, name := range append(glob(t, "list-resources/*/*"), glob(t, "guides/query/*")...) {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "example.tfquery.hcl", substituteIDs(t, read(t, name), ids))
			if out := tf.Run(t, "query", "-no-color"); out == "" {
				t.Error("the query finds nothing")
			}
		})
	}
}
