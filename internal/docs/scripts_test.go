package docs

import (
	"maps"
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
	{"rehearsal/rehearse.sh", "", []string{"terraform", "tunnel-testserver"}},
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
	server, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	search := append(filepath.SplitList(acctest.ShellPath(t)), server)
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

// fake replaces a program by a shell script.
func fake(t *testing.T, dir, program, script string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, program)
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("#!"+shell+"\n"+script+"\n"), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
}

// TestAccScripts_badPlan gives the scripts that read a plan everything but a good plan.
func TestAccScripts_badPlan(t *testing.T) {
	t.Parallel()
	tf := scriptFolder(t)
	tf.Write(t, "empty.tfplan", "")
	tf.Write(t, "damaged.tfplan", tf.Read(t, "saved.tfplan")[:300])
	tf.Write(t, "plan.json", tf.Run(t, "show", "-json", "saved.tfplan"))
	if err := os.Mkdir(filepath.Join(tf.Dir, "folder.tfplan"), 0o700); err != nil {
		t.Fatal(err)
	}
	arguments := map[string]string{
		"no argument": "", "empty argument": "''", "missing": "missing.tfplan", "empty": "empty.tfplan", "damaged": "damaged.tfplan", "folder": "folder.tfplan",
		"a state": "terraform.tfstate", "JSON": "plan.json", "no plan": "main.tf", "an option": "-help",
	}
	const members = `"planned_values": {}, "configuration": {}, "resource_changes": [], "output_changes": {"decisions": {"before": {}, "after": {}}}`
	outputs := map[string]string{
		"nothing":                "",
		"a warning first":        `echo Warning; printf '%s' '{"format_version": "1.2", ` + members + `}'`,
		"two plans":              `printf '%s' '{"format_version": "1.2", ` + members + `}{"format_version": "1.2", ` + members + `}'`,
		"another format":         `printf '%s' '{"format_version": "2.0", ` + members + `}'`,
		"no format":              `printf '%s' '{` + members + `}'`,
		"errored":                `printf '%s' '{"format_version": "1.2", "errored": true, ` + members + `}'`,
		"changes are no list":    `printf '%s' '{"format_version": "1.2", "planned_values": {}, "resource_changes": "x", "output_changes": "x"}'`,
		"a plan, then a failure": `printf '%s' '{"format_version": "1.2", ` + members + `}'; exit 1`,
		"only the beginning":     `printf '%s' '{"format_version": "1.2", "planned_values": {}'`,
	}
	for _, script := range guideScripts {
		if script.argument == "" {
			continue
		}
		t.Run(filepath.Base(script.path), func(t *testing.T) {
			all := programs(t, script.programs)
			for _, name := range slices.Sorted(maps.Keys(arguments)) {
				t.Run(name, func(t *testing.T) {
					runScript(t, tf, guideScript{script.path, arguments[name], nil}, all, false)
				})
			}
			fake(t, all, "terraform", `printf '%s' '{"format_version": "1.2", `+members+`}'`)
			runScript(t, tf, script, all, true) // so that the others fail because of what they test
			for _, name := range slices.Sorted(maps.Keys(outputs)) {
				t.Run("terraform prints "+name, func(t *testing.T) {
					fake(t, all, "terraform", outputs[name])
					runScript(t, tf, script, all, false)
				})
			}
		})
	}
	t.Run("decisions.sh without the output", func(t *testing.T) {
		all := programs(t, []string{"jq", "terraform"})
		fake(t, all, "terraform", `printf '%s' '{"format_version": "1.2", "planned_values": {}}'`)
		runScript(t, tf, guideScripts[2], all, false)
	})
}

// TestAccScripts_badFolder runs the other scripts in folders that are not as they must
// be.
func TestAccScripts_badFolder(t *testing.T) {
	t.Parallel()
	tf, saved := scriptFolder(t), t.TempDir()
	if out, err := tf.Shell(t, "cp -a . "+saved); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, test := range map[string]struct{ script, prepare string }{
		"check, not initialized":          {"gitops/check.sh", "rm -rf .terraform"},
		"check, no repository":            {"gitops/check.sh", "rm -rf .git"},
		"check, no list of modules":       {"gitops/check.sh", "rm .terraform/modules/modules.json"},
		"check, empty list of modules":    {"gitops/check.sh", ": >.terraform/modules/modules.json"},
		"check, damaged list of modules":  {"gitops/check.sh", "echo '{\"Modules\": [' >.terraform/modules/modules.json"},
		"check, new module":               {"gitops/check.sh", "mkdir new; echo 'module \"new\" {\n source = \"./new\"\n}' >new.tf"},
		"check, link to nothing":          {"gitops/check.sh", "ln -s nothing.tf link.tf"},
		"check, another data directory":   {"gitops/check.sh", "mv .terraform elsewhere"},
		"rehearse, damaged state":         {"rehearsal/rehearse.sh", "echo '{' >terraform.tfstate"},
		"rehearse, no service":            {"rehearsal/rehearse.sh", ""},
		"rehearse, invalid configuration": {"rehearsal/rehearse.sh", "echo '{' >invalid.tf"},
	} {
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(guideScripts, func(s guideScript) bool { return s.path == test.script })
			script, environment := guideScripts[at], []string{}
			all := programs(t, script.programs)
			switch name {
			case "rehearse, no service":
				environment = append(environment, "TUNNEL_BASE_URL=http://127.0.0.1:1")
			case "check, another data directory":
				environment = append(environment, "TF_DATA_DIR=elsewhere")
			}
			if out, err := tf.Shell(t, "find . -mindepth 1 -delete\ncp -a "+saved+"/. .\n"+test.prepare); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			runScript(t, tf, script, all, false, environment...)
		})
	}
}
