package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
)

// verify returns everything that is wrong with a release in a directory.
func (r release) verify(dir, armoredKey string, now time.Time) error {
	problems := r.runPrograms(dir) // first, so that everything is checked as it is after that
	problems = append(problems, r.checkNames(dir)...)
	problems = append(problems, r.checkManifest(dir)...)
	keys, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armoredKey))
	if err != nil {
		problems = append(problems, fmt.Errorf("the public key: %w", err))
	}
	problems = append(problems, checkSums(dir, r.sums(), r.forRegistries(), keys, now)...)
	problems = append(problems, checkSums(dir, r.extraSums(), r.extras(), keys, now)...)
	for _, program := range []string{provider, testServer} {
		for _, platform := range r.platforms {
			problems = append(problems, r.checkArchive(dir, program, platform)...)
		}
	}
	problems = append(problems, r.checkImage(dir)...)
	return errors.Join(problems...)
}

// checkNames compares the files with those that a release has.
func (r release) checkNames(dir string) []error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []error{err}
	}
	var problems []error
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
		if !slices.Contains(r.files(), entry.Name()) {
			problems = append(problems, fmt.Errorf("%s does not belong to the release", entry.Name()))
		}
	}
	for _, name := range r.files() {
		if !slices.Contains(names, name) {
			problems = append(problems, fmt.Errorf("%s is missing", name))
		}
	}
	return problems
}

// checkManifest reads the manifest as a registry does.
func (r release) checkManifest(dir string) []error {
	content, err := os.ReadFile(filepath.Join(dir, r.manifest()))
	if err != nil {
		return nil // checkNames says so
	}
	var manifest struct {
		Version  int
		Metadata struct {
			ProtocolVersions []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		return []error{fmt.Errorf("%s: %w", r.manifest(), err)}
	}
	if manifest.Version != 1 || !slices.Equal(manifest.Metadata.ProtocolVersions, []string{"6.0"}) {
		return []error{fmt.Errorf("%s is not of version 1 with protocol 6.0", r.manifest())}
	}
	return nil
}

var sumsLine = regexp.MustCompile(`^([0-9a-f]{64})  (\S+)$`)

// checkSums checks that a file of checksums lists exactly some files, each with
// its sum, and that it is signed.
func checkSums(dir, sums string, want []string, keys openpgp.EntityList, now time.Time) []error {
	content, err := os.ReadFile(filepath.Join(dir, sums))
	if err != nil {
		return nil // checkNames says so
	}
	var problems []error
	problem := func(format string, arguments ...any) {
		problems = append(problems, fmt.Errorf(sums+": "+format, arguments...))
	}
	var listed []string
	for line := range strings.Lines(string(content)) {
		found := sumsLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if found == nil {
			problem("line %q is not a checksum, two spaces and a name", line)
			continue
		}
		name := found[2]
		listed = append(listed, name)
		if !slices.Contains(want, name) {
			problem("lists %s, which does not belong there", name)
			continue
		}
		if file, err := os.ReadFile(filepath.Join(dir, name)); err == nil && checksum(file) != found[1] {
			problem("the checksum of %s is wrong", name)
		}
	}
	for _, name := range want {
		if n := len(slices.DeleteFunc(slices.Clone(listed), func(l string) bool { return l != name })); n != 1 {
			problem("lists %s %d times, want once", name, n)
		}
	}
	signature, err := os.ReadFile(filepath.Join(dir, sums+".sig"))
	if err == nil && keys != nil {
		if err := checkSignature(keys, content, signature, now); err != nil {
			problem("the signature: %w", err)
		}
	}
	return problems
}

// runPrograms runs the programs for this machine.
func (r release) runPrograms(dir string) []error {
	var problems []error
	for _, program := range []string{provider, testServer} {
		platform := runtime.GOOS + "_" + runtime.GOARCH
		if !slices.Contains(r.platforms, platform) {
			continue
		}
		a, err := openArchive(dir, r, program, platform)
		if err != nil {
			continue // checkNames or checkArchive says so
		}
		if err := a.run(); err != nil {
			problems = append(problems, err)
		}
	}
	return problems
}

// checkArchive checks an archive and its SBOM.
func (r release) checkArchive(dir, program, platform string) []error {
	if _, err := os.Stat(filepath.Join(dir, r.archive(program, platform))); err != nil {
		return nil // checkNames says so
	}
	a, err := openArchive(dir, r, program, platform)
	if err != nil {
		return []error{err}
	}
	problems := a.check()
	want, err := a.bom()
	if err != nil {
		problems = append(problems, err)
	}
	if bom, err := os.ReadFile(filepath.Join(dir, r.sbom(program, platform))); err == nil && !bytes.Equal(bom, want) {
		problems = append(problems, fmt.Errorf("%s does not describe the program", r.sbom(program, platform)))
	}
	return problems
}

// run runs the program, which must print its version. It has no environment: the
// one of this process may hold secrets.
func (a *archive) run() error {
	dir, err := os.MkdirTemp("", "tunnel-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, a.name)
	if err := writeProgram(path, a.content); err != nil {
		return err
	}
	cmd := exec.Command(path, "-version")
	cmd.Dir, cmd.Env = dir, []string{}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: -version: %w", a.release.archive(a.program, a.platform), err)
	}
	if got, want := strings.TrimSpace(string(out)), a.program+" "+a.release.version; got != want {
		return fmt.Errorf("%s: -version prints %q, want %q", a.release.archive(a.program, a.platform), got, want)
	}
	return nil
}

// writeProgram writes a program that can be run at once. The kernel does not run a
// file that somebody may write, and a process that is started meanwhile would hold
// this one for a moment, so none is.
func writeProgram(path string, content []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, content, 0o755)
}
