package docs

import (
	"archive/zip"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var distFlag = flag.String("dist", "", "install the archive in this directory, from make dist, and not one of the current code")

// TestAccInstall_fromMirror does what the guide "Installing the provider" says
// for a machine without access to a registry.
func TestAccInstall_fromMirror(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	archive, version := packed(t)
	mirror := t.TempDir()
	folder := filepath.Join(mirror, filepath.FromSlash(acctest.ProviderAddress()))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	inMirror := filepath.Join(folder, fmt.Sprintf("terraform-provider-tunnel_%s_%s_%s.zip", version, runtime.GOOS, runtime.GOARCH))
	if err := os.WriteFile(inMirror, archive, 0o600); err != nil {
		t.Fatal(err)
	}

	w := acctest.Start(t)
	// The constraint of the examples never matches a snapshot.
	config := regexp.MustCompile(`version = "~> [^"]+"`).ReplaceAllString(strings.Replace(read(t, "demo/main.tf"), `provider "tunnel" {}`, "", 1), fmt.Sprintf("version = %q", version))
	tf := w.Bare(t, config)
	tf.Needs(t, acctest.WriteOnlyArguments)
	tf.Write(t, "terraformrc", fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.ToSlash(mirror)))
	writeDemoFiles(t, tf)

	tf.Run(t, "providers", "lock", "-fs-mirror="+mirror)
	lock := tf.Read(t, ".terraform.lock.hcl")
	for _, want := range []string{fmt.Sprintf("%q", acctest.ProviderAddress()), fmt.Sprintf("version     = %q", version), `"h1:`} {
		if !strings.Contains(lock, want) {
			t.Errorf("the lock file has no %s:\n%s", want, lock)
		}
	}
	if out := tf.Run(t, "init", "-lockfile=readonly"); !strings.Contains(out, "Installed tunnel-service/tunnel v"+version) {
		t.Errorf("init prints:\n%s", out)
	}
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	if n := w.Stats().Requests["POST /tls_certificates"]; n != 1 {
		t.Errorf("%d certificates were created, want 1", n)
	}
	tf.Destroy(t)

	// Somebody replaces the archive.
	if err := os.WriteFile(inMirror, pack(t, version, []byte("another program")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(tf.Dir, ".terraform")); err != nil {
		t.Fatal(err)
	}
	if out, err := tf.Try(t, "init"); err == nil || !strings.Contains(out, "checksums") {
		t.Errorf("init installs an archive that the lock file does not know: %v\n%s", err, out)
	}
}

// packed returns the archive of the provider for this machine, and its version.
func packed(t *testing.T) (archive []byte, version string) {
	t.Helper()
	if *distFlag != "" {
		pattern := filepath.Join(*distFlag, fmt.Sprintf("terraform-provider-tunnel_*_%s_%s.zip", runtime.GOOS, runtime.GOARCH))
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) != 1 {
			t.Fatalf("%s matches %d files, want one: %v", pattern, len(found), err)
		}
		content, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return content, strings.Split(filepath.Base(found[0]), "_")[1]
	}
	version = "0.1.0"
	_, program := acctest.Installed(t, "") // make install-test installs a real release
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return pack(t, version, content), version
}

// pack returns an archive with a program, like an archive of a release.
func pack(t *testing.T, version string, program []byte) []byte {
	t.Helper()
	return zipOf(t, "terraform-provider-tunnel_v"+version+map[bool]string{true: ".exe"}[runtime.GOOS == "windows"], 0o755, program)
}

// zipOf returns an archive with a license and a program.
func zipOf(t *testing.T, program string, mode os.FileMode, content []byte) []byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, name := range []string{"LICENSE", program} {
		header := &zip.FileHeader{Name: name}
		header.SetMode(mode)
		file, err := w.CreateHeader(header)
		if err == nil {
			_, err = file.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}
