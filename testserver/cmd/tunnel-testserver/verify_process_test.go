package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
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
