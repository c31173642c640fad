package acctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// Installed is Terraform with the provider as a program of its own, as users
// have it, and with all logs at TRACE in the file trace.log: for what must not
// get out of a process.
func (w *World) Installed(t *testing.T, config string) *Terraform {
	t.Helper()
	tf := w.Terraform(t, config)
	bin := t.TempDir()
	program := "terraform-provider-tunnel"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, program), "github.com/tunnel-service/terraform-provider-tunnel")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cli := filepath.Join(bin, "terraformrc")
	overrides := "provider_installation {\n  dev_overrides {\n    \"tunnel-service/tunnel\" = \"" + filepath.ToSlash(bin) + "\"\n  }\n  direct {}\n}\n"
	if err := os.WriteFile(cli, []byte(overrides), 0o600); err != nil {
		t.Fatal(err)
	}
	tf.env = append(tf.env, "TF_REATTACH_PROVIDERS=", "TF_CLI_CONFIG_FILE="+cli, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(tf.Dir, "trace.log"))
	return tf
}
