package chaos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccTwoResources_renamedAndImported renames a resource without a moved block, and
// imports its object to the new address. An apply would delete the object that the new
// address has.
func TestAccTwoResources_renamedAndImported(t *testing.T) {
	t.Parallel()
	for _, kind := range acctest.Kinds {
		if kind.Type != "tunnel_ssh_credential" && kind.Type != "tunnel_https_edge_route_compression" && kind.Type != "tunnel_reserved_domain" {
			continue // one for each way to name an object
		}
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			keys := kind.Create(t, w)
			imports := func(name string) string {
				return fmt.Sprintf("import {\n  to       = %s.%s\n  id       = %q\n}\n", kind.Type, name, kind.ImportID(keys))
			}
			tf := w.Terraform(t, "")
			tf.Write(t, "import.tf", strings.Replace(imports("old"), "}", "  provider = tunnel\n}", 1))
			tf.Plan(t, tfexec.GenerateConfigOut("generated.tf"))
			tf.Write(t, "import.tf", imports("old"))
			tf.Apply(t)

			tf.Write(t, "generated.tf", strings.Replace(tf.Read(t, "generated.tf"), `"old"`, `"new"`, 1))
			tf.Write(t, "import.tf", imports("new"))
			for _, try := range []func() (string, error){
				func() (string, error) { return tf.TryPlan(t) },
				func() (string, error) { return tf.TryApply(t) },
			} {
				out, err := try()
				if err == nil || !acctest.InError("Two resources have the same", kind.ImportID(keys), "terraform state rm "+kind.Type).MatchString(out) {
					t.Fatalf("want an error about two resources:\n%s", acctest.Summary(out))
				}
			}
			if !w.Exists(kind.At(keys)) {
				t.Fatal("the object was deleted")
			}
			tf.Write(t, "removed.tf", fmt.Sprintf("removed {\n  from = %s.old\n  lifecycle {\n    destroy = false\n  }\n}\n", kind.Type))
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			tf.Destroy(t)
			if w.Exists(kind.At(keys)) {
				t.Error("the object still exists after destroy")
			}
		})
	}
}
