package acctest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Installed is Terraform with the provider as a program of its own, as users
// have it, and with all logs at TRACE in the file trace.log: for what must not
// get out of a process.
func (w *World) Installed(t *testing.T, config string) *Terraform {
	t.Helper()
	tf, _ := Installed(t, w.Config("")+config)
	tf.Log(t, "trace.log")
	return tf
}

// Installed is Terraform with the provider as a program of its own, whose path it
// returns. No other process has that path.
func Installed(t *testing.T, config string) (tf *Terraform, provider string) {
	t.Helper()
	tf = newTerraform(t, requiredProviders+config)
	built, err := build()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	provider = filepath.Join(bin, filepath.Base(built))
	if err := os.Link(built, provider); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", filepath.ToSlash(bin)))
	return tf, provider
}

// Bare is Terraform without a provider, for tests that say themselves where it is.
func (w *World) Bare(t *testing.T, config string) *Terraform {
	t.Helper()
	return newTerraform(t, w.Config("")+config)
}

var buildDir string // "" if nothing was built

// build builds the provider, once for all tests of a package.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tunnel-acctest-")
	if err != nil {
		return "", err
	}
	buildDir = dir
	program := filepath.Join(dir, "terraform-provider-tunnel")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, "github.com/tunnel-service/terraform-provider-tunnel").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

// Main runs the tests of a package that uses Installed, and cleans up.
func Main(m *testing.M) int {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	return code
}
