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

// Installed returns a working directory in which Terraform runs the provider as
// a separate process. It also returns the path of the provider's binary, which
// no other test uses.
func Installed(t *testing.T, config string) (tf *Terraform, provider string) {
	t.Helper()
	tf = newTerraform(t, RequiredProviders+config)
	built, err := build()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	provider = filepath.Join(bin, filepath.Base(built))
	if err := os.Link(built, provider); err != nil {
		t.Fatal(err)
	}
	tf.Write(
		t, "terraformrc",
		fmt.Sprintf("provider_installation {\n  dev_overrides { \"tunnel-service/tunnel\" = %q }\n  direct {}\n}\n", filepath.ToSlash(bin)),
	)
	return tf, provider
}

// Bare returns Terraform without a provider, for tests that install it themselves.
func (w *Env) Bare(t *testing.T, config string) *Terraform {
	t.Helper()
	return newTerraform(t, w.Config("")+config)
}

var buildDir string // empty if the provider was not built

// build builds the provider once for all tests of a package.
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
	if out, err := exec.Command("go", "build", "-o", program, "github.com/tunnel-service/terraform-provider-tunnel").
		CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

// Main runs the tests of a package that uses Installed and removes the build directory.
func Main(m *testing.M) int {
	code := m.Run()
	if buildDir != "" {
		os.RemoveAll(buildDir)
	}
	return code
}
