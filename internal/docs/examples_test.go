package docs

import (
	"fmt"
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

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// examples is the directory of the examples. The tests apply, validate or run
// every file in it.
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

// applyAndDestroy applies an example, checks that a second plan has no changes,
// and destroys the resources. Neither opens anything to clients.
func applyAndDestroy(t *testing.T, w *acctest.Env, tf *acctest.Terraform) {
	t.Helper()
	nothingOpened(t, w, func() { tf.Apply(t) })
	tf.ExpectNoChanges(t)
	nothingOpened(t, w, func() { tf.Destroy(t) })
}

// nothingOpened makes a change, and expects that it neither lets a client reach a backend
// that it reaches neither before nor after, nor interrupts anything.
func nothingOpened(t *testing.T, w *acctest.Env, change func()) {
	t.Helper()
	recording, stop := w.Record()
	change()
	stop()
	for _, timeline := range recording.Follow(recording.Requests(), w.World(nil)) {
		if class := timeline.Class(); class == "opened" || class == "interrupted" {
			t.Errorf("%s is %s:\n%v", timeline.Request, class, timeline.Between)
		}
	}
}

func TestAccExamples_apply(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"provider/*.tf", "guides/getting-started/*.tf", "guides/rotation/*.tf", "guides/private-keys/*.tf", "complete/*.tf"} {
		for _, name := range glob(t, pattern) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w, ids := startServer(t)
				applyAndDestroy(t, w, terraform(t, w, substituteIDs(t, read(t, name), ids)))
			})
		}
	}
}

// TestAccExamples_readAll applies the examples of data sources and functions,
// in an account with an object of every kind.
func TestAccExamples_readAll(t *testing.T) {
	t.Parallel()
	w, ids := startPopulatedServer(t)
	w.Create("/reserved_domains", `{"domain": "www.example.com"}`)
	applyAndDestroy(t, w, modules(t, w, ids, slices.Concat(
		glob(t, "data-sources/*/data-source*.tf"), glob(t, "functions/*/function*.tf"), glob(t, "ephemeral-resources/*/ephemeral-resource.tf"),
	)))
	if keys := w.List("/api_keys"); len(keys) > 1 { // one is for the data source
		t.Errorf("API keys are left: %v", keys)
	}
}

// TestAccExamples_actions validates the examples of actions, which wait for what only a
// real service has.
func TestAccExamples_actions(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	for _, name := range glob(t, "actions/*/action.tf") {
		tf := w.Terraform(t, read(t, name))
		tf.Needs(t, acctest.Actions)
		tf.Plan(t)
	}
}

// TestAccExamples_applyAndImportResources applies all examples of resources,
// and imports one resource of every type in each form. The lifecycle test of
// each kind runs terraform import with its ID; here, one type of each form of
// ID does.
func TestAccExamples_applyAndImportResources(t *testing.T) {
	t.Parallel()
	w, ids := startServer(t)
	tf := modules(t, w, ids, glob(t, "resources/*/resource*.tf"))
	nothingOpened(t, w, func() { tf.Apply(t) })
	tf.ExpectNoChanges(t)

	importable := map[string]map[string]string{} // ids by prefix that replace those in the import examples, by resource type
	addresses := map[string]string{}             // of the imported resource, by resource type
	for _, module := range tf.State(t).Values.RootModule.ChildModules {
		for _, kind := range acctest.Kinds {
			if module.Address != "module."+moduleName("resources/"+kind.Type+"/resource.tf") {
				continue
			}
			importable[kind.Type] = map[string]string{}
			for _, resource := range module.Resources {
				id, _ := resource.AttributeValues["id"].(string)
				importable[kind.Type][prefix(id)] = id
			}
			addresses[kind.Type] = module.Address + "." + importTo(t, kind.Type)
		}
	}
	example := func(kind acctest.Kind, form string) string {
		text := substituteIDs(t, read(t, path.Join("resources", kind.Type, form)), importable[kind.Type])
		return strings.Replace(text, importTo(t, kind.Type), addresses[kind.Type], 1)
	}

	for _, form := range []string{"import-by-string-id.tf", "import-by-identity.tf"} {
		t.Run(form, func(t *testing.T) {
			if form == "import-by-identity.tf" {
				tf.Needs(t, acctest.ImportByIdentity)
			}
			var blocks strings.Builder
			for _, kind := range acctest.Kinds {
				blocks.WriteString(example(kind, form))
			}
			tf.Run(t, append([]string{"state", "rm"}, slices.Collect(maps.Values(addresses))...)...)
			tf.Write(t, "import.tf", blocks.String())
			out := tf.Plan(t, "-out=import.plan")
			if !strings.Contains(out, fmt.Sprintf("%d to import, 0 to add, ", len(acctest.Kinds))) || !strings.Contains(out, ", 0 to destroy") {
				t.Errorf("the import changes something:\n%s", acctest.Summary(out))
			}
			for _, changed := range regexp.MustCompile(`# module\.\w+\.(\w+)\.\S+ will be updated`).FindAllStringSubmatch(out, -1) {
				if len(acctest.KindOf(t, changed[1]).ResourceOnly) == 0 {
					t.Errorf("the import changes a %s:\n%s", changed[1], acctest.Summary(out))
				}
			}
			tf.Apply(t, "import.plan")
			tf.ExpectNoChanges(t)
		})
	}
	t.Run("import.sh", func(t *testing.T) {
		tf.Write(t, "import.tf", "")
		for _, kind := range acctest.Kinds {
			command := regexp.MustCompile(`(?m)^terraform import (\S+) (\S+)$`).FindStringSubmatch(example(kind, "import.sh"))
			if command == nil {
				t.Fatalf("the import.sh of %s has no terraform import", kind.Type)
			}
			if block := example(kind, "import-by-string-id.tf"); !strings.Contains(block, fmt.Sprintf("%q", command[2])) {
				t.Errorf("%s: import.sh has the ID %s, but the block is\n%s", kind.Type, command[2], block)
			}
			if slices.Contains([]string{"tunnel_tls_certificate", "tunnel_event_source", "tunnel_https_edge_route_backend"}, kind.Type) {
				tf.Run(t, "state", "rm", addresses[kind.Type])
				tf.Run(t, "import", command[1], command[2])
			}
		}
		tf.Apply(t) // writes the settings to the state
		tf.ExpectNoChanges(t)
	})
	tf.Destroy(t)
}

// importTo returns the address in the import examples of a type.
func importTo(t *testing.T, kind string) string {
	t.Helper()
	return regexp.MustCompile(`to *= *(\S+)`).FindStringSubmatch(read(t, path.Join("resources", kind, "import-by-string-id.tf")))[1]
}

// TestExamples_complete checks that all expected files exist and that no other
// files exist.
func TestExamples_complete(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	want := map[string]bool{"provider/provider.tf": true, "demo/main.tf": true, "demo/import/main.tf": true, "complete/main.tf": true}
	for name := range p.Schema.ResourceSchemas {
		for _, file := range []string{"resource.tf", "import.sh", "import-by-string-id.tf", "import-by-identity.tf"} {
			want["resources/"+name+"/"+file] = true
		}
	}
	for _, name := range glob(t, "resources/*/resource_*.tf") {
		if p.Schema.ResourceSchemas[path.Base(path.Dir(name))] != nil {
			want[name] = true
		}
	}
	for name := range p.Schema.DataSourceSchemas {
		want["data-sources/"+name+"/data-source.tf"] = true
	}
	for name := range p.Schema.ListResourceSchemas {
		want["list-resources/"+name+"/list-resource.tfquery.hcl"] = true
	}
	for name := range p.Schema.EphemeralResourceSchemas {
		want["ephemeral-resources/"+name+"/ephemeral-resource.tf"] = true
	}
	for name := range p.Schema.ActionSchemas {
		want["actions/"+name+"/action.tf"] = true
	}
	for name := range p.Schema.Functions {
		want["functions/"+name+"/function.tf"] = true
	}
	guides := []string{ // whose files the tests run
		"calendar", "getting-started", "gitops", "import", "interruptions", "moved", "orphans", "private-keys", "query", "rotation",
		"split", "testing-access", "testing-modules", "testing-policies", "time-travel", "traffic",
	}
	err := fs.WalkDir(os.DirFS(examples), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.Contains(name, ".terraform") {
			return err
		}
		if parts := strings.Split(name, "/"); !want[name] && (parts[0] != "guides" || !slices.Contains(guides, parts[1])) {
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

// TestExamples_backendsCreateBeforeDestroy exists because without
// create_before_destroy, Terraform deletes a backend before it updates the
// objects that refer to it. The service refuses that.
func TestExamples_backendsCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	count := 0
	for _, pattern := range []string{"complete/*.tf", "demo/*.tf", "guides/*/*.tf", "resources/*/resource*.tf"} {
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
