package docs

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	"go.yaml.in/yaml/v3"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccDemo_applies is make demo without its words.
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

func TestAccPipelines_run(t *testing.T) {
	t.Parallel()
	w, _ := newWorld(t)
	tf := terraform(t, w, read(t, "guides/getting-started/main.tf"))
	run := func(name string) (out string, err error) {
		var pipeline struct {
			Jobs map[string]struct {
				Steps []struct{ Run string }
			}
		}
		if err := yaml.Unmarshal([]byte(read(t, path.Join("guides/gitops", name))), &pipeline); err != nil {
			t.Fatal(err)
		}
		commands := 0
		for _, job := range pipeline.Jobs {
			for _, step := range job.Steps {
				words := strings.Fields(step.Run)
				if len(words) == 0 {
					continue
				}
				commands++
				if out, err = tf.Try(t, words[1:]...); err != nil || words[0] != "terraform" {
					return step.Run + "\n" + out, err
				}
			}
		}
		if commands < 2 {
			t.Errorf("%s has %d commands", name, commands)
		}
		return out, nil
	}
	for _, name := range []string{"plan.yml", "apply.yml", "drift.yml"} {
		if out, err := run(name); err != nil {
			t.Errorf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
	for _, backend := range w.List("/backends/failover") {
		w.Edit("/backends/failover/"+backend["id"].(string), `{"description": "by hand"}`)
	}
	if out, err := run("drift.yml"); err == nil || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(out, "by hand") {
		t.Errorf("drift is not found: %v\n%s", err, acctest.Summary(out))
	}
}
