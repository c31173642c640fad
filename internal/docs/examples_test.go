package docs

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// examples is the directory of the examples. The tests apply, validate or run every file in it.
const examples = "../../examples"

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(examples, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(os.DirFS(examples), pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("no example is at %s: %v", pattern, err)
	}
	return found
}

// applyAndDestroy applies an example, checks that a second plan has no changes, and destroys the resources.
func applyAndDestroy(t *testing.T, tf *acctest.Terraform) {
	t.Helper()
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
}

func TestAccExamples_apply(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"provider/*.tf", "guides/getting-started/*.tf", "guides/rotation/*.tf", "guides/private-keys/*.tf", "complete/*.tf"} {
		for _, name := range glob(t, pattern) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, ids := newWorld(t)
				applyAndDestroy(t, terraform(t, w, substituteIDs(t, read(t, name), ids)))
			})
		}
	}
	for _, pattern := range []string{"data-sources/*/data-source.tf", "functions/*/function.tf"} {
		for _, name := range glob(t, pattern) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, ids := populatedWorld(t)
				applyAndDestroy(t, terraform(t, w, substituteIDs(t, read(t, name), ids)))
			})
		}
	}
}

func TestAccExamples_applyAndImportResources(t *testing.T) {
	t.Parallel()
	for _, name := range glob(t, "resources/*/resource.tf") {
		kind := path.Base(path.Dir(name))
		settings := acctest.KindOf(t, kind).HasSettings
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w, ids := newWorld(t)
			tf := terraform(t, w, substituteIDs(t, read(t, name), ids))
			tf.Apply(t)
			tf.ExpectNoChanges(t)

			byID := read(t, path.Join("resources", kind, "import-by-string-id.tf"))
			to := regexp.MustCompile(`to *= *(\S+)`).FindStringSubmatch(byID)[1]
			if id := stateID(t, tf, to); id != "" {
				ids = maps.Clone(ids)
				ids[prefix(id)] = id
			}
			for _, form := range []string{"import-by-string-id.tf", "import-by-identity.tf"} {
				t.Run(form, func(t *testing.T) {
					if form == "import-by-identity.tf" {
						tf.Needs(t, acctest.ImportByIdentity)
					}
					tf.Forget(t, to)
					tf.Write(t, "import.tf", substituteIDs(t, read(t, path.Join("resources", kind, form)), ids))
					out := tf.Plan(t, tfexec.Out("import.plan"))
					if !strings.Contains(out, "1 to import, 0 to add, ") || !strings.Contains(out, ", 0 to destroy") || !settings && !strings.Contains(out, "0 to change") {
						t.Errorf("the import changes something:\n%s", acctest.Summary(out))
					}
					tf.Apply(t, tfexec.DirOrPlan("import.plan"))
					tf.ExpectNoChanges(t)
				})
			}
			t.Run("import.sh", func(t *testing.T) {
				command := regexp.MustCompile(`(?m)^terraform import (\S+) (\S+)$`).FindStringSubmatch(substituteIDs(t, read(t, path.Join("resources", kind, "import.sh")), ids))
				if command == nil {
					t.Fatal("import.sh holds no terraform import")
				}
				tf.Write(t, "import.tf", "")
				tf.Forget(t, to)
				tf.Import(t, command[1], command[2])
				if settings {
					tf.Apply(t)
				}
				tf.ExpectNoChanges(t)
			})
			tf.Destroy(t)
		})
	}
}

// stateID returns the id of a resource in the state, or an empty string if it has no id.
func stateID(t *testing.T, tf *acctest.Terraform, address string) string {
	t.Helper()
	for _, resource := range tf.State(t).Values.RootModule.Resources {
		if resource.Address == address {
			id, _ := resource.AttributeValues["id"].(string)
			return id
		}
	}
	t.Fatalf("%s is not in the state", address)
	return ""
}

// TestExamples_complete checks that all expected files exist and that no other files exist.
func TestExamples_complete(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	want := map[string]bool{"provider/provider.tf": true, "demo/main.tf": true, "demo/import/main.tf": true, "complete/main.tf": true}
	for name := range p.Schema.ResourceSchemas {
		for _, file := range []string{"resource.tf", "import.sh", "import-by-string-id.tf", "import-by-identity.tf"} {
			want["resources/"+name+"/"+file] = true
		}
	}
	for name := range p.Schema.DataSourceSchemas {
		want["data-sources/"+name+"/data-source.tf"] = true
	}
	for name := range p.Schema.ListResourceSchemas {
		want["list-resources/"+name+"/list-resource.tfquery.hcl"] = true
	}
	for name := range p.Schema.Functions {
		want["functions/"+name+"/function.tf"] = true
	}
	for _, name := range []string{
		"getting-started/main.tf", "rotation/main.tf", "private-keys/main.tf", "import/main.tf", "query/account.tfquery.hcl", "orphans/main.tf",
		"gitops/plan.yml", "gitops/apply.yml", "gitops/drift.yml", "gitops/gitlab-ci.yml", "gitops/gate.sh",
	} {
		want["guides/"+name] = true
	}
	err := fs.WalkDir(os.DirFS(examples), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(name, ".terraform") {
			return err
		}
		if !want[name] {
			t.Errorf("%s is tested nowhere", name)
		}
		delete(want, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		t.Errorf("%s is missing", name)
	}
}

func TestExamples_formatted(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(os.DirFS(examples), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".tf") && !strings.HasSuffix(name, ".hcl") {
			return err
		}
		if content := read(t, name); string(hclwrite.Format([]byte(content))) != content {
			t.Errorf("%s is not as terraform fmt writes it", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestExamples_backendsCreateBeforeDestroy exists because without create_before_destroy, Terraform deletes a backend
// before it updates the objects that refer to it. The service refuses that.
func TestExamples_backendsCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	count := 0
	for _, pattern := range []string{"complete/*.tf", "demo/*.tf", "guides/*/*.tf", "resources/*/resource.tf"} {
		for _, name := range glob(t, pattern) {
			file, diags := hclwrite.ParseConfig([]byte(read(t, name)), name, hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			for _, block := range file.Body().Blocks() {
				switch labels := block.Labels(); {
				case block.Type() != "resource":
				case slices.Contains([]string{"tunnel_group_backend", "tunnel_http_response_backend", "tunnel_failover_backend"}, labels[0]):
					count++
					if lifecycle := block.Body().FirstMatchingBlock("lifecycle", nil); lifecycle == nil || lifecycle.Body().GetAttribute("create_before_destroy") == nil {
						t.Errorf("%s: %s lacks create_before_destroy", name, strings.Join(labels, "."))
					}
				}
			}
		}
	}
	if count < 10 {
		t.Errorf("only %d backends in the examples", count)
	}
}
