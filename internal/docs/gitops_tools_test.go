package docs

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// writeScripts writes the scripts of the guides to a directory, and returns it.
func writeScripts(t *testing.T, tf *acctest.Terraform) string {
	t.Helper()
	for _, script := range []string{"gitops/check.sh", "gitops/gate.sh", "testing-policies/decisions.sh"} {
		tf.Write(t, filepath.Base(script), read(t, "guides/"+script))
	}
	return tf.Dir
}

// TestAccGitOps_atlantis runs the steps of the workflow as Atlantis does.
func TestAccGitOps_atlantis(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "resources/tunnel_tls_certificate/resource.tf")
	scripts := writeScripts(t, tf)
	var config struct {
		Repos     []struct{ Workflow string }
		Workflows map[string]struct{ Plan, Apply struct{ Steps []any } }
	}
	if err := yaml.Unmarshal([]byte(read(t, "guides/gitops/atlantis-repos.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	workflow := config.Workflows[config.Repos[0].Workflow]
	run := func(steps []any) (out string, err error) {
		for _, step := range steps {
			command := map[string]string{
				"init": "terraform init -input=false", "plan": `terraform plan -input=false -no-color -out "$PLANFILE"`,
				"apply": `terraform apply -input=false "$PLANFILE"`,
			}
			var shell string
			switch custom := step.(type) {
			case string:
				shell = command[custom]
			case map[string]any:
				shell = strings.ReplaceAll(custom["run"].(string), "/etc/atlantis", scripts)
			}
			if out, err = tf.Shell(t, shell, "PLANFILE="+filepath.Join(tf.Dir, "default.tfplan")); err != nil {
				return out, err
			}
		}
		return out, nil
	}
	if out, err := tf.Shell(t, "git init -q ."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run(workflow.Plan.Steps); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := run(workflow.Apply.Steps); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	chain, key := testcert.Certificate(t, "other.example.com")
	tf.Write(t, "www.example.com.pem", chain)
	tf.Write(t, "www.example.com.key", key)
	for _, steps := range [][]any{workflow.Plan.Steps, workflow.Apply.Steps} {
		if out, err := run(steps); err == nil || !strings.Contains(out, "These changes need approval:\ntunnel_tls_certificate.www") {
			t.Errorf("%v: expected a stop, got %v:\n%s", steps, err, acctest.Summary(out))
		}
	}
}

// TestAccGitOps_terragrunt runs the commands of the hooks around a plan with the extra
// arguments, as Terragrunt does.
func TestAccGitOps_terragrunt(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/getting-started/main.tf")
	root := writeScripts(t, tf)
	words := func(list string) []string {
		return strings.FieldsFunc(strings.ReplaceAll(list, "${get_repo_root()}", root), func(r rune) bool { return strings.ContainsRune(`", `, r) })
	}
	commands := map[string]string{}
	block := regexp.MustCompile(`(?s)(extra_arguments|\w+_hook) "\w+" \{.*?commands += \[(.*?)\].*?(?:arguments|execute) += \[(.*?)\]`)
	for _, found := range block.FindAllStringSubmatch(read(t, "guides/gitops/terragrunt.hcl"), -1) {
		for _, command := range words(found[2]) {
			commands[found[1]+" "+command] = strings.Join(words(found[3]), " ")
		}
	}
	commands["extra_arguments"] = "terraform plan -input=false " + commands["extra_arguments plan"]
	for _, command := range []string{
		"git init -q . && terraform init -input=false", commands["before_hook plan"], commands["extra_arguments"], commands["after_hook plan"],
		commands["before_hook apply"], "terraform apply -input=false unit.tfplan",
	} {
		if command == "" {
			t.Error("a hook is missing")
		}
		if out, err := tf.Shell(t, command, approveLaptop); err != nil {
			t.Errorf("%s: %v\n%s", command, err, acctest.Summary(out))
		}
	}
}
