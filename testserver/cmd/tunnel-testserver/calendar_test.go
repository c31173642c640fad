package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeTerraform writes a program that does what Terraform does for a calendar until it
// plans. It returns its path and a directory with a configuration.
func fakeTerraform(t *testing.T, state, plan string) (program, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "configuration")
	program = filepath.Join(t.TempDir(), "terraform")
	script := `#!/bin/sh
case $1 in
  state) ` + state + ` ;;
  workspace) echo default ;;
  init) mkdir .terraform && echo '{"backend":{"type":"local","config":{"path":null}}}' >.terraform/terraform.tfstate ;;
  plan) for argument; do case $argument in -out=*) cp plan.zip "${argument#-out=}" ;; esac; done; ` + plan + ` ;;
  show) cat shown.json ;;
esac
`
	var planned bytes.Buffer
	archive := zip.NewWriter(&planned)
	_, err := archive.Create("tfconfig/m-/main.tf")
	if err = errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		filepath.Join(dir, "plan.zip"): planned.String(), program: script, filepath.Join(dir, "main.tf"): "", filepath.Join(dir, "modules", "a", "run.sh"): "#!/bin/sh\n",
		filepath.Join(dir, ".terraform", "secret"): "not copied", filepath.Join(dir, "account.json"): `{"objects":[]}`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("main.tf", filepath.Join(dir, "link.tf")); err != nil {
		t.Fatal(err)
	}
	return program, dir
}

// copies returns the copies of a directory that are left.
func copies(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(dir + ".rehearsal-*")
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func TestCalendar_failsWithoutOutput(t *testing.T) {
	t.Parallel()
	const rehearsed = `echo '{"type":"diagnostic","diagnostic":{"severity":"warning","summary":"Rehearsal at 2100-01-01T00:00:00Z"}}'`
	for name, test := range map[string]struct {
		state, plan, file string
		code              int
		want              string
	}{
		"no state":         {"echo 'Backend initialization required' >&2; exit 1", "", "", 1, "Backend initialization required"},
		"empty state file": {"", "", "terraform.tfstate", 1, "terraform.tfstate is empty"},
		"no plan":          {"", "echo 'no such option' >&2; exit 1", "", 1, "no such option"},
		"an error":         {"", `printf '%s\n' '{"type":"diagnostic","diagnostic":{"severity":"error","summary":"Bad\u001b[2J","detail":"Set it.\nMore"}}'; exit 1`, "", 1, `the first plan fails: Bad\x1b[2J: Set it.`},
		"unknown plan":     {"", "echo '{}' >shown.json; " + rehearsed, "", 3, "not rehearsed, because the format of the plan is not known"},
		"old provider":     {"", `echo '{"format_version":"1.2","planned_values":{}}' >shown.json`, "", 3, "a version without TUNNEL_REHEARSAL_CLOCK"},
		"other clock":      {"", `echo '{"format_version":"1.2","planned_values":{}}' >shown.json; echo '{"type":"diagnostic","diagnostic":{"severity":"warning","summary":"Rehearsal at 2026-01-01T00:00:00Z"}}'`, "", 3, "does not use the time of the test server"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, dir := fakeTerraform(t, test.state, test.plan)
			if test.file != "" {
				if err := os.WriteFile(filepath.Join(dir, test.file), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := command("calendar", "-account", "account.json", "-from", "2100-01-01T00:00:00Z", "--", program)
			cmd.Dir = dir
			output, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != test.code || !strings.Contains(string(output), test.want) {
				t.Errorf("exit code %d, want %d and %q: %s", code, test.code, test.want, output)
			}
			if left := copies(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestCalendar_interrupted interrupts a plan, and looks into the copy before.
func TestCalendar_interrupted(t *testing.T) {
	t.Parallel()
	program, dir := fakeTerraform(t, "", "touch planning; exec sleep 60")
	cmd := command("calendar", "-account", "account.json", "--", program)
	cmd.Dir = dir
	var messages strings.Builder
	cmd.Stdout, cmd.Stderr = &messages, &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var left []string
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) { //nolint:forbidigo // polls
		if left = copies(t, dir); len(left) == 2 {
			if _, err := os.Stat(filepath.Join(left[0], "planning")); err == nil {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not plan")
		}
	}
	if info, err := os.Stat(left[0]); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the copy is readable for others: %v", info)
	}
	if info, err := os.Stat(filepath.Join(left[0], "modules", "a", "run.sh")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the copy has no program of a module: %v", err)
	}
	if info, err := os.Lstat(filepath.Join(left[0], "link.tf")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is %v: %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(left[0], ".terraform", "secret")); err == nil {
		t.Error("the copy contains .terraform")
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(messages.String(), "interrupted") {
		t.Errorf("exit code %d: %s", code, messages.String())
	}
	if left := copies(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
