//go:build !windows

// Package action tests the GitHub Action that starts the test server.
package action

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

const version = "1.2.3"

var (
	archive   = fmt.Sprintf("tunnel-testserver_%s_%s_%s.zip", version, runtime.GOOS, runtime.GOARCH)
	checksums = "tunnel-extras_" + version + "_checksums.txt"
)

// TestAction_startsWhatIsSigned publishes a release, and runs the action with it, with
// one that somebody has changed, and with wrong inputs.
func TestAction_startsWhatIsSigned(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	programs := t.TempDir()
	output(t, exec.Command("go", "build", "-o", programs, "../cmd/tunnel-testserver"))
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	if err := w.AddFS(os.DirFS(programs)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	own, other := newKey(t), newKey(t)
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(packed.Bytes()), archive)
	seed := filepath.Join(t.TempDir(), "a seed.json")
	write(t, seed, `[{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"team": "red"}}}]`)
	for name, test := range map[string]struct {
		version, args string
		archive, sums string
		key, added    string // added to the checksums after they were signed
		want          string // in the error; empty if it starts
	}{
		"as published":              {version: "v" + version, args: "-seed\n" + seed + "\n"},
		"branch instead of version": {version: "main", want: `"main" is not the version of a release`},
		"version is a path":         {version: "../1.2.3", want: `"../1.2.3" is not the version of a release`},
		"unknown version":           {version: "v9.9.9", want: "Could not download"},
		"changed archive":           {archive: "something else", want: "The checksum of " + archive + " is wrong"},
		"signed with another key":   {key: other, want: "The signature of " + checksums + " is not valid"},
		"changed checksums":         {added: strings.Repeat("0", 64) + "  another.zip\n", want: "The signature of " + checksums + " is not valid"},
		"no checksum":               {sums: strings.Repeat("0", 64) + "  another.zip\n", want: checksums + " does not list " + archive},
		"invalid flag":              {args: "-clock\nsoon", want: "The test server did not start: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			signed := filepath.Join(t.TempDir(), "signed")
			write(t, signed, cmp.Or(test.sums, sum))
			released := map[string]string{
				archive: cmp.Or(test.archive, packed.String()), checksums: cmp.Or(test.sums, sum) + test.added,
				checksums + ".sig": gpg(t, cmp.Or(test.key, own), "--output", "-", "--detach-sign", signed),
			}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				content, there := released[strings.TrimPrefix(r.URL.Path, "/v"+version+"/")]
				if !there {
					w.WriteHeader(http.StatusNotFound)
				}
				_, _ = w.Write([]byte(content))
			}))
			t.Cleanup(server.Close)
			out, outputs, environment, err := run(t, gpg(t, own, "--armor", "--export"), map[string]string{
				"version": cmp.Or(test.version, version), "args": test.args, "download-url": server.URL,
			})
			if test.want != "" {
				if err == nil || !strings.Contains(out, "::error::"+test.want) || outputs+environment != "" {
					t.Errorf("got %v, want %s; it exports %s and %s\n%s", err, test.want, outputs, environment, out)
				}
				return
			}
			value := func(name string) string {
				_, rest, _ := strings.Cut("\n"+outputs, "\n"+name+"=")
				line, _, _ := strings.Cut(rest, "\n")
				return line
			}
			if want := "TUNNEL_BASE_URL=" + value("url") + "\nTUNNEL_API_KEY=" + value("api-key") + "\n"; err != nil || environment != want {
				t.Fatalf("%v: the environment has %s, the outputs are %s\n%s", err, environment, outputs, out)
			}
			for name, reset := range map[string]string{"api-key": "204", "ordinary-api-key": "403", "read-only-api-key": "403"} { // only admins can use control endpoints
				key := value(name)
				got := [2]string{send(t, "GET", value("url")+"/backends/tunnel_group/bkdtg_one", key), send(t, "POST", value("url")+"/_testserver/reset", key)}
				if got != [2]string{"200", reset} {
					t.Errorf("%s: the statuses are %v", name, got)
				}
				if strings.Count(out, "::add-mask::"+key+"\n") != 1 || strings.Count(out, key) != 1 {
					t.Errorf("%s is not masked, or printed elsewhere:\n%s", name, out)
				}
			}
			if log, err := os.ReadFile(value("log")); err != nil || !strings.Contains(string(log), "listening") {
				t.Errorf("the log: %v\n%s", err, log)
			}
		})
	}
}

// run runs the step of the action as GitHub does, in a checkout with the public key of
// releases, and returns its output and what it exports.
func run(t *testing.T, public string, inputs map[string]string) (out, outputs, environment string, err error) {
	t.Helper()
	var action struct {
		Runs struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	text, err := os.ReadFile("action.yml")
	if err != nil || yaml.Unmarshal(text, &action) != nil {
		t.Fatal(err)
	}
	temporary, checkout, step := shortDir(t), t.TempDir(), action.Runs.Steps[0]
	dir := filepath.Join(checkout, "testserver", "action")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	script, _ := filepath.Abs("start.sh")
	if err := os.Symlink(script, filepath.Join(dir, "start.sh")); err != nil { // a copy would be a "text file busy" for other tests
		t.Fatal(err)
	}
	write(t, filepath.Join(checkout, "release-key.asc"), public)
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temporary, "GITHUB_ACTION_PATH="+dir, "GITHUB_OUTPUT="+temporary+"/output", "GITHUB_ENV="+temporary+"/env")
	for name, value := range step.Env {
		input, given := inputs[strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")]
		if !given {
			t.Fatalf("%s is %q, which is not an input", name, value)
		}
		cmd.Env = append(cmd.Env, name+"="+input)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	printed, err := cmd.CombinedOutput()
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }) // the server
	exported, _ := os.ReadFile(temporary + "/output")                         // absent if nothing was exported
	variables, _ := os.ReadFile(temporary + "/env")
	return string(printed), string(exported), string(variables), err
}

// newKey makes a key and returns its home directory.
func newKey(t *testing.T) string {
	t.Helper()
	home := shortDir(t)
	gpg(t, home, "--passphrase", "", "--quick-generate-key", "Test", "rsa2048", "sign", "never")
	return home
}

// shortDir returns a directory for gpg, whose agent has a socket in it.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gpg-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", dir, "--kill", "gpg-agent").Run()
		_ = os.RemoveAll(dir)
	})
	return dir
}

func gpg(t *testing.T, home string, arguments ...string) string {
	t.Helper()
	return output(t, exec.Command("gpg", append([]string{"--homedir", home, "--batch", "--quiet"}, arguments...)...))
}

func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	return string(out)
}

// send returns the status of a request.
func send(t *testing.T, method, url, key string) string {
	t.Helper()
	return output(t, exec.Command("curl", "-s", "-o", os.DevNull, "-w", "%{http_code}", "-X", method, url,
		"-H", "Authorization: Bearer "+key, "-H", "Service-Version: 2"))
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
