package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// runShell runs a shell script as the command of a server.
func runShell(t *testing.T, script string, flags ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := command(append(flags, "--", "sh", "-c", script)...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	_ = cmd.Run()
	return out.String(), messages.String(), cmd.ProcessState.ExitCode()
}

// TestCommand_runsAnotherWithItsEnvironment checks that a command can use the server,
// and that nothing else is in its output.
func TestCommand_runsAnotherWithItsEnvironment(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	out, messages, code := runShell(t, `for key in "$TUNNEL_API_KEY" "$TUNNEL_ORDINARY_API_KEY" "$TUNNEL_READ_ONLY_API_KEY"; do
		curl -s -o /dev/null -w '%{http_code} ' -H "Authorization: Bearer $key" -H 'Service-Version: 2' "$TUNNEL_BASE_URL/ssh_credentials"
	done; exit 7`)
	if out != "200 200 200 " || messages != "" || code != 7 {
		t.Errorf("exit code %d, output %q, messages %q", code, out, messages)
	}
}

// TestCommand_passesSignalsOn stops the server while its command runs. The command
// decides what to do.
func TestCommand_passesSignalsOn(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := command("--", "sh", "-c", `trap 'echo got; exit 5' INT TERM HUP QUIT USR1; echo ready; while :; do sleep 0.05; done`)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no terminal
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			if !lines.Scan() || lines.Text() != "ready" {
				t.Fatalf("it prints %q", lines.Text())
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if !lines.Scan() || lines.Text() != "got" {
				t.Errorf("it prints %q", lines.Text())
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 5 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// client returns a command that reads from a server.
func (p *process) client(arguments ...string) *exec.Cmd {
	cmd := command(arguments...)
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+p.ready.URL, "TUNNEL_API_KEY="+p.ready.ReadOnlyAPIKey)
	if arguments[0] != "clone" {
		cmd.Env = append(cmd.Env, "TUNNEL_API_KEY="+p.ready.APIKey)
	}
	return cmd
}

// TestCommand_signalDuringTheStart stops the server before its command runs: it is still
// reading its seed from a pipe.
func TestCommand_signalDuringTheStart(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "seed")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := command("-seed", pipe, "--", "echo", "ran")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			seed, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if _, err := seed.WriteString(`{"objects": []}`); err != nil {
				t.Error(err)
			}
			if err := seed.Close(); err != nil {
				t.Error(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 125 || !strings.Contains(out.String(), "interrupted before the command started") || strings.Contains(out.String(), "ran") {
				t.Errorf("exit code %d, output %q", code, out.String())
			}
		})
	}
}
