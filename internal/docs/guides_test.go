package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccDemo_imports runs the second configuration of make demo. The first is in
// TestAccExamples_requireReserved.
func TestAccDemo_imports(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	chain, key := testcert.Certificate(t, "www.example.com")
	tf := terraform(t, w, read(t, "demo/import/main.tf"))
	tf.Write(t, "existing.pem", chain)
	tf.SetVariables(t, map[string]any{"keys": tf.Dir, "certificate_id": uploadPEM(t, w, chain, key)})
	if out := tf.Plan(t); !strings.Contains(out, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
	applyAndDestroy(t, w, tf)
}

// uploadPEM uploads a certificate by hand, and returns its id.
func uploadPEM(t *testing.T, w *acctest.Env, chain, key string) string {
	t.Helper()
	text, err := json.Marshal(map[string]string{"certificate_pem": chain, "private_key_pem": key, "description": "uploaded by hand"})
	if err != nil {
		t.Fatal(err)
	}
	return w.Create("/tls_certificates", string(text))
}

// writeDemoFiles writes what the configuration of make demo reads.
func writeDemoFiles(t *testing.T, tf *acctest.Terraform) {
	t.Helper()
	chain, key := testcert.Certificate(t, "www.example.com")
	for name, content := range map[string]string{
		"certificate.pem": chain, "private_key.pem": key,
		"host_key.pub": testcert.PublicKey(t, "root@host"), "user_key.pub": testcert.PublicKey(t, "me@here"),
	} {
		tf.Write(t, name, content)
	}
	tf.SetVariables(t, map[string]any{"keys": tf.Dir})
}

func TestAccImportGuide_plansNoChange(t *testing.T) {
	t.Parallel()
	w, _ := startPopulatedServer(t)
	finder := terraform(t, w, read(t, "guides/import/main.tf"))
	finder.Apply(t)
	var blocks string
	finder.OutputValue(t, "import_blocks", &blocks)
	count := 0
	for _, path := range w.Paths() {
		count++
		kind, keys := acctest.KindAt(path)
		if !strings.Contains(blocks, fmt.Sprintf("%q", kind.ImportID(keys))) {
			t.Errorf("the guide has no block for %s", path)
		}
		if created, ok := w.Get(path)["created_at"].(string); ok && !regexp.MustCompile(fmt.Sprintf(`(?m)^# %s \{.*"created_at":%q`, kind.Type, created)).MatchString(blocks) {
			t.Errorf("no comment describes %s", path)
		}
	}
	tf := terraform(t, w, "")
	tf.Write(t, "imports.tf", blocks)
	tf.Plan(t, "-generate-config-out=generated.tf")
	tf.Write(t, "imports.tf", regexp.MustCompile(`(?m)^.*provider = tunnel.*\n`).ReplaceAllString(blocks, ""))
	if out := tf.Plan(t, "-out=import.plan"); !strings.Contains(out, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", count)) || count == 0 {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
}

// TestAccMovedGuide_keepsObject moves a domain from the state of another provider.
func TestAccMovedGuide_keepsObject(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/reserved_domains", `{"domain": "www.example.com"}`)
	tf := terraform(t, w, read(t, "guides/moved/moved.tf"))
	tf.Needs(t, acctest.MovedAcrossTypes)
	old := acctest.ProviderHost() + "/ngrok/ngrok"
	tf.ProvideAs(old)
	tf.Write(t, "terraform.tfstate", fmt.Sprintf(`{"version": 4, "resources": [{
		"mode": "managed", "type": "ngrok_reserved_domain", "name": "www", "provider": "provider[\"%s\"]",
		"instances": [{"schema_version": 0, "attributes": {"id": %q, "domain": "www.example.com", "region": "us"}}]
	}]}`, old, id))
	if out := tf.Apply(t); !strings.Contains(out, "Apply complete! Resources: 0 added, 0 changed, 0 destroyed.") {
		t.Errorf("the move changes something:\n%s", acctest.Summary(out))
	}
	if !w.Exists("/reserved_domains/" + id) {
		t.Error("the domain does not exist any more")
	}
	tf.ExpectNoChanges(t)
}

// TestAccSplitGuide_keepsInstance moves one instance from a state to another.
func TestAccSplitGuide_keepsInstance(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	apps := func(names string) string {
		return acctest.Resource("tunnel_group_backend.web", "for_each = toset("+names+")\nlabels = { app = each.key }")
	}
	before, after := w.Terraform(t, apps(`["blue", "green"]`)), w.Terraform(t, apps(`["green"]`))
	before.Apply(t)
	all := w.List("/backends/tunnel_group")
	green := all[slices.IndexFunc(all, func(b map[string]any) bool { return b["labels"].(map[string]any)["app"] == "green" })]
	after.Write(t, "import.tf", fmt.Sprintf("import {\n  to = tunnel_group_backend.web[\"green\"]\n  id = %q\n}\n", green["id"]))
	before.Write(t, "main.tf", strings.Replace(before.Read(t, "main.tf"), `, "green"`, "", 1)+read(t, "guides/split/split.tf"))
	for _, tf := range []*acctest.Terraform{after, before} {
		if out := tf.Apply(t); !strings.Contains(out, "0 added, 0 changed, 0 destroyed") {
			t.Errorf("the split changes something:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
	}
}

// TestAccOrphansGuide_emptyState runs the guide with a state file that is empty because
// Terraform was killed.
func TestAccOrphansGuide_emptyState(t *testing.T) {
	t.Parallel()
	w, ids := startPopulatedServer(t)
	tf := terraform(t, w, read(t, "guides/orphans/main.tf"))
	if err := os.Mkdir(filepath.Join(tf.Dir, "states"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "states/killed.json", "\n")
	tf.Write(t, "states/network.json", fmt.Sprintf(`{"version": 4, "resources": [
		{"mode": "managed", "type": "tunnel_ssh_credential", "instances": [{"attributes": {"id": %q}}]},
		{"mode": "managed", "type": "tunnel_tls_edge_backend", "instances": [{"attributes": {"edge_id": %q}}]}
	]}`, ids["sshcr"], ids["edgtls"]))
	tf.Apply(t)
	var orphans map[string]struct {
		Type      string
		CreatedAt string `json:"created_at"`
	}
	var empty []string
	tf.OutputValue(t, "orphans", &orphans)
	tf.OutputValue(t, "empty_states", &empty)
	want := map[string]string{}
	for _, path := range w.Paths() {
		kind, keys := acctest.KindAt(path)
		if id := keys["id"]; id != "" && id != ids["sshcr"] {
			want[id] = kind.Type
		}
	}
	found := map[string]string{}
	for id, orphan := range orphans {
		found[id] = orphan.Type
		if _, err := time.Parse(time.RFC3339, orphan.CreatedAt); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if !maps.Equal(found, want) {
		t.Errorf("found %v, want %v", found, want)
	}
	if !slices.Equal(empty, []string{"killed.json"}) {
		t.Errorf("the guide reports these states as empty: %v", empty)
	}
}

var heading = regexp.MustCompile("(?m)^### `(.*)`$")

// TestTroubleshooting_headingsAreMessages checks that each heading of the
// troubleshooting guide is a message in the provider's source code.
func TestTroubleshooting_headingsAreMessages(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	err := filepath.WalkDir("..", func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			var content []byte
			content, err = os.ReadFile(path)
			source.Write(content)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := heading.FindAllStringSubmatch(readFile(t, "../../templates/guides/troubleshooting.md.tmpl"), -1)
	if len(found) < 6 {
		t.Errorf("the guide has %d messages", len(found))
	}
	for _, message := range found {
		if !strings.Contains(source.String(), message[1]) {
			t.Errorf("nothing says %q", message[1])
		}
	}
}
