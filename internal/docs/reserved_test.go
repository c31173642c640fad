package docs

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestAccExamples_requireReserved runs the whole examples with a service that
// accepts only reserved domains and addresses: apply in an empty account, import
// into an empty state without changes, and destroy. The other tests run them
// without that rule.
func TestAccExamples_requireReserved(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, *acctest.Env) *acctest.Terraform{
		"complete": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			return terraform(t, w, read(t, "complete/main.tf"))
		},
		"demo": func(t *testing.T, w *acctest.Env) *acctest.Terraform {
			chain, key := testcert.Certificate(t, "www.example.com")
			return demo(t, w, chain, key)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _ := startServer(t, testserver.WithRequireReserved())
			before := len(w.Paths())
			tf := start(t, w)
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			importAll(t, w, tf)
			tf.Destroy(t)
			if after := w.Paths(); len(after) != before {
				t.Errorf("%d objects existed before, now there are %v", before, after)
			}
		})
	}
}

// importAll removes all resources from the state and imports them with the same
// configuration. An import may only add the settings that the service does not
// have to the state: nothing may change at the service.
func importAll(t *testing.T, w *acctest.Env, tf *acctest.Terraform) {
	t.Helper()
	var blocks strings.Builder
	remove := []string{"state", "rm"}
	for _, resource := range tf.State(t).Values.RootModule.Resources {
		kind := acctest.KindOf(t, resource.Type)
		keys := map[string]string{}
		for _, key := range kind.Keys() {
			keys[key], _ = resource.AttributeValues[key].(string)
		}
		fmt.Fprintf(&blocks, "import {\n  to = %s\n  id = %q\n}\n", resource.Address, kind.ImportID(keys))
		remove = append(remove, resource.Address)
	}
	tf.Run(t, remove...)
	tf.Write(t, "import.tf", blocks.String())
	w.ResetStats()
	out := tf.Plan(t, tfexec.Out("import.plan"))
	if !strings.Contains(out, fmt.Sprintf("Plan: %d to import, 0 to add, ", len(remove)-2)) || !strings.Contains(out, ", 0 to destroy") {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
	for _, changed := range regexp.MustCompile(`# (\w+)\.\S+ will be updated`).FindAllStringSubmatch(out, -1) {
		if !acctest.KindOf(t, changed[1]).HasSettings {
			t.Errorf("the import changes a %s:\n%s", changed[1], acctest.Summary(out))
		}
	}
	tf.Apply(t, tfexec.DirOrPlan("import.plan"))
	for request, n := range w.Stats().Requests {
		if !strings.HasPrefix(request, http.MethodGet) {
			t.Errorf("the import sent %d times %s", n, request)
		}
	}
	tf.ExpectNoChanges(t)
}
