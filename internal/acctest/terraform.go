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
)

// Terraform is a working directory for the Terraform command line. Use it for what
// Protocol does not show: the core of Terraform, files, processes and commands.
type Terraform struct {
	Dir string
	// Output is the output of all commands so far.
	Output bytes.Buffer

	program  string
	env      map[string]string
	reattach map[string]any // nil if the provider runs as a separate process
	log      string         // path of the log; empty if there is none
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
	tf.Run(t, "init", "-input=false", "-no-color")
}

func newTerraform(t *testing.T, config string) *Terraform {
	t.Helper()
	tf := &Terraform{Dir: t.TempDir(), program: Program(t), env: map[string]string{}}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "TF_") {
			tf.env[name] = value
		}
	}
	tf.Write(t, "main.tf", config)
	tf.Write(t, "terraformrc", "")
	tf.Setenv(map[string]string{"TF_CLI_CONFIG_FILE": filepath.Join(tf.Dir, "terraformrc"), "CHECKPOINT_DISABLE": "1"})
	return tf
}

// Setenv sets environment variables for the following commands.
func (tf *Terraform) Setenv(variables map[string]string) { maps.Copy(tf.env, variables) }

// Unsetenv removes environment variables for the following commands.
func (tf *Terraform) Unsetenv(names ...string) {
	for _, name := range names {
		delete(tf.env, name)
	}
}

// Log makes the following commands log at level TRACE to a file in the directory.
func (tf *Terraform) Log(name string) { tf.log = filepath.Join(tf.Dir, name) }

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

func planWith(options []string) []string {
	return append([]string{"plan", "-input=false", "-no-color"}, options...)
}

// Plan runs terraform plan and returns its output. The test fails if the command fails.
func (tf *Terraform) Plan(t testing.TB, options ...string) string {
	t.Helper()
	return tf.Run(t, planWith(options)...)
}

// TryPlan runs terraform plan and returns its output and error.
func (tf *Terraform) TryPlan(t testing.TB, options ...string) (string, error) {
	t.Helper()
	return tf.Try(t, planWith(options)...)
}

// ExpectNoChanges fails the test if a plan fails or has changes.
func (tf *Terraform) ExpectNoChanges(t testing.TB, options ...string) {
	t.Helper()
	tf.Plan(t, append(options, "-detailed-exitcode")...)
}

func applyWith(options []string) []string {
	return append([]string{"apply", "-auto-approve", "-input=false", "-no-color"}, options...)
}

// Apply runs terraform apply, with the name of a saved plan as the last option if there
// is one, and returns its output. The test fails if the command fails.
func (tf *Terraform) Apply(t testing.TB, options ...string) string {
	t.Helper()
	return tf.Run(t, applyWith(options)...)
}

// TryApply runs terraform apply and returns its output and error.
func (tf *Terraform) TryApply(t testing.TB, options ...string) (string, error) {
	t.Helper()
	return tf.Try(t, applyWith(options)...)
}

// Destroy destroys all resources. The test fails if the command fails.
func (tf *Terraform) Destroy(t testing.TB, options ...string) {
	t.Helper()
	tf.Apply(t, append(options, "-destroy")...)
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
	Actions            = Feature{"actions", "1.14", ""}
	InitWithOwnBuild   = Feature{"init with development overrides alone", "1.17", ""}
	ImportByIdentity   = Feature{"import by identity", "1.12", "1.12"}
	Query              = Feature{"query", "1.14", ""}
	MocksInPlans       = Feature{"mocked values in plans", "1.11", ""}
	OutputsOfRuns      = Feature{"outputs of other runs in assertions", "1.6", ""}
	MovedAcrossTypes   = Feature{"moved blocks across resource types", "1.8", "1.10"}
)

// Needs skips the test if the program does not support a feature.
func (tf *Terraform) Needs(t *testing.T, feature Feature) {
	t.Helper()
	if !tf.Supports(t, feature) {
		t.Skip("the program is too old for " + feature.name)
	}
}

// Supports reports whether the program supports a feature.
func (tf *Terraform) Supports(t *testing.T, feature Feature) bool {
	t.Helper()
	var printed struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal(tf.Stdout(t, "version", "-json"), &printed); err != nil {
		t.Fatal(err)
	}
	first := feature.terraform
	if isOpenTofu() {
		first = feature.openTofu
	}
	return first != "" && version.Must(version.NewVersion(printed.Version)).Core().GreaterThanOrEqual(version.Must(version.NewVersion(first)))
}
