package acctest

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-exec/tfexec"
)

// Terraform is a working directory for the Terraform command line. Use it for what
// Protocol does not show: the core of Terraform, files, processes and commands.
type Terraform struct {
	Dir string
	// Output is the output of all commands so far.
	Output bytes.Buffer

	exec     *tfexec.Terraform
	env      map[string]string
	reattach tfexec.ReattachInfo // nil if the provider runs as a separate process
	log      string              // path of the log; empty if there is none
}

// RequiredProviders is the block that names the source of the provider.
const RequiredProviders = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
`

// Terraform returns a working directory with one configuration file. Terraform
// uses the provider in this process, so it plans without terraform init. The test is
// skipped if TF_ACC is not set.
func (w *Env) Terraform(t *testing.T, config string) *Terraform {
	t.Helper()
	tf := newTerraform(t, w.Config("%s", RequiredProviders)+config)
	tf.reattach = reattach(t)
	if isOpenTofu() {
		tf.Init(t)
	}
	return tf
}

// ProvideAs makes the provider available under another address, too.
func (tf *Terraform) ProvideAs(address string) { tf.reattach[address] = tf.reattach[ProviderAddress()] }

// Init runs terraform init, which few commands need; see Env.Terraform.
func (tf *Terraform) Init(t *testing.T) {
	t.Helper()
	if out, err := tf.try(func() error { return tf.exec.Init(t.Context(), tfexec.Reattach(tf.reattach)) }); err != nil {
		fail(t, "init", err, out)
	}
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

// Setenv sets environment variables for the following commands.
func (tf *Terraform) Setenv(t *testing.T, variables map[string]string) {
	t.Helper()
	maps.Copy(tf.env, variables)
	if err := tf.exec.SetEnv(tf.env); err != nil {
		t.Fatal(err)
	}
}

// Unsetenv removes environment variables for the following commands.
func (tf *Terraform) Unsetenv(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		delete(tf.env, name)
	}
	tf.Setenv(t, nil)
}

// Log makes the following commands log at level TRACE to a file in the
// directory.
func (tf *Terraform) Log(t *testing.T, name string) {
	t.Helper()
	tf.log = filepath.Join(tf.Dir, name)
	if err := tf.exec.SetLogPath(tf.log); err != nil {
		t.Fatal(err)
	}
}

// SetVariables writes the values of input variables to a file.
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

// Read returns the content of a file.
func (tf *Terraform) Read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(tf.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Plan runs terraform plan and returns its output. The test fails if the
// command fails.
func (tf *Terraform) Plan(t testing.TB, options ...tfexec.PlanOption) string {
	t.Helper()
	out, err := tf.TryPlan(t, options...)
	if err != nil {
		fail(t, "plan", err, out)
	}
	return out
}

// TryPlan runs terraform plan and returns its output and error.
func (tf *Terraform) TryPlan(t testing.TB, options ...tfexec.PlanOption) (string, error) {
	t.Helper()
	out, _, err := tf.plan(t, options)
	return out, err
}

// ExpectNoChanges fails the test if a plan fails or has changes.
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

// Apply runs terraform apply and returns its output. The test fails if the
// command fails.
func (tf *Terraform) Apply(t testing.TB, options ...tfexec.ApplyOption) string {
	t.Helper()
	out, err := tf.TryApply(t, options...)
	if err != nil {
		fail(t, "apply", err, out)
	}
	return out
}

// TryApply runs terraform apply and returns its output and error.
func (tf *Terraform) TryApply(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	return tf.try(func() error { return tf.exec.Apply(t.Context(), tf.applyOptions(options)...) })
}

// ApplyJSON is like TryApply, but with JSON output.
func (tf *Terraform) ApplyJSON(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	var json bytes.Buffer
	_, err := tf.try(func() error { return tf.exec.ApplyJSON(t.Context(), &json, tf.applyOptions(options)...) })
	tf.Output.Write(json.Bytes())
	return json.String(), err
}

func (tf *Terraform) applyOptions(options []tfexec.ApplyOption) []tfexec.ApplyOption {
	if tf.reattach != nil {
		options = append(options, tfexec.Reattach(tf.reattach))
	}
	return options
}

// Destroy destroys all resources. The test fails if the command fails.
func (tf *Terraform) Destroy(t testing.TB, options ...tfexec.ApplyOption) {
	t.Helper()
	if out, err := tf.TryDestroy(t, options...); err != nil {
		fail(t, "destroy", err, out)
	}
}

// TryDestroy destroys all resources and returns the output and error.
func (tf *Terraform) TryDestroy(t testing.TB, options ...tfexec.ApplyOption) (string, error) {
	t.Helper()
	return tf.TryApply(t, append(options, tfexec.Destroy(true))...)
}

// quiet discards the output of the next command.
func (tf *Terraform) quiet() {
	tf.exec.SetStdout(nil)
	tf.exec.SetStderr(nil)
}

// Feature is a feature that only newer versions support.
type Feature struct {
	name                string
	terraform, openTofu string // first version with the feature; empty if there is none
}

// The features that tests need.
var (
	WriteOnlyArguments = Feature{"write-only arguments", "1.11", "1.11"}
	EphemeralResources = Feature{"ephemeral resources", "1.10", "1.11"}
	ImportByIdentity   = Feature{"import by identity", "1.12", "1.12"}
	Query              = Feature{"query", "1.14", ""}
	MockFiles          = Feature{"mocks from files", "1.7", ""}
	MocksInPlans       = Feature{"mocked values in plans", "1.11", ""}
	OutputsOfRuns      = Feature{"outputs of other runs in assertions", "1.6", ""}
	MovedAcrossTypes   = Feature{"moved blocks across resource types", "1.8", "1.10"}
)

// Needs skips the test if the program does not support a feature.
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
