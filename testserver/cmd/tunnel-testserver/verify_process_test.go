package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// verified is the outcome of a verify command.
type verified struct {
	code          int
	out, messages string
}

// runVerify runs a verify command to its end.
func runVerify(cmd *exec.Cmd) verified {
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	_ = cmd.Run()
	return verified{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

// account returns all objects of a server.
func (p *process) account(t *testing.T) string {
	t.Helper()
	account, err := p.client("export").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(account)
}

var printedMark = regexp.MustCompile(`tunnel-verify-[a-z0-9]{16}`)

// interruptVerify sends a signal to a run that has made objects.
func interruptVerify(t *testing.T, p *process, cmd *exec.Cmd, signal os.Signal) verified {
	t.Helper()
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	before := p.want(t, 200, "GET", "/_testserver/stats")["total"].(float64)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return p.want(t, 200, "GET", "/_testserver/stats")["total"].(float64) > before+300 })
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return verified{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

// checkMarks checks that a client has made no object without a mark, other than in
// parents, as far as the log has kept the bodies.
func (p *process) checkMarks(t *testing.T, mark string) {
	t.Helper()
	made := 0
	for _, r := range p.want(t, 200, "GET", "/_testserver/requests?status=201&last=10000")["requests"].([]any) {
		request := r.(map[string]any)
		path := request["path"].(string)
		if request["method"] != "POST" || request["request"] == nil || strings.Count(strings.Replace(path, "/backends/", "/", 1), "/") > 2 {
			continue
		}
		made++
		if body, _ := json.Marshal(request["request"]); !strings.Contains(string(body), mark) {
			t.Errorf("%s made an object without the mark: %s", path, body)
		}
	}
	if made == 0 {
		t.Error("it made no objects")
	}
}
