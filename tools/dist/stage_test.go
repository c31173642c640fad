package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// now is when the tests check releases: after they made them.
var now = time.Now().Add(time.Hour)

// twoPlatforms are this machine and another one: two are enough to tell them
// apart.
var twoPlatforms = func() []string {
	other := "linux_arm64"
	if runtime.GOOS+"_"+runtime.GOARCH == other {
		other = "linux_amd64"
	}
	return []string{runtime.GOOS + "_" + runtime.GOARCH, other}
}()

// newKey returns a signing key that expires after a time, never if that is 0.
func newKey(t *testing.T, algorithm packet.PublicKeyAlgorithm, lifetime time.Duration) *openpgp.Entity {
	t.Helper()
	key, err := openpgp.NewEntity("Test", "", "", &packet.Config{
		Algorithm: algorithm, RSABits: 2048, KeyLifetimeSecs: uint32(lifetime.Seconds()),
		Time: func() time.Time { return now.Add(-2 * time.Hour) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

var sharedKey = sync.OnceValue(func() *openpgp.Entity {
	key, err := openpgp.NewEntity("Test", "", "", &packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: 2048})
	if err != nil {
		panic(err)
	}
	return key
})

func public(t *testing.T, key *openpgp.Entity) string {
	t.Helper()
	armored, err := publicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(armored)
}

// build builds a program that prints its version, once for each platform and
// program.
func build(t *testing.T, program, platform string) []byte {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	if content := builds.created[program+platform]; content != nil {
		return content
	}
	dir := t.TempDir()
	content := compile(t, dir, platform, fmt.Sprintf("package main\n\nfunc main() { println(%q) }\n", program+" 1.2.3"))
	builds.created[program+platform] = content
	return content
}

// compile builds a program of one file.
func compile(t *testing.T, dir, platform, source string) []byte {
	t.Helper()
	for name, content := range map[string]string{"go.mod": "module example.com/program\n\ngo 1.26\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	goos, goarch, _ := bytes.Cut([]byte(platform), []byte("_"))
	cmd := exec.Command("go", "build", "-trimpath", "-o", "program", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOOS="+string(goos), "GOARCH="+string(goarch))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	content, err := os.ReadFile(filepath.Join(dir, "program"))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

var builds = struct {
	sync.Mutex
	created map[string][]byte
}{created: map[string][]byte{}}

// commitTime is that of all files in an archive.
var commitTime = time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)

// writeArchive packs a program as GoReleaser does.
func writeArchive(t *testing.T, path, name string, mode os.FileMode, content []byte) {
	t.Helper()
	writeArchiveAt(t, path, name, mode, content, commitTime)
}

func writeArchiveAt(t *testing.T, path, name string, mode os.FileMode, content []byte, modified time.Time) {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range []struct {
		name    string
		mode    os.FileMode
		content []byte
		time    time.Time
	}{{"LICENSE", 0o644, []byte("MPL-2.0"), commitTime}, {name, mode, content, modified}} {
		header := &zip.FileHeader{Name: file.name, Modified: file.time}
		header.SetMode(file.mode)
		f, err := w.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(file.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// newRelease makes a release of version 1.2.3 and returns its directory.
func newRelease(t *testing.T, key *openpgp.Entity) (release, string) {
	t.Helper()
	r := release{version: "1.2.3", platforms: twoPlatforms}
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "dist")
	for _, program := range []string{provider, testServer} {
		for _, platform := range r.platforms {
			writeArchive(t, filepath.Join(from, r.archive(program, platform)), programName(program, platform), 0o755, build(t, program, platform))
		}
	}
	manifest := filepath.Join(from, r.manifest())
	if err := copyFile("../../terraform-registry-manifest.json", manifest); err != nil {
		t.Fatal(err)
	}
	writeSums(t, from, r.sums(), r.forRegistries())
	if err := assemble(from, to, manifest, key, r.platforms); err != nil {
		t.Fatal(err)
	}
	return r, to
}

func programName(program, platform string) string {
	if program == provider {
		program += "_v1.2.3"
	}
	if platform[:7] == "windows" {
		program += ".exe"
	}
	return program
}

func writeSums(t *testing.T, dir, name string, files []string) {
	t.Helper()
	sums, err := sumsOf(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), sums, 0o600); err != nil {
		t.Fatal(err)
	}
}

// resign writes checksums and their signature again, as somebody with the key
// can.
func resign(t *testing.T, dir, name string, files []string, key *openpgp.Entity) {
	t.Helper()
	writeSums(t, dir, name, files)
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := sign(key, content)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".sig"), signature, 0o600); err != nil {
		t.Fatal(err)
	}
}
