package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// guideScript is a script of the guides: its path, its argument, and all programs that
// it needs.
type guideScript struct {
	path, argument string
	programs       []string
}

var guideScripts = []guideScript{
	{"gitops/check.sh", "", []string{"git", "grep", "jq", "sed", "terraform"}},
	{"gitops/gate.sh", "saved.tfplan", []string{"jq", "terraform"}},
	{"testing-policies/decisions.sh", "saved.tfplan", []string{"jq", "terraform"}},
}

// scriptFolder returns a repository with an initialized configuration, its state and a
// saved plan. All scripts of the guides pass in it.
func scriptFolder(t *testing.T) *acctest.Terraform {
	t.Helper()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	w := acctest.Start(t)
	tf := mirrored(t, w)
	for _, script := range guideScripts {
		tf.Write(t, filepath.Base(script.path), read(t, "guides/"+script.path))
	}
	if err := os.Mkdir(filepath.Join(tf.Dir, "module"), 0o700); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "module/main.tf", "resource \"terraform_data\" \"other\" {}\n")
	tf.Write(t, "main.tf", `
terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
module "other" {
  source = "./module"
}
output "decisions" {
  value = { office = "allow" }
}
`)
	if out, err := tf.Shell(t, "git init -q . && terraform init -input=false && terraform apply -input=false -auto-approve && terraform plan -input=false -out=saved.tfplan"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return tf
}

// programs returns a directory with these programs only.
func programs(t *testing.T, names []string) string {
	t.Helper()
	search := filepath.SplitList(acctest.ShellPath(t))
	dir := t.TempDir()
	for _, name := range names {
		found := slices.IndexFunc(search, func(dir string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err == nil
		})
		if found < 0 {
			t.Fatalf("%s is not installed", name)
		}
		if err := os.Symlink(filepath.Join(search[found], name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runScript runs a script with the programs of a directory. It must fail with a message,
// unless it shall pass.
func runScript(t *testing.T, tf *acctest.Terraform, script guideScript, path string, passes bool, environment ...string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	out, err := tf.Shell(t, "PATH=$ONLY "+shell+" "+filepath.Base(script.path)+" "+script.argument, append(environment, "ONLY="+path)...)
	switch {
	case passes && err != nil:
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	case !passes && err == nil:
		t.Errorf("the script passes:\n%s", acctest.Summary(out))
	case !passes && strings.TrimSpace(out) == "":
		t.Error("the script fails without a message")
	}
	t.Logf("%v: %s", err, acctest.Summary(out))
}

// TestAccScripts_everyProgramMissing checks first that each script needs no other
// programs than those that are then missing one by one.
func TestAccScripts_everyProgramMissing(t *testing.T) {
	t.Parallel()
	tf := scriptFolder(t)
	for _, script := range guideScripts {
		t.Run(filepath.Base(script.path), func(t *testing.T) {
			runScript(t, tf, script, programs(t, script.programs), true)
			for i, missing := range script.programs {
				t.Run(missing, func(t *testing.T) {
					runScript(t, tf, script, programs(t, slices.Delete(slices.Clone(script.programs), i, i+1)), false)
				})
			}
		})
	}
}

// TestAccScripts_badPlan gives the scripts that read a plan everything but a good plan.
func TestAccScripts_badPlan(t *testing.T) {
	t.Parallel()
	tf := scriptFolder(t)
	tf.Write(t, "damaged.tfplan", tf.Read(t, "saved.tfplan")[:300])
	const plan = `printf '%s' '{"format_version": "1.2", "planned_values": {}, "configuration": {}, "resource_changes": [], "output_changes": {"decisions": {"before": {}, "after": {}}}}'`
	outputs := map[string]string{ // what terraform prints instead of the plan
		"a warning first":        "echo Warning; " + plan,
		"two plans":              plan + "; " + plan,
		"another format":         strings.Replace(plan, "1.2", "2.0", 1),
		"errored":                strings.Replace(plan, `"planned_values"`, `"errored": true, "planned_values"`, 1),
		"changes are no list":    strings.NewReplacer("[]", `"x"`, `{"decisions": {"before": {}, "after": {}}}`, `"x"`).Replace(plan),
		"a plan, then a failure": plan + "; exit 1",
	}
	for _, script := range guideScripts {
		if script.argument == "" {
			continue
		}
		t.Run(filepath.Base(script.path), func(t *testing.T) {
			all := programs(t, script.programs)
			for _, argument := range []string{"", "''", "missing.tfplan", "damaged.tfplan", "terraform.tfstate", "-help"} {
				runScript(t, tf, guideScript{script.path, argument, nil}, all, false)
			}
			shell, err := exec.LookPath("sh")
			if err != nil {
				t.Fatal(err)
			}
			prints := func(output string) {
				terraform := filepath.Join(all, "terraform")
				os.Remove(terraform)
				if err := os.WriteFile(terraform, []byte("#!"+shell+"\n"+output+"\n"), 0o700); err != nil { //nolint:gosec // a program
					t.Fatal(err)
				}
			}
			prints(plan)
			runScript(t, tf, script, all, true) // so that the others fail because of what they test
			for name, output := range outputs {
				t.Run("terraform prints "+name, func(t *testing.T) {
					prints(output)
					runScript(t, tf, script, all, false)
				})
			}
		})
	}
}

// TestAccScripts_badFolder runs check.sh in folders that are not as they must be.
func TestAccScripts_badFolder(t *testing.T) {
	t.Parallel()
	tf, saved := scriptFolder(t), t.TempDir()
	if out, err := tf.Shell(t, "cp -a . "+saved); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct{ prepare, environment string }{
		{"rm -rf .terraform", ""},
		{"rm -rf .git", ""},
		{"rm .terraform/modules/modules.json", ""},
		{"echo '{\"Modules\": [' >.terraform/modules/modules.json", ""},
		{"mkdir new; echo 'module \"new\" {\n source = \"./new\"\n}' >new.tf", ""},
		{"ln -s nothing.tf link.tf", ""},
		{"mv .terraform elsewhere", "TF_DATA_DIR=elsewhere"},
	} {
		t.Run(test.prepare+test.environment, func(t *testing.T) {
			if out, err := tf.Shell(t, "find . -mindepth 1 -delete\ncp -a "+saved+"/. .\n"+test.prepare); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			runScript(t, tf, guideScripts[0], programs(t, guideScripts[0].programs), false, strings.Fields(test.environment)...)
		})
	}
}
