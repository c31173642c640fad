package docs

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-exec/tfexec"
	"go.yaml.in/yaml/v3"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// A step is one command of an example pipeline.
type step struct {
	Uses, Run string
	Env       map[string]string
}

// steps returns the steps of an example pipeline, in order.
func steps(t *testing.T, name string) []step {
	t.Helper()
	type script struct{ Script []string }
	var pipeline struct {
		Jobs map[string]struct { // GitHub Actions
			Env   map[string]string
			Steps []step
		}
		Default struct {
			Before []string `yaml:"before_script"`
		} // GitLab CI
		Plan, Apply script
	}
	if err := yaml.Unmarshal([]byte(read(t, path.Join("guides/gitops", name))), &pipeline); err != nil {
		t.Fatal(err)
	}
	var all []step
	for _, run := range slices.Concat(pipeline.Default.Before, pipeline.Plan.Script, pipeline.Apply.Script) {
		all = append(all, step{Run: run})
	}
	for _, job := range pipeline.Jobs {
		if len(job.Env) > 0 {
			t.Errorf("%s gives all steps the variables %v", name, job.Env)
		}
		all = append(all, job.Steps...)
	}
	if len(all) < 2 {
		t.Errorf("%s has %d steps", name, len(all))
	}
	return all
}

var pipelines = []string{"plan.yml", "apply.yml", "drift.yml", "gitlab-ci.yml"}

// pipeline runs the shell steps of an example pipeline until one fails. The
// target branch has the scripts of the guide.
func pipeline(t *testing.T, tf *acctest.Terraform, name string, environment ...string) (out string, err error) {
	t.Helper()
	environment = append(environment, "GITHUB_BASE_REF=main", "CI_DEFAULT_BRANCH=main", "RUNNER_TEMP="+t.TempDir(), "TARGET="+t.TempDir())
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	tf.Write(t, "check.sh", read(t, "guides/gitops/check.sh"))
	if out, err := tf.Shell(t, `
		git init -q -b main "$TARGET"
		mv gate.sh check.sh "$TARGET"
		git -C "$TARGET" add .
		git -C "$TARGET" -c user.name=a -c user.email=a@b.test commit -qm scripts
		echo 'exit 0' | tee gate.sh >check.sh # the pull request changes both
		rm -rf .git
		git init -q -b change
		git remote add origin "$TARGET"`, environment...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, step := range steps(t, name) {
		if out, err = tf.Shell(t, step.Run, environment...); err != nil {
			return step.Run + "\n" + out, err
		}
	}
	return out, nil
}

// pipelineTerraform prepares an example for pipelines: Terraform installs the
// provider from a mirror, and the address and key of the test server are in the
// environment.
func pipelineTerraform(t *testing.T, w *acctest.Env, name string) *acctest.Terraform {
	t.Helper()
	tf := mirrored(t, w)
	example := read(t, name)
	writeFiles(t, tf, example)
	if strings.Contains(example, "required_providers") {
		tf.Write(t, "main.tf", example)
	} else {
		tf.Write(t, "example.tf", example)
	}
	return tf
}

// mirrored returns Terraform that installs the provider from a mirror. The address and
// key of the test server are in the environment.
func mirrored(t *testing.T, w *acctest.Env) *acctest.Terraform {
	t.Helper()
	tf, program := acctest.Installed(t, "")
	mirror := t.TempDir()
	folder := filepath.Join(mirror, "registry.terraform.io", "tunnel-service", "tunnel", "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(program, filepath.Join(folder, "terraform-provider-tunnel_v0.1.0"+filepath.Ext(program))); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror { path = %q }\n}\n", filepath.ToSlash(mirror)))
	tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey})
	return tf
}

func TestGitOps_onlyTerraformGetsTheKey(t *testing.T) {
	t.Parallel()
	pinned, holders := regexp.MustCompile(`^[\w/-]+@[0-9a-f]{40}$`), 0
	for _, name := range pipelines {
		for _, step := range steps(t, name) {
			if step.Uses != "" && !pinned.MatchString(step.Uses) {
				t.Errorf("%s: %s is not pinned to a commit", name, step.Uses)
			}
			if step.Env["TUNNEL_API_KEY"] == "" {
				continue
			}
			holders++
			for command := range strings.Lines(step.Run) {
				if !strings.HasPrefix(command, "terraform plan ") && !strings.HasPrefix(command, "terraform apply ") {
					t.Errorf("%s: %q gets the API key", name, command)
				}
			}
		}
	}
	if holders != 3 {
		t.Errorf("%d steps get the API key", holders)
	}
}

func TestAccGitOps_pipelines(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	for _, name := range pipelines {
		if out, err := pipeline(t, tf, name); err != nil {
			t.Errorf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
	for _, backend := range w.List("/backends/failover") {
		w.Edit("/backends/failover/"+backend["id"].(string), `{"description": "by hand"}`)
	}
	if out, err := pipeline(t, tf, "drift.yml"); err == nil || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(out, "by hand") {
		t.Errorf("drift is not found: %v\n%s", err, acctest.Summary(out))
	}
}

// A pull request must not send the API key to a host of its choice.
func TestAccGitOps_checkStopsAnotherBaseURL(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	for file, content := range map[string]string{
		"comment.tf":     "provider \"tunnel\" {\n  alias = \"other\"\n\n  base_url /* prod */ = \"https://evil.example.com\"\n}\n",
		"escape.tf.json": `{"provider": {"tunnel": [{"alias": "other", "base\u005furl": "https://evil.example.com"}]}}`,
		"other.tf":       "provider \"tunnel\" {\n  alias    = \"other\"\n  base_url = \"https://evil.example.com\"\n}\n",
		"other.tf.json":  `{"provider": {"tunnel": [{"alias": "other", "base_url": "https://evil.example.com"}]}}`,
	} {
		tf.Write(t, file, content)
		for _, name := range []string{"plan.yml", "gitlab-ci.yml"} {
			if out, err := pipeline(t, tf, name); err == nil || !strings.Contains(out, "./"+file) || !strings.Contains(out, "Set TUNNEL_BASE_URL in the pipeline instead") {
				t.Errorf("%s: expected a stop because of %s, got %v:\n%s", name, file, err, acctest.Summary(out))
			}
		}
		if err := os.Remove(filepath.Join(tf.Dir, file)); err != nil {
			t.Fatal(err)
		}
	}
	if total := w.Stats().Total; total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

func TestAccGitOps_gateStopsCertificateReplacements(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "resources/tunnel_tls_certificate/resource.tf")
	for _, name := range []string{"plan.yml", "gitlab-ci.yml"} {
		if out, err := pipeline(t, tf, name); err != nil { // creating a certificate needs no approval
			t.Fatalf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
	chain, key := testcert.Certificate(t, "www.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	for _, name := range []string{"plan.yml", "gitlab-ci.yml"} {
		if out, err := pipeline(t, tf, name); err == nil || !strings.Contains(out, "The plan deletes or replaces these certificates:\ntunnel_tls_certificate.www") {
			t.Errorf("%s: expected a stop, got %v:\n%s", name, err, acctest.Summary(out))
		}
		if out, err := pipeline(t, tf, name, "APPROVE_CERTIFICATES=true"); err != nil {
			t.Errorf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
}

func TestAccGitOps_readOnlyKey(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := terraform(t, w, read(t, "guides/getting-started/main.tf"))
	tf.Apply(t)
	byHand := w.Create("/backends/tunnel_group", `{"labels": {"by": "hand"}}`)
	tf.Write(t, "main.tf", strings.ReplaceAll(tf.Read(t, "main.tf"), w.AdminKey, w.ReadOnlyKey))
	tf.Write(t, "more.tf", fmt.Sprintf(`
data "tunnel_failover_backends" "all" {}

import {
  to = tunnel_group_backend.by_hand
  id = %q
}

resource "tunnel_group_backend" "by_hand" {
  labels = { by = "hand" }
}
`, byHand))
	w.ResetStats()
	if out := tf.Plan(t); !strings.Contains(out, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the plan is not only an import:\n%s", acctest.Summary(out))
	}
	tf.Plan(t, tfexec.RefreshOnly(true))
	for endpoint, count := range w.Stats().Requests {
		if !strings.HasPrefix(endpoint, "GET ") {
			t.Errorf("%d times %s was sent", count, endpoint)
		}
	}
	tf.Write(t, "more.tf", `resource "tunnel_group_backend" "new" { labels = { a = "b" } }`)
	if out, err := tf.TryApply(t); err == nil || !acctest.InError("Error creating tunnel group backend", "403 Forbidden", "The API key does not have permission").MatchString(out) {
		t.Errorf("expected 403, got %v:\n%s", err, acctest.Summary(out))
	}
}

// TestAccGitOps_tenPlansUnderOneLimit runs ten pipelines that share one rate
// limit. All must wait, and none must fail.
func TestAccGitOps_tenPlansUnderOneLimit(t *testing.T) {
	t.Parallel()
	const plans, objects = 10, 40
	w := acctest.Start(t, testserver.WithRateLimit(120, 3*time.Second))
	config := strings.Replace(w.Config("resource \"tunnel_group_backend\" \"all\" {\n  count  = %d\n  labels = { n = tostring(count.index) }\n}\n", objects),
		"provider \"tunnel\" {", "provider \"tunnel\" {\n  bulk_reads = false", 1)
	all := make([]*acctest.Terraform, plans)
	for i := range all {
		all[i] = w.Terraform(t, "")
		all[i].Write(t, "main.tf", strings.Replace(all[i].Read(t, "main.tf"), w.Config(""), config, 1))
	}
	all[0].Apply(t)
	var wait sync.WaitGroup
	for _, tf := range all {
		tf.Write(t, "terraform.tfstate", all[0].StateFile(t))
		wait.Go(func() {
			if out, err := tf.TryPlan(t); err != nil || !strings.Contains(out, "No changes") {
				t.Errorf("%v\n%s", err, acctest.Summary(out))
			}
		})
	}
	wait.Wait()
	if refused := w.Stats().Statuses[429]; refused == 0 {
		t.Error("the limit was never reached")
	}
}

// TestAccGitOps_noHomeAndNoFiles checks that the provider writes no files and
// needs no home directory.
func TestAccGitOps_noHomeAndNoFiles(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, key := testcert.Certificate(t, "www.example.com")
	tf, _ := acctest.Installed(t, `
resource "tunnel_tls_certificate" "www" {
  certificate_pem            = file("www.pem")
  private_key_pem_wo         = file("www.key")
  private_key_pem_wo_version = 1
}
`)
	tf.Write(t, "www.pem", chain)
	tf.Write(t, "www.key", key)
	temporary := t.TempDir()
	tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey, "TMPDIR": temporary})
	tf.Unsetenv(t, "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
	plan := filepath.Join(t.TempDir(), "plan")
	if err := os.Chmod(tf.Dir, 0o500); err != nil {
		t.Fatal(err)
	}
	before := files(t, tf.Dir)
	tf.Plan(t, tfexec.Out(plan), tfexec.Lock(false))
	planned := tf.Run(t, "show", "-json", plan)
	for _, secret := range append(strings.Split(strings.TrimSpace(key), "\n")[1:], w.AdminKey) {
		if !strings.Contains(secret, "-----") && strings.Contains(planned, secret) {
			t.Error("the plan in JSON holds a secret")
		}
	}
	var parsed struct {
		Changes []any `json:"resource_changes"`
	}
	_, members, _ := strings.Cut(planned, "{") // the dev_overrides warning may come first
	if err := json.Unmarshal([]byte("{"+members), &parsed); err != nil || len(parsed.Changes) != 1 {
		t.Errorf("%d changes in the plan: %v", len(parsed.Changes), err)
	}
	if err := os.Chmod(tf.Dir, 0o700); err != nil { //nolint:gosec // a directory
		t.Fatal(err)
	}
	if after := files(t, tf.Dir); !slices.Equal(after, before) {
		t.Errorf("the plan left files: %v, before %v", after, before)
	}
	if left := files(t, temporary); len(left) > 0 {
		t.Errorf("the plan left temporary files: %v", left)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
