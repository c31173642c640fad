package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var distFlag = flag.String("dist", "", "install the archive in this directory, from make dist, and not one of the current code")

// TestAccInstall_fromMirror does what the guide "Installing the provider" says for a
// machine without access to a registry.
func TestAccInstall_fromMirror(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	r, dir := packed(t)
	mirror := t.TempDir()
	folder := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	archive := r.archive(provider, runtime.GOOS+"_"+runtime.GOARCH)
	if err := copyFile(filepath.Join(dir, archive), filepath.Join(folder, archive)); err != nil {
		t.Fatal(err)
	}

	w := acctest.Start(t)
	demo, err := os.ReadFile("../../../examples/demo/main.tf")
	if err != nil {
		t.Fatal(err)
	}
	// The constraint of the examples never matches a snapshot.
	config := regexp.MustCompile(`version = "~> [^"]+"`).ReplaceAllString(strings.Replace(string(demo), `provider "tunnel" {}`, "", 1), fmt.Sprintf("version = %q", r.version))
	tf := w.Bare(t, config)
	tf.Needs(t, acctest.WriteOnlyArguments)
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.ToSlash(mirror)))
	chain, key := acctest.Certificate(t, "www.example.com")
	for name, content := range map[string]string{
		"certificate.pem": chain, "private_key.pem": key,
		"host_key.pub": acctest.PublicKey(t, "root@host"), "user_key.pub": acctest.PublicKey(t, "me@here"),
	} {
		tf.Write(t, name, content)
	}
	tf.SetVariables(t, map[string]any{"keys": tf.Dir})

	tf.Run(t, "providers", "lock", "-fs-mirror="+mirror)
	lock := tf.Read(t, ".terraform.lock.hcl")
	for _, want := range []string{fmt.Sprintf("%q", acctest.ProviderAddress()), fmt.Sprintf("version     = %q", r.version), `"h1:`} {
		if !strings.Contains(lock, want) {
			t.Errorf("the lock file has no %s:\n%s", want, lock)
		}
	}
	if out := tf.Run(t, "init", "-lockfile=readonly"); !strings.Contains(out, "Installed tunnel-service/tunnel v"+r.version) {
		t.Errorf("init prints:\n%s", out)
	}
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	if n := w.Stats().Requests["POST /tls_certificates"]; n != 1 {
		t.Errorf("%d certificates were created, want 1", n)
	}
	tf.Destroy(t)

	// Somebody replaces the archive.
	content := build(t, provider, runtime.GOOS+"_"+runtime.GOARCH)
	name := provider + "_v" + r.version
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	writeArchive(t, filepath.Join(folder, archive), name, 0o755, content)
	if err := os.RemoveAll(filepath.Join(tf.Dir, ".terraform")); err != nil {
		t.Fatal(err)
	}
	if out, err := tf.Try(t, "init"); err == nil || !strings.Contains(out, "checksums") {
		t.Errorf("init installs an archive that the lock file does not know: %v\n%s", err, out)
	}
}

// packed returns a release with an archive for this machine, and its directory.
func packed(t *testing.T) (release, string) {
	t.Helper()
	if *distFlag != "" {
		r, err := findRelease(*distFlag, allPlatforms)
		if err != nil {
			t.Fatal(err)
		}
		return r, *distFlag
	}
	r := release{version: "0.1.0"}
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X main.release="+r.version, "-o", program, "../../..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	name := provider + "_v" + r.version
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	writeArchive(t, filepath.Join(dir, r.archive(provider, platform)), name, 0o755, content)
	return r, dir
}
