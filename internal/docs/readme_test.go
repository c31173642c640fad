package docs

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestAccReadme_quickStart runs the shell blocks of the quick start in one
// shell.
func TestAccReadme_quickStart(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	script := "trap 'kill $server 2>/dev/null || true' EXIT\n" + strings.Join(quickStart(t), "")
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PATH="+acctest.ShellPath(t))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"2 added, 0 changed, 0 destroyed", "No changes", "2 destroyed"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the quick start does not print %q:\n%s", want, out)
		}
	}
}

// TestReadme_quickStartServerFails checks that the quick start reports a server
// that does not start, instead of waiting for it.
func TestReadme_quickStartServerFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server := filepath.Join(dir, "bin", "tunnel-testserver")
	if err := os.Mkdir(filepath.Dir(server), 0o700); err != nil {
		t.Fatal(err)
	}
	// Another test's new process would hold the file ("text file busy").
	syscall.ForkLock.RLock()
	err := os.WriteFile(server, []byte("#!/bin/sh\necho 'cannot listen' >&2\nexit 1\n"), 0o700) //nolint:gosec // a program
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range quickStart(t) {
		if !strings.Contains(block, "bin/tunnel-testserver") {
			continue
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		cmd := exec.CommandContext(ctx, "sh", "-c", strings.Replace(block, "make build", "", 1))
		cmd.Dir = dir
		if out, _ := cmd.CombinedOutput(); ctx.Err() != nil || !strings.Contains(string(out), "cannot listen") {
			t.Errorf("expected the reason and an end, got %v:\n%s", ctx.Err(), out)
		}
		return
	}
	t.Error("the quick start does not start the test server")
}

// quickStart returns the shell blocks of the quick start.
func quickStart(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Quick start\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string
	for _, block := range shellBlock.FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}
