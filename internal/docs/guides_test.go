package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccDemo_applies runs the configurations of make demo.
func TestAccDemo_applies(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	tf := terraform(t, w, read(t, "demo/main.tf"))
	chain, key := acctest.Certificate(t, "www.example.com")
	for name, content := range map[string]string{
		"certificate.pem": chain, "private_key.pem": key, "existing.pem": chain,
		"host_key.pub": acctest.PublicKey(t, "root@host"), "user_key.pub": acctest.PublicKey(t, "me@here"),
	} {
		tf.Write(t, name, content)
	}
	tf.SetVariables(t, map[string]any{"keys": tf.Dir})
	applyAndDestroy(t, tf)

	text, err := json.Marshal(map[string]string{"certificate_pem": chain, "private_key_pem": key, "description": "uploaded by hand"})
	if err != nil {
		t.Fatal(err)
	}
	importing := terraform(t, w, read(t, "demo/import/main.tf"))
	importing.Write(t, "existing.pem", chain)
	importing.SetVariables(t, map[string]any{"keys": importing.Dir, "certificate_id": w.Create("/tls_certificates", string(text))})
	if out := importing.Plan(t); !strings.Contains(out, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
	applyAndDestroy(t, importing)
}

func TestAccImportGuide_plansNoChange(t *testing.T) {
	t.Parallel()
	w, _ := populatedWorld(t)
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
	}
	tf := terraform(t, w, "")
	tf.Write(t, "imports.tf", blocks)
	tf.Plan(t, tfexec.GenerateConfigOut("generated.tf"))
	tf.Write(t, "imports.tf", regexp.MustCompile(`(?m)^.*provider = tunnel.*\n`).ReplaceAllString(blocks, ""))
	if out := tf.Plan(t, tfexec.Out("import.plan")); !strings.Contains(out, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", count)) || count == 0 {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
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
	guide, err := os.ReadFile("../../templates/guides/troubleshooting.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	found := heading.FindAllStringSubmatch(string(guide), -1)
	if len(found) < 15 {
		t.Errorf("the guide has %d messages", len(found))
	}
	for _, message := range found {
		// The message for a missing required argument comes from Terraform.
		if !strings.Contains(source.String(), message[1]) && !strings.HasSuffix(message[1], "is required") &&
			message[1] != "Invalid PEM certificate chain" { // composed of parts
			t.Errorf("nothing says %q", message[1])
		}
	}
}
