//go:build !windows

// Package action tests the GitHub Action that starts the test server.
package action

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"
)

const version = "1.2.3"

var (
	archive   = fmt.Sprintf("tunnel-testserver_%s_%s_%s.zip", version, runtime.GOOS, runtime.GOARCH)
	checksums = "tunnel-extras_" + version + "_checksums.txt"
)

func TestAction_startsServer(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	seed := filepath.Join(t.TempDir(), "a seed.json")
	write(t, seed, `[{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"team": "red"}}}]`)
	out, outputs, environment, err := r.run(t, map[string]string{"version": "v" + version, "args": "-seed\n" + seed + "\n"})
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if environment["TUNNEL_BASE_URL"] != outputs["url"] || environment["TUNNEL_API_KEY"] != outputs["api-key"] || len(environment) != 2 {
		t.Errorf("the environment has %v, the outputs are %v", environment, outputs)
	}
	for key, want := range map[string][2]int{
		"api-key":           {http.StatusOK, http.StatusNoContent},
		"ordinary-api-key":  {http.StatusOK, http.StatusForbidden}, // only admins can use control endpoints
		"read-only-api-key": {http.StatusOK, http.StatusForbidden},
	} {
		got := [2]int{
			send(t, http.MethodGet, outputs["url"]+"/backends/tunnel_group/bkdtg_one", outputs[key]),
			send(t, http.MethodPost, outputs["url"]+"/_testserver/reset", outputs[key]),
		}
		if got != want {
			t.Errorf("%s: the statuses are %v, want %v", key, got, want)
		}
		if masked := "::add-mask::" + outputs[key] + "\n"; strings.Count(out, masked) != 1 || strings.Count(out, outputs[key]) != 1 {
			t.Errorf("%s is not masked, or printed elsewhere:\n%s", key, out)
		}
	}
	if log, err := os.ReadFile(outputs["log"]); err != nil || !strings.Contains(string(log), "listening") {
		t.Errorf("the log: %v\n%s", err, log)
	}
}

func TestAction_refuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		inputs map[string]string
		change func(t *testing.T, r *release)
		want   string
	}{
		"branch instead of version": {inputs: map[string]string{"version": "main"}, want: `"main" is not the version of a release`},
		"version that is a path":    {inputs: map[string]string{"version": "../1.2.3"}, want: `"../1.2.3" is not the version of a release`},
		"unknown version":           {inputs: map[string]string{"version": "v9.9.9"}, want: "Could not download"},
		"changed archive": {change: func(t *testing.T, r *release) {
			write(t, filepath.Join(r.files, archive), "something else")
		}, want: "The checksum of " + archive + " is wrong"},
		"changed checksums": {change: func(t *testing.T, r *release) {
			write(t, filepath.Join(r.files, checksums), fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), archive))
		}, want: "The signature of " + checksums + " is not valid"},
		"signed with another key": {change: func(t *testing.T, r *release) {
			sign(t, filepath.Join(r.files, checksums), newKey(t))
		}, want: "The signature of " + checksums + " is not valid"},
		"archive without a checksum": {change: func(t *testing.T, r *release) {
			write(t, filepath.Join(r.files, checksums), strings.Repeat("0", 64)+"  another.zip\n")
			sign(t, filepath.Join(r.files, checksums), releaseKey(t))
		}, want: checksums + " does not list " + archive},
		"invalid flag": {inputs: map[string]string{"version": version, "args": "-behavior\nfast"}, want: "The test server did not start: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRelease(t)
			inputs := map[string]string{"version": version}
			if test.inputs != nil {
				inputs = test.inputs
			}
			if test.change != nil {
				test.change(t, r)
			}
			out, outputs, environment, err := r.run(t, inputs)
			if err == nil || !strings.Contains(out, "::error::"+test.want) {
				t.Errorf("got %v, want %s\n%s", err, test.want, out)
			}
			if len(outputs)+len(environment) != 0 {
				t.Errorf("it exports %v and %v", outputs, environment)
			}
		})
	}
}

// release is a published release and a checkout of the action.
type release struct {
	files    string // directory of the assets
	checkout string
	url      string
}

func newRelease(t *testing.T) *release {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Skip("gpg is not installed")
	}
	assets := t.TempDir()
	r := &release{files: filepath.Join(assets, "v"+version), checkout: t.TempDir()}
	server := httptest.NewServer(http.FileServer(http.Dir(assets)))
	t.Cleanup(server.Close)
	r.url = server.URL

	action := filepath.Join(r.checkout, "testserver", "action")
	for _, dir := range []string{r.files, action} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, err := filepath.Abs("start.sh")
	if err != nil {
		t.Fatal(err)
	}
	// Another test's new process would hold a copy ("text file busy").
	if err := os.Symlink(script, filepath.Join(action, "start.sh")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(r.checkout, "release-key.asc"), gpg(t, releaseKey(t), "--armor", "--export"))

	content := packed(t)
	write(t, filepath.Join(r.files, archive), string(content))
	write(t, filepath.Join(r.files, checksums), fmt.Sprintf("%x  %s\n", sha256.Sum256(content), archive))
	sign(t, filepath.Join(r.files, checksums), releaseKey(t))
	return r
}

// run runs the shell steps of the action as GitHub does, and returns its output
// and what it exports.
func (r *release) run(t *testing.T, inputs map[string]string) (out string, outputs, environment map[string]string, err error) {
	t.Helper()
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Shell, Run string
				Env        map[string]string
			}
		}
	}
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	files := map[string]string{"GITHUB_OUTPUT": filepath.Join(temporary, "output"), "GITHUB_ENV": filepath.Join(temporary, "env")}
	for _, step := range action.Runs.Steps {
		if step.Shell != "bash" {
			t.Fatalf("shell %q, want bash", step.Shell)
		}
		cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+temporary, "GITHUB_ACTION_PATH="+filepath.Join(r.checkout, "testserver", "action"))
		for name, path := range files {
			cmd.Env = append(cmd.Env, name+"="+path)
		}
		for name, value := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			declared, ok := action.Inputs[input]
			if !ok {
				t.Fatalf("%s is %q, which is not an input", name, value)
			}
			value = declared.Default
			if given, ok := inputs[input]; ok {
				value = given
			} else if input == "download-url" {
				value = r.url
			}
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		var buffer bytes.Buffer
		cmd.Stdout, cmd.Stderr = &buffer, &buffer
		err = cmd.Start()
		if err == nil {
			t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }) // the server
			err = cmd.Wait()
		}
		out += buffer.String()
		if err != nil {
			break
		}
	}
	return out, lines(files["GITHUB_OUTPUT"]), lines(files["GITHUB_ENV"]), err
}

// lines returns the assignments in a file.
func lines(path string) map[string]string {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil // nothing was exported
	}
	values := map[string]string{}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		values[name] = value
	}
	return values
}

// packed returns the archive with the test server for this machine, as a
// release has it.
func packed(t *testing.T) []byte {
	t.Helper()
	content, err := packOnce()
	if err != nil {
		t.Fatal(err)
	}
	return content
}

var packOnce = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "tunnel-action-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "tunnel-testserver")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/tunnel-testserver").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	content, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	header := &zip.FileHeader{Name: "tunnel-testserver", Method: zip.Deflate}
	header.SetMode(0o755)
	file, err := w.CreateHeader(header)
	if err != nil {
		return nil, err
	}
	if _, err := file.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
})

// releaseKey returns the home directory of the key of releases.
func releaseKey(t *testing.T) string {
	t.Helper()
	keyLock.Lock()
	defer keyLock.Unlock()
	if keyHome == "" {
		keyHome = newKey(t)
	}
	return keyHome
}

var (
	keyLock  sync.Mutex
	keyHome  string
	keyHomes []string
	homeLock sync.Mutex
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, home := range keyHomes {
		_ = exec.Command("gpgconf", "--homedir", home, "--kill", "gpg-agent").Run()
		_ = os.RemoveAll(home)
	}
	os.Exit(code)
}

// newKey makes a key and returns its home directory. Its path is short, because
// the agent has a socket in it.
func newKey(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("/tmp", "gpg-")
	if err != nil {
		t.Fatal(err)
	}
	homeLock.Lock()
	keyHomes = append(keyHomes, home)
	homeLock.Unlock()
	gpg(t, home, "--passphrase", "", "--quick-generate-key", "Test", "rsa2048", "sign", "never")
	return home
}

func sign(t *testing.T, path, home string) {
	t.Helper()
	gpg(t, home, "--yes", "--output", path+".sig", "--detach-sign", path)
}

func gpg(t *testing.T, home string, arguments ...string) string {
	t.Helper()
	cmd := exec.Command("gpg", append([]string{"--homedir", home, "--batch", "--quiet"}, arguments...)...)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("gpg %v: %v\n%s", arguments, err, errors.String())
	}
	return string(out)
}

func send(t *testing.T, method, url, key string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(`{"keep_objects": true}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Service-Version", "2")
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
