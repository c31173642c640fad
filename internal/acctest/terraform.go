package acctest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
)

// A Terraform is a working directory for Terraform's own command line: for what
// the test framework has no step for.
type Terraform struct {
	Dir string
	// Output is what all commands have printed so far.
	Output bytes.Buffer

	exec     *tfexec.Terraform
	env      map[string]string
	reattach tfexec.ReattachInfo // nil if the provider is a program of its own
	log      string              // path, "" for no log
}

const requiredProviders = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
`

// Terraform returns a directory with one configuration file, and with the provider
// of this process. Like all acceptance tests, the test is skipped if TF_ACC is not
// set.
func (w *World) Terraform(t *testing.T, config string) *Terraform {
	t.Helper()
	tf := newTerraform(t, w.Config("%s", requiredProviders)+config)
	tf.reattach = reattach(t)
	if out, err := tf.try(func() error { return tf.exec.Init(t.Context(), tfexec.Reattach(tf.reattach)) }); err != nil {
		fail(t, "init", err, out)
	}
	return tf
}

func newTerraform(t *testing.T, config string) *Terraform {
	t.Helper()
	program := Program(t)
	tf := &Terraform{Dir: t.TempDir(), env: map[string]string{}}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "TF_") {
			tf.env[name] = value
		}
	}
	var err error
	if tf.exec, err = tfexec.NewTerraform(tf.Dir, program); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "main.tf", config)
	tf.Write(t, "terraformrc", "")
	tf.Setenv(t, map[string]string{"TF_CLI_CONFIG_FILE": filepath.Join(tf.Dir, "terraformrc"), "CHECKPOINT_DISABLE": "1"})
	return tf
}

// Setenv sets variables in the environment of the commands that follow.
func (tf *Terraform) Setenv(t *testing.T, variables map[string]string) {
	t.Helper()
	maps.Copy(tf.env, variables)
	if err := tf.exec.SetEnv(tf.env); err != nil {
		t.Fatal(err)
	}
}

// Unsetenv removes variables from the environment of the commands that follow.
func (tf *Terraform) Unsetenv(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		delete(tf.env, name)
	}
	tf.Setenv(t, nil)
}

// Log has all logs at TRACE written to a file in the directory.
func (tf *Terraform) Log(t *testing.T, name string) {
	t.Helper()
	tf.log = filepath.Join(tf.Dir, name)
	if err := tf.exec.SetLogPath(tf.log); err != nil {
		t.Fatal(err)
	}
}

// SetVariables writes the values of variables of the configuration.
func (tf *Terraform) SetVariables(t *testing.T, values map[string]any) {
	t.Helper()
	content, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "test.auto.tfvars.json", string(content))
}

// Write writes a file.
func (tf *Terraform) Write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(tf.Dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Read returns a file's content.
func (tf *Terraform) Read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(tf.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Plan plans, which must succeed, and returns what is printed.
func (tf *Terraform) Plan(t testing.TB, options ...tfexec.PlanOption) string {
	t.Helper()
	out, err := tf.TryPlan(t, options...)
	if err != nil {
		fail(t, "plan", err, out)
	}
	return out
}

// TryPlan plans and returns what is printed.
func (tf *Terraform) TryPlan(t testing.TB, options ...tfexec.PlanOption) (string, error) {
	t.Helper()
	out, _, err := tf.plan(t, options)
	return out, err
}

// ExpectNoChanges expects a plan to find nothing to do.
func (tf *Terraform) ExpectNoChanges(t testing.TB, options ...tfexec.PlanOption) {
	t.Helper()
	out, changes, err := tf.plan(t, options)
	if err != nil {
		fail(t, "plan", err, out)
	}
	if changes {
		t.Fatalf("the plan has changes:\n%s", Summary(out))
	}
}

func (tf *Terraform) plan(t testing.TB, options []tfexec.PlanOption) (out string, changes bool, err error) {
	if tf.reattach != nil {
		options = append(options, tfexec.Reattach(tf.reattach))
	}
	out, err = tf.try(func() error {
		var err error
		changes, err = tf.exec.Plan(t.Context(), options...)
		return err
	})
	return out, changes, err
}

// Apply applies, which must succeed, and returns what is printed.
func (tf *Terraform) Apply(t testing.TB, options ...tfexec.ApplyOption) string {
	t.Helper()
	out, err := tf.TryApply(t, options...)
	if err != nil {
		fail(t, "apply", err, out)
	}
	return out
}

// TryApply applies and returns what is printed.
func (tf *Terraform) TryApply(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	return tf.try(func() error { return tf.exec.Apply(t.Context(), tf.applyOptions(options)...) })
}

// ApplyJSON is TryApply with output for programs.
func (tf *Terraform) ApplyJSON(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	var out output
	tf.exec.SetStderr(&out)
	err := tf.exec.ApplyJSON(t.Context(), &out, tf.applyOptions(options)...)
	tf.Output.WriteString(out.String())
	return out.String(), err
}

func (tf *Terraform) applyOptions(options []tfexec.ApplyOption) []tfexec.ApplyOption {
	if tf.reattach != nil {
		options = append(options, tfexec.Reattach(tf.reattach))
	}
	return options
}

// Destroy destroys everything, which must succeed.
func (tf *Terraform) Destroy(t testing.TB, options ...tfexec.ApplyOption) {
	t.Helper()
	if out, err := tf.TryDestroy(t, options...); err != nil {
		fail(t, "destroy", err, out)
	}
}

// TryDestroy destroys everything and returns what is printed.
func (tf *Terraform) TryDestroy(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	return tf.TryApply(t, append(options, tfexec.Destroy(true))...)
}

// Import imports an object on the command line.
func (tf *Terraform) Import(t testing.TB, address, id string) {
	t.Helper()
	if out, err := tf.try(func() error { return tf.exec.Import(t.Context(), address, id, tfexec.Reattach(tf.reattach)) }); err != nil {
		fail(t, "import", err, out)
	}
}

// Forget removes a resource from the state.
func (tf *Terraform) Forget(t testing.TB, address string) {
	t.Helper()
	if out, err := tf.try(func() error { return tf.exec.StateRm(t.Context(), address) }); err != nil {
		fail(t, "state rm", err, out)
	}
}

// State returns the state.
func (tf *Terraform) State(t testing.TB) *tfjson.State {
	t.Helper()
	tf.quiet()
	state, err := tf.exec.Show(t.Context(), tfexec.Reattach(tf.reattach))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// StateFile returns the state as it is stored, "" if there is none.
func (tf *Terraform) StateFile(t testing.TB) string {
	t.Helper()
	const name = "terraform.tfstate"
	if _, err := os.Stat(filepath.Join(tf.Dir, name)); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return tf.Read(t, name)
}

// OutputValue decodes an output of the configuration.
func (tf *Terraform) OutputValue(t testing.TB, name string, value any) {
	t.Helper()
	tf.quiet()
	outputs, err := tf.exec.Output(t.Context())
	if err == nil {
		err = json.Unmarshal(outputs[name].Value, value)
	}
	if err != nil {
		t.Fatalf("output %s: %v", name, err)
	}
}

// quiet keeps nothing of what the next command prints.
func (tf *Terraform) quiet() {
	tf.exec.SetStdout(nil)
	tf.exec.SetStderr(nil)
}

// A Feature is something that only newer versions can do.
type Feature struct {
	name                string
	terraform, openTofu string // the first version; "" if there is none
}

// The features that tests need.
var (
	WriteOnlyArguments = Feature{"write-only arguments", "1.11", "1.11"}
	ImportByIdentity   = Feature{"import by identity", "1.12", "1.12"}
	Query              = Feature{"query", "1.14", ""}
)

// Needs skips the test if the program cannot do something.
func (tf *Terraform) Needs(t *testing.T, feature Feature) {
	t.Helper()
	tf.quiet()
	found, _, err := tf.exec.Version(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	product, first := "Terraform", feature.terraform
	if isOpenTofu() {
		product, first = "OpenTofu", feature.openTofu
	}
	if first == "" || found.Core().LessThan(version.Must(version.NewVersion(first))) {
		t.Skipf("%s %s cannot do this: %s", product, found, feature.name)
	}
}

// PlannedActions plans, which must succeed, and returns by address what is planned:
// no-op, create, update, replace or delete.
func (tf *Terraform) PlannedActions(t testing.TB) map[string]string {
	t.Helper()
	const file = "actions.plan"
	tf.Plan(t, tfexec.Out(file))
	tf.quiet()
	plan, err := tf.exec.ShowPlanFile(t.Context(), file, tfexec.Reattach(tf.reattach))
	if err != nil {
		t.Fatal(err)
	}
	actions := map[string]string{}
	for _, change := range plan.ResourceChanges {
		actions[change.Address] = string(change.Change.Actions[0])
		if change.Change.Actions.Replace() {
			actions[change.Address] = "replace"
		}
	}
	return actions
}
