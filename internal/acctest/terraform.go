package acctest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	install "github.com/hashicorp/hc-install"
	"github.com/hashicorp/hc-install/fs"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
	"github.com/hashicorp/hc-install/src"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

const providerAddress = "registry.terraform.io/tunnel-service/tunnel"

// A Terraform is a working directory for Terraform's own command line, with the
// provider of this process: for what the test framework has no step for.
type Terraform struct {
	Dir     string
	program string
	env     []string
}

// Terraform returns a directory with one configuration file. Like all acceptance
// tests, the test is skipped where TF_ACC is not set.
func (w *World) Terraform(t *testing.T, config string) *Terraform {
	t.Helper()
	tf := &Terraform{Dir: t.TempDir(), program: Program(t), env: append(os.Environ(),
		"TF_REATTACH_PROVIDERS="+reattach(t), "TF_CLI_CONFIG_FILE=", "TF_INPUT=0", "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1")}
	tf.Write(t, "main.tf", w.Config(`terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
`)+config)
	tf.Run(t, "init", "-no-color")
	return tf
}

// Program returns where Terraform is, and skips an acceptance test where it is
// not to be run.
func Program(t *testing.T) string {
	t.Helper()
	checkName(t)
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	program, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// installed finds Terraform as the tests' harness does: where
// TF_ACC_TERRAFORM_PATH says, on the PATH, or else fetched.
var installed = sync.OnceValues(func() (string, error) {
	if program := os.Getenv("TF_ACC_TERRAFORM_PATH"); program != "" {
		return program, nil
	}
	return install.NewInstaller().Ensure(context.Background(), []src.Source{
		&fs.AnyVersion{Product: &product.Terraform},
		&releases.LatestVersion{Product: product.Terraform},
	})
})

// Setenv sets a variable in the environment of the commands that follow.
func (tf *Terraform) Setenv(name, value string) { tf.env = append(tf.env, name+"="+value) }

// Write writes a file.
func (tf *Terraform) Write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(tf.Dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Read returns a file's content.
func (tf *Terraform) Read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(tf.Dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// Run runs a command, which must succeed, and returns what it prints.
func (tf *Terraform) Run(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := tf.Try(t, arguments...)
	if err != nil {
		t.Fatalf("terraform %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return out
}

// Try runs a command and returns what it prints.
func (tf *Terraform) Try(t *testing.T, arguments ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), tf.program, arguments...)
	cmd.Dir, cmd.Env = tf.Dir, tf.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// GeneratedConfigPlansNoChange proves that what Terraform writes for the import
// of an object plans no change, as it is.
func (w *World) GeneratedConfigPlansNoChange(t *testing.T, address, importID string) {
	t.Helper()
	block := func(more string) string {
		return fmt.Sprintf("import {\n  to = %s\n  id = %q\n%s}\n", address, importID, more)
	}
	tf := w.Terraform(t, "")
	// Some versions of Terraform look for a provider of hashicorp's otherwise, and
	// none allows this once the resource is written.
	tf.Write(t, "import.tf", block("  provider = tunnel\n"))
	tf.Run(t, "plan", "-no-color", "-generate-config-out=generated.tf")
	tf.Write(t, "import.tf", block(""))
	if out, err := tf.Try(t, "plan", "-no-color", "-out=import.plan"); err != nil || !strings.Contains(out, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Fatalf("%v\n%s\n%s", err, out, tf.Read(t, "generated.tf"))
	}
	tf.Run(t, "apply", "-no-color", "import.plan")
	if out, err := tf.Try(t, "plan", "-no-color", "-detailed-exitcode"); err != nil {
		t.Fatalf("after the import: %v\n%s", err, out)
	}
}

// reattach serves the provider from this process and returns what tells
// Terraform where it is.
func reattach(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan *plugin.ReattachConfig)
	closed := make(chan struct{})
	server, err := Providers()["tunnel"]()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		err := tf6server.Serve(providerAddress, func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, served, closed), tf6server.WithGoPluginLogger(hclog.NewNullLogger()),
			tf6server.WithLoggingSink(t), tf6server.WithoutLogStderrOverride())
		if err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-closed
	})
	select {
	case config := <-served:
		text, err := json.Marshal(map[string]any{providerAddress: map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": true,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	case <-time.After(10 * time.Second):
		t.Fatal("the provider does not start")
		return ""
	}
}
