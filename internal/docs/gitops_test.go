package docs

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
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

// pipeline runs the shell steps of an example pipeline until one fails. The target
// branch has the scripts of the guide. With COMMITTED=yes in the environment, the
// repository has the files of the configuration.
func pipeline(t *testing.T, tf *acctest.Terraform, name string, environment ...string) (out string, err error) {
	t.Helper()
	environment = append([]string{"GITHUB_BASE_REF=main", "CI_DEFAULT_BRANCH=main", "RUNNER_TEMP=" + t.TempDir(), "TARGET=" + t.TempDir()}, environment...)
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	tf.Write(t, "check.sh", read(t, "guides/gitops/check.sh"))
	if out, err := tf.Shell(t, `
		git init -q -b main "$TARGET"
		mv gate.sh check.sh "$TARGET"
		git -C "$TARGET" add .
		git -C "$TARGET" -c user.name=a -c user.email=a@b.test commit -qm scripts
		echo 'exit 0' | tee gate.sh >check.sh # the pull request changes both
		rm -rf .git
		[ -e .terraform/own ] || rm -rf .terraform
		git init -q -b change
		[ -z "${COMMITTED:-}" ] || git add -f .
		git remote add origin "$TARGET"`, environment...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, step := range steps(t, name) {
		if name == "apply.yml" || strings.HasPrefix(step.Run, "sh gate.sh") { // after the merge
			tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
			tf.Write(t, "check.sh", read(t, "guides/gitops/check.sh"))
		}
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
	folder := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()), "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(program, filepath.Join(folder, "terraform-provider-tunnel_v0.1.0"+filepath.Ext(program))); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror { path = %q }\n}\n", filepath.ToSlash(mirror)))
	tf.Setenv(map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey})
	return tf
}

func TestGitOps_onlyTerraformGetsTheKey(t *testing.T) {
	t.Parallel()
	pinned, holders := regexp.MustCompile(`^[\w/-]+@[0-9a-f]{40}$`), 0
	for _, name := range append(slices.Clone(pipelines), "review.yml") {
		for _, step := range steps(t, name) {
			if step.Uses != "" && !pinned.MatchString(step.Uses) {
				t.Errorf("%s: %s is not pinned to a commit", name, step.Uses)
			}
			if step.Env["TUNNEL_API_KEY"] == "" {
				continue
			}
			holders++
			for command := range strings.Lines(step.Run) {
				if !regexp.MustCompile(`^(terraform (plan|apply)|~/go/bin/tunnel-testserver clone) `).MatchString(command) {
					t.Errorf("%s: %q gets the API key", name, command)
				}
			}
		}
	}
	if holders != 5 {
		t.Errorf("%d steps get the API key", holders)
	}
}

// approveLaptop approves the only change of Getting started that needs it.
const approveLaptop = "APPROVE_CHANGES=tunnel_ssh_credential.laptop"

func TestAccGitOps_pipelines(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	for _, name := range pipelines {
		key := map[string]string{"plan.yml": w.ReadOnlyKey, "drift.yml": w.ReadOnlyKey}[name] // they only read
		if out, err := pipeline(t, tf, name, approveLaptop, "TUNNEL_API_KEY="+cmp.Or(key, w.AdminKey)); err != nil {
			t.Errorf("%s: %v\n%s", name, err, acctest.Summary(out))
		}
	}
	for _, name := range []string{"plan.yml", "gitlab-ci.yml"} {
		if out, err := pipeline(t, tf, name, approveLaptop, "GITHUB_BASE_REF=none", "CI_DEFAULT_BRANCH=none"); err == nil {
			t.Errorf("%s passes without the scripts of the target branch:\n%s", name, acctest.Summary(out))
		}
	}
	for _, backend := range w.List("/backends/failover") {
		w.Edit("/backends/failover/"+backend["id"].(string), `{"description": "by hand"}`)
	}
	if out, err := pipeline(t, tf, "drift.yml"); err == nil || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(out, "by hand") {
		t.Errorf("drift is not found: %v\n%s", err, acctest.Summary(out))
	}
}

// TestAccGitOps_checkBeforeProviders checks that a pull request can neither choose the
// host that gets the API key, nor run a program of its own before or in the plan.
func TestAccGitOps_checkBeforeProviders(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	saved, plugin := t.TempDir(), "terraform.d/plugins/"+acctest.ProviderAddress()+"/0.1.0/"+runtime.GOOS+"_"+runtime.GOARCH
	environment := []string{
		"BLOCK=provider \"tunnel\" {\n  alias    = \"other\"\n  base_url = \"https://evil.example.com\"\n}\n", "OWN=" + acctest.RequiredProviders,
		"SAVED=" + saved, "PLUGIN=" + plugin, "ADDRESS=" + acctest.ProviderAddress(),
	}
	module := func(source string) string {
		return "echo 'module \"m\" {\n  source = \"" + source + "\"\n}' >call.tf; "
	}
	if out, err := tf.Shell(t, "cp -a . "+saved); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, test := range map[string]struct{ shell, want string }{ // a file that has base_url, or the message
		"comment":        {`echo "$BLOCK" | sed 's,base_url,base_url /* prod */,' >comment.tf`, "./comment.tf:"},
		"escape":         {`echo '{"provider": {"tunnel": [{"alias": "other", "base\u005furl": "https://evil.example.com"}]}}' >escape.tf.json`, "./escape.tf.json:"},
		"override":       {`echo "$BLOCK" | grep -v base_url >x.tf; echo "$BLOCK" >x_override.tf`, "./x_override.tf:"},
		"OpenTofu":       {`echo "$BLOCK" >other.tofu`, "./other.tofu:"},
		"link":           {`echo "$BLOCK" >other.txt; ln -s other.txt link.tf`, "./link.tf:"},
		"module":         {module("./m") + `mkdir m; echo "$OWN$BLOCK" >m/main.tf`, "m/main.tf:"},
		"module outside": {module("../outside") + `mkdir ../outside; echo "$OWN$BLOCK" >../outside/main.tf`, "../outside/main.tf:"},
		"remote module": {
			module("git::file://"+tf.Dir+"/r") + `git init -q r; cd r; echo "$OWN$BLOCK" >main.tf; git add .; $COMMIT module; cd ..; echo /r >.gitignore`,
			".terraform/modules/m/main.tf:",
		},
		"other provider": {
			module("./m") + `mkdir m; printf 'terraform {\n  required_providers {\n    evil = { source = "evil.example.com/tunnel-service/tunnel" }\n  }\n}\n' >m/main.tf
				mirror=$(sed -n 's/.*path = "\(.*\)".*/\1/p' terraformrc); mkdir -p $mirror/evil.example.com/tunnel-service
				cp -r $mirror/$ADDRESS $mirror/evil.example.com/tunnel-service/`,
			"the provider evil.example.com/tunnel-service/tunnel is not in the list",
		},
		"own plugin":      {"mkdir -p $PLUGIN; touch $PLUGIN/terraform-provider-tunnel_v0.1.0", "would run programs of the repository"},
		"own initialized": {"mkdir -p .terraform/providers; touch .terraform/own", "would run programs of the repository"},
	} {
		t.Run(name, func(t *testing.T) {
			const prepare = `COMMIT="git -c user.name=a -c user.email=a@b.test commit -qm"; find . -mindepth 1 -delete; cp -a "$SAVED/." .; rm -rf .terraform; `
			if out, err := tf.Shell(t, "set -e; "+prepare+test.shell+"; git init -q .; git add -f .; $COMMIT change", environment...); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			pipelines := []string{"plan.yml"}
			if name == "comment" || name == "own initialized" { // one for each way to check out and stop
				pipelines = append(pipelines, "gitlab-ci.yml")
			}
			for _, name := range pipelines {
				out, err := pipeline(t, tf, name, "COMMITTED=yes")
				if err == nil || !strings.Contains(out, test.want) || strings.HasSuffix(test.want, ":") != strings.Contains(out, "Set TUNNEL_BASE_URL in the pipeline instead") {
					t.Errorf("%s: expected a stop because of %s, got %v:\n%s", name, test.want, err, acctest.Summary(out))
				}
			}
		})
	}
	if total := w.Stats().Total; total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

// TestAccGitOps_approval checks who can approve what, in the pipelines that plan and in
// those that apply.
func TestAccGitOps_approval(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "resources/tunnel_tls_certificate/resource.tf")
	if out, err := pipeline(t, tf, "apply.yml"); err != nil { // creating a certificate needs no approval
		t.Fatalf("%v\n%s", err, acctest.Summary(out))
	}
	chain, key := testcert.Certificate(t, "other.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	state := tf.Read(t, "terraform.tfstate")
	for name, approvals := range map[string][]string{
		"plan.yml": {"", "false", "tunnel_tls_certificate.www2\ntunnel_tls_certificate", `tunnel_https_edge_route.r["x tunnel_tls_certificate.www y"]`, "tunnel_other.a tunnel_tls_certificate.www", "tunnel_other.a,tunnel_tls_certificate.www"}, "apply.yml": {""}, "gitlab-ci.yml": {""},
	} {
		for _, approved := range approvals {
			if out, err := pipeline(t, tf, name, "APPROVE_CHANGES="+approved); err == nil || !strings.Contains(out, "These changes need approval:\ntunnel_tls_certificate.www: it is deleted or replaced") {
				t.Errorf("%s, approved %q: expected a stop, got %v:\n%s", name, approved, err, acctest.Summary(out))
			}
		}
	}
	if tf.Read(t, "terraform.tfstate") != state {
		t.Error("a pipeline has applied a change that was not approved")
	}
	// The job apply of GitLab, without its job plan.
	applies := steps(t, "gitlab-ci.yml")
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	if out, err := tf.Shell(t, applies[len(applies)-2].Run); err == nil {
		t.Errorf("the job apply does not stop:\n%s", out)
	}
	if out, err := pipeline(t, tf, "plan.yml", "APPROVE_CHANGES=true"); err != nil {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	if out, err := pipeline(t, tf, "apply.yml", "APPROVE_CHANGES=tunnel_other.a\ntunnel_tls_certificate.www"); err != nil || tf.Read(t, "terraform.tfstate") == state {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
}

// TestAccGitOps_noHomeAndNoFiles checks that the provider writes no files and
// needs no home directory.
func TestAccGitOps_noHomeAndNoFiles(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, _ := acctest.Installed(t, acctest.Resource("tunnel_group_backend.web", `labels = { app = "web" }`))
	temporary, before := t.TempDir(), files(t, tf.Dir)
	tf.Setenv(map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey, "TMPDIR": temporary})
	tf.Unsetenv("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")
	tf.Plan(t, "-lock=false")
	if after, left := files(t, tf.Dir), files(t, temporary); !slices.Equal(after, before) || len(left) > 0 {
		t.Errorf("the plan left files: %v, before %v; temporary ones: %v", after, before, left)
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
