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
	program := filepath.Join(t.TempDir(), "tunnel-testserver")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/tunnel-testserver").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	header := &zip.FileHeader{Name: "tunnel-testserver", Method: zip.Deflate}
	header.SetMode(0o755)
	file, err := w.CreateHeader(header)
	if err == nil {
		_, err = file.Write(content)
	}
	if err != nil || w.Close() != nil {
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
		"version that is a path":    {version: "../1.2.3", want: `"../1.2.3" is not the version of a release`},
		"unknown version":           {version: "v9.9.9", want: "Could not download"},
		"changed archive":           {archive: "something else", want: "The checksum of " + archive + " is wrong"},
		"signed with another key":   {key: other, want: "The signature of " + checksums + " is not valid"},
		"changed checksums":         {added: strings.Repeat("0", 64) + "  another.zip\n", want: "The signature of " + checksums + " is not valid"},
		"no checksum":               {sums: strings.Repeat("0", 64) + "  another.zip\n", want: checksums + " does not list " + archive},
		"invalid flag":              {args: "-clock\nsoon", want: "The test server did not start: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			published := filepath.Join(t.TempDir(), "v"+version)
			if err := os.Mkdir(published, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(published, archive), cmp.Or(test.archive, packed.String()))
			write(t, filepath.Join(published, checksums), cmp.Or(test.sums, sum))
			sign := []string{"--output", filepath.Join(published, checksums+".sig"), "--detach-sign", filepath.Join(published, checksums)}
			gpg(t, cmp.Or(test.key, own), sign...)
			write(t, filepath.Join(published, checksums), cmp.Or(test.sums, sum)+test.added)
			server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(published))))
			t.Cleanup(server.Close)
			out, outputs, environment, err := run(t, gpg(t, own, "--armor", "--export"), map[string]string{
				"version": cmp.Or(test.version, version), "args": test.args, "download-url": server.URL,
			})
			if test.want != "" {
				if err == nil || !strings.Contains(out, "::error::"+test.want) || len(outputs)+len(environment) != 0 {
					t.Errorf("got %v, want %s; it exports %v and %v\n%s", err, test.want, outputs, environment, out)
				}
				return
			}
			if err != nil || environment["TUNNEL_BASE_URL"] != outputs["url"] || environment["TUNNEL_API_KEY"] != outputs["api-key"] || len(environment) != 2 {
				t.Fatalf("%v: the environment has %v, the outputs are %v\n%s", err, environment, outputs, out)
			}
			for key, reset := range map[string]int{"api-key": 204, "ordinary-api-key": 403, "read-only-api-key": 403} { // only admins can use control endpoints
				got := [2]int{send(t, "GET", outputs["url"]+"/backends/tunnel_group/bkdtg_one", outputs[key]), send(t, "POST", outputs["url"]+"/_testserver/reset", outputs[key])}
				if got != [2]int{200, reset} {
					t.Errorf("%s: the statuses are %v", key, got)
				}
				if masked := "::add-mask::" + outputs[key] + "\n"; strings.Count(out, masked) != 1 || strings.Count(out, outputs[key]) != 1 {
					t.Errorf("%s is not masked, or printed elsewhere:\n%s", key, out)
				}
			}
			if log, err := os.ReadFile(outputs["log"]); err != nil || !strings.Contains(string(log), "listening") {
				t.Errorf("the log: %v\n%s", err, log)
			}
		})
	}
}

// run runs the step of the action as GitHub does, in a checkout with the public key of
// releases, and returns its output and what it exports.
func run(t *testing.T, public string, inputs map[string]string) (out string, outputs, environment map[string]string, err error) {
	t.Helper()
	var action struct {
		Runs struct {
			Steps []struct {
				Shell, Run string
				Env        map[string]string
			}
		}
	}
	text, err := os.ReadFile("action.yml")
	if err != nil || yaml.Unmarshal(text, &action) != nil || len(action.Runs.Steps) != 1 || action.Runs.Steps[0].Shell != "bash" {
		t.Fatalf("%v: expected one step for bash, found %+v", err, action.Runs.Steps)
	}
	script, err := filepath.Abs("start.sh")
	if err != nil {
		t.Fatal(err)
	}
	temporary, checkout, step := shortDir(t), t.TempDir(), action.Runs.Steps[0]
	dir := filepath.Join(checkout, "testserver", "action")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
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
	assignments := func(file string) map[string]string {
		values := map[string]string{}
		content, _ := os.ReadFile(filepath.Join(temporary, file)) // absent if nothing was exported
		for line := range strings.Lines(string(content)) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			values[name] = value
		}
		return values
	}
	return string(printed), assignments("output"), assignments("env"), err
}

// shortDir returns a directory for gpg, whose agent has a socket in it.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gpg-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// newKey makes a key and returns its home directory.
func newKey(t *testing.T) string {
	t.Helper()
	home := shortDir(t)
	t.Cleanup(func() { _ = exec.Command("gpgconf", "--homedir", home, "--kill", "gpg-agent").Run() })
	gpg(t, home, "--passphrase", "", "--quick-generate-key", "Test", "rsa2048", "sign", "never")
	return home
}

func gpg(t *testing.T, home string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command("gpg", append([]string{"--homedir", home, "--batch", "--quiet"}, arguments...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gpg %v: %v", arguments, err)
	}
	return string(out)
}

func send(t *testing.T, method, url, key string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(`{"keep_objects": true}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{"Authorization": {"Bearer " + key}, "Service-Version": {"2"}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
