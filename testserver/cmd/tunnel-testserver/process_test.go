package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// runAsCommand is the environment variable that makes the test binary run as
// the command.
const runAsCommand = "RUN_AS_TUNNEL_TESTSERVER"

func TestMain(m *testing.M) {
	if os.Getenv(runAsCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a running command.
type process struct {
	*exec.Cmd
	ready   ready
	printed string           // first line of the output
	rest    *strings.Builder // rest of the output; complete after end
	copied  chan struct{}
	logs    *bytes.Buffer
	waited  atomic.Bool // Wait was called
}

func command(flags ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], flags...)
	cmd.Env = append(os.Environ(), runAsCommand+"=1")
	return cmd
}

// start runs the command on a free port and waits until it is ready.
func start(t *testing.T, flags ...string) *process {
	t.Helper()
	readyFile := filepath.Join(t.TempDir(), "ready.json")
	p := &process{Cmd: command(append([]string{"-listen", "127.0.0.1:0", "-ready-file", readyFile}, flags...)...), logs: &bytes.Buffer{}}
	p.Stderr = p.logs
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !p.waited.Load() {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
		if t.Failed() {
			t.Log(p.logs.String())
		}
	})
	lines := bufio.NewReader(out)
	if p.printed, err = lines.ReadString('\n'); err != nil {
		t.Fatalf("it prints nothing: %v", err)
	}
	p.rest, p.copied = &strings.Builder{}, make(chan struct{})
	go func() {
		_, _ = io.Copy(p.rest, lines)
		close(p.copied)
	}()
	content, err := os.ReadFile(readyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &p.ready); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(readyFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the ready file has mode %v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(readyFile)); len(left) != 1 {
		t.Errorf("beside the ready file there is %v", left)
	}
	return p
}

// end waits until the process exits and returns the exit code, or -1 if a
// signal killed it.
func (p *process) end() int {
	p.waited.Store(true)
	<-p.copied
	_ = p.Wait()
	return p.ProcessState.ExitCode()
}

// send sends a request with the key in the ready data, by default the admin
// key.
func (p *process) send(method, path, body string) (status int, answer map[string]any, err error) {
	r, err := http.NewRequest(method, p.ready.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+p.ready.APIKey)
	r.Header.Set("Service-Version", "2")
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	_ = json.Unmarshal(content, &answer) // the response may have no body
	return response.StatusCode, answer, err
}

// eventually waits until a condition is true.
func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); time.Sleep(5 * time.Millisecond) { //nolint:forbidigo // polls
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

func (p *process) want(t *testing.T, status int, method, path string) map[string]any {
	t.Helper()
	got, answer, err := p.send(method, path, "")
	if err != nil || got != status {
		t.Fatalf("%s %s: %d %v %v, want %d", method, path, got, answer, err, status)
	}
	return answer
}
