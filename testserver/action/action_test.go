//go:build !windows

// Package action tests the GitHub Action that starts the test server.
package action

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

const (
	archive   = "tunnel-testserver_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH + ".zip"
	checksums = "tunnel-extras_1.2.3_checksums.txt"
)

// TestAction_startsWhatIsSigned publishes a release, and runs the step of the action as
// GitHub does: with the release, with one that somebody has changed, and with wrong
// inputs.
func TestAction_startsWhatIsSigned(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	dir, err := os.MkdirTemp("/tmp", "gpg-") // gpg's agent has a socket in it, and its path must be short
	if err != nil {
		t.Fatal(err)
	}
	shell := func(t *testing.T, script string, environment ...string) (string, error) {
		t.Helper()
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(os.Environ(), append(environment, "DIR="+dir, "ARCHIVE="+archive, "CHECKSUMS="+checksums)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		out, err := cmd.CombinedOutput()
		t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }) // the server
		return string(out), err
	}
	t.Cleanup(func() {
		_, _ = shell(t, `for key in own other; do gpgconf --homedir "$DIR/$key" --kill gpg-agent; done; rm -r "$DIR"`)
	})
	if out, err := shell(t, `go build -o "$DIR/programs/" ../cmd/tunnel-testserver; cd "$DIR"; mkdir -m 700 own other release
		for key in own other; do gpg --homedir $key --batch --quiet --passphrase '' --quick-generate-key Test rsa2048 sign never; done
		gpg --homedir own --armor --export >release-key.asc`); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	if err := w.AddFS(os.DirFS(dir + "/programs")); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"release/" + archive: packed.String(), "release/" + checksums: fmt.Sprintf("%x  %s\n", sha256.Sum256(packed.Bytes()), archive),
		"a seed.json": `[{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"team": "red"}}}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var action struct {
		Runs struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	text, err := os.ReadFile("action.yml")
	if err != nil || yaml.Unmarshal(text, &action) != nil || len(action.Runs.Steps) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	for name, test := range map[string]struct {
		version, args string
		change        string // of the release
		want          string // in the error; empty if it starts
	}{
		"as published":              {"v1.2.3", "-seed\n" + dir + "/a seed.json\n", "", ""},
		"branch instead of version": {"main", "", "", `"main" is not the version of a release`},
		"version is a path":         {"../1.2.3", "", "", `"../1.2.3" is not the version of a release`},
		"unknown version":           {"v9.9.9", "", "", "Could not download"},
		"changed archive":           {"1.2.3", "", `echo >>"$ARCHIVE"`, "The checksum of " + archive + " is wrong"},
		"signed with another key":   {"1.2.3", "", "sign other", "The signature of " + checksums + " is not valid"},
		"changed checksums":         {"1.2.3", "", `echo "0  another.zip" >>"$CHECKSUMS"`, "The signature of " + checksums + " is not valid"},
		"no checksum":               {"1.2.3", "", `echo "0  another.zip" >"$CHECKSUMS"; sign own`, checksums + " does not list " + archive},
		"invalid flag":              {"1.2.3", "-clock\nsoon", "", "The test server did not start: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, err := os.MkdirTemp(dir, "")
			if err != nil {
				t.Fatal(err)
			}
			environment := []string{"RUNNER_TEMP=" + at, "GITHUB_ACTION_PATH=" + at + "/testserver/action", "GITHUB_OUTPUT=" + at + "/output", "GITHUB_ENV=" + at + "/env"}
			inputs := map[string]string{"version": test.version, "args": test.args, "download-url": "file://" + at}
			for name, value := range action.Runs.Steps[0].Env {
				input, given := inputs[strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")]
				if !given {
					t.Fatalf("%s is %q, which is not an input", name, value)
				}
				environment = append(environment, name+"="+input)
			}
			// A copy of the script would be a "text file busy" for other tests.
			out, err := shell(t, `mkdir -p "$GITHUB_ACTION_PATH"; ln -s "$PWD/start.sh" "$GITHUB_ACTION_PATH"; cd "$RUNNER_TEMP"
				cp -r "$DIR/release" v1.2.3; cp "$DIR/release-key.asc" .; cd v1.2.3
				sign() { gpg --homedir "$DIR/$1" --batch --quiet --yes --detach-sign "$CHECKSUMS"; }
				sign own; `+test.change+"\n"+action.Runs.Steps[0].Run, environment...)
			exported, _ := os.ReadFile(at + "/output") // absent if nothing was exported
			variables, _ := os.ReadFile(at + "/env")
			if test.want != "" {
				if err == nil || !strings.Contains(out, "::error::"+test.want) || len(exported)+len(variables) > 0 {
					t.Errorf("got %v, want %s; it exports %s and %s\n%s", err, test.want, exported, variables, out)
				}
				return
			}
			value := map[string]string{}
			for line := range strings.Lines(string(exported)) {
				name, text, _ := strings.Cut(strings.TrimSpace(line), "=")
				value[name] = text
			}
			if want := "TUNNEL_BASE_URL=" + value["url"] + "\nTUNNEL_API_KEY=" + value["api-key"] + "\n"; err != nil || string(variables) != want {
				t.Fatalf("%v: the environment has %s, the outputs are %s\n%s", err, variables, exported, out)
			}
			for name, want := range map[string]string{"api-key": "200 204", "ordinary-api-key": "200 403", "read-only-api-key": "200 403"} { // only admins can use control endpoints
				got, err := shell(t, `send() { curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $KEY" -H "Service-Version: 2" "$@"; }
					send "$URL/backends/tunnel_group/bkdtg_one"; echo -n ' '; send -X POST "$URL/_testserver/reset"`, "KEY="+value[name], "URL="+value["url"])
				if got != want || err != nil || strings.Count(out, "::add-mask::"+value[name]+"\n") != 1 || strings.Count(out, value[name]) != 1 {
					t.Errorf("%s: the statuses are %s, or it is not masked, or printed elsewhere: %v\n%s", name, got, err, out)
				}
			}
			if log, err := os.ReadFile(value["log"]); err != nil || !strings.Contains(string(log), "listening") {
				t.Errorf("the log: %v\n%s", err, log)
			}
		})
	}
}
