package main_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// program builds the provider as a release does, and returns its path.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "terraform-provider-tunnel.exe")
	if out, err := exec.Command("go", "build", "-ldflags", "-X main.release=1.2.3-test", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func TestVersion_isThatOfTheRelease(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), program(t), "-version").CombinedOutput()
	if err != nil || string(out) != "terraform-provider-tunnel 1.2.3-test\n" {
		t.Errorf("-version prints %q: %v", out, err)
	}
}

// TestAccDebug_attaches attaches Terraform to a provider that waits for a
// debugger, once at the address that Terraform looks up and once at the one of
// OpenTofu.
func TestAccDebug_attaches(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	path := program(t)
	for name, arguments := range map[string][]string{
		"registry.terraform.io/tunnel-service/tunnel": {"-debug"},
		"registry.opentofu.org/tunnel-service/tunnel": {"-debug", "-address", "registry.opentofu.org/tunnel-service/tunnel"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			variable := startDebug(t, path, arguments)
			var attached map[string]json.RawMessage
			if err := json.Unmarshal([]byte(variable), &attached); err != nil || len(attached) != 1 || attached[name] == nil {
				t.Fatalf("TF_REATTACH_PROVIDERS is %s: %v", variable, err)
			}
			w := acctest.Start(t)
			tf := w.Bare(t, `terraform {
  required_providers {
    tunnel = { source = "`+name+`" }
  }
}

resource "tunnel_group_backend" "web" {
  labels = { app = "web" }
}
`)
			for _, arguments := range [][]string{{"init"}, {"apply", "-auto-approve"}} {
				cmd := tf.Command(t.Context(), arguments...)
				cmd.Env = append(cmd.Env, "TF_REATTACH_PROVIDERS="+variable)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("terraform %s: %v\n%s", arguments[0], err, out)
				}
			}
			if n := w.Stats().Requests["POST /backends/tunnel_group"]; n != 1 {
				t.Errorf("%d creations reached the service, want 1", n)
			}
		})
	}
}

// startDebug starts the provider and returns the value of TF_REATTACH_PROVIDERS
// that it prints. The provider ends with the test.
func startDebug(t *testing.T, path string, arguments []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), path, arguments...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, value, ok := strings.Cut(lines.Text(), "TF_REATTACH_PROVIDERS='"); ok {
			return strings.TrimSuffix(value, "'")
		}
	}
	t.Fatal("the provider prints no TF_REATTACH_PROVIDERS")
	return ""
}

// TestProvider_endsWithTerraform starts the provider by a wrapper that waits for it, so
// that its parent lives on when Terraform, which reads its output, is killed.
func TestProvider_endsWithTerraform(t *testing.T) {
	t.Parallel()
	ended := filepath.Join(t.TempDir(), "ended")
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `"$0" 2>/dev/null; echo > "$1"`, program(t), ended)
	cmd.Env = append(os.Environ(), "TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2", "PLUGIN_PROTOCOL_VERSIONS=6")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || !strings.HasPrefix(line, "1|6|") {
		t.Fatalf("the provider prints %q: %v", line, err)
	}
	for _, end := range []*os.File{write, read} {
		if err := end.Close(); err != nil {
			t.Fatal(err)
		}
	}
	acctest.Await(t, func() bool {
		_, err := os.Stat(ended)
		return err == nil
	})
}
