package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// deploy makes a backend and an edge in front of it. It finds the backend of an earlier
// run, but no edge.
const deploy = `set -e
curl -sf -o /dev/null -H "Authorization: Bearer $TUNNEL_API_KEY" "$TUNNEL_BASE_URL/_testserver/stats" # is not interrupted
api() { curl -sf -m 5 -H "Authorization: Bearer $TUNNEL_API_KEY" -H 'Service-Version: 2' -H 'Content-Type: application/json' "$@"; }
id() { sed 's/.*"id":"\(bkdtg_[^"]*\)".*/\1/'; }
found=$(api "$TUNNEL_BASE_URL/backends/tunnel_group" | grep '"description":"deploy"') ||
  found=$(api "$TUNNEL_BASE_URL/backends/tunnel_group" -d '{"labels": {"a": "b"}, "description": "deploy", "metadata": "'$$'"}')
api -o "$OUT" "$TUNNEL_BASE_URL/edges/tls" -d '{"backend": {"backend_id": "'$(echo "$found" | id)'"}}'
`

// exploreScript explores a shell script in a directory of its own.
func exploreScript(t *testing.T, script string, flags ...string) (out string, code int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("explore needs Linux")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "deploy.sh"), []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(append(append([]string{"explore"}, flags...), "--", "sh", "deploy.sh")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL=", "OUT=/dev/null")
	var printed, messages strings.Builder
	cmd.Stdout, cmd.Stderr = &printed, &messages
	_ = cmd.Run()
	if printed.Len() == 0 {
		return messages.String(), cmd.ProcessState.ExitCode()
	}
	return printed.String(), cmd.ProcessState.ExitCode()
}

// TestExplore_command interrupts a script: it finds its backend again, but not its edge.
func TestExplore_command(t *testing.T) {
	t.Parallel()
	const backend, edge = "POST /backends/tunnel_group (tunnel_group.1)", "POST /edges/tls (tls.1)"
	want := map[string]string{
		"GET /backends/tunnel_group:500": "none", backend + ":answer-lost": "again", backend + ":kill-group": "again",
		edge + ":500": "again", edge + ":answer-lost": "unnamed", edge + ":kill-group": "unnamed", edge + ":sigterm-group": "unnamed",
		edge + ":answer-late": "unnamed",
	}
	flags := []string{"-format", "json", "-strict"}
	for name := range want {
		flags = append(flags, "-only", name)
	}
	out, code := exploreScript(t, deploy, flags...)
	var report struct {
		Requests      int
		Interruptions []struct {
			Request, Interruption, Class string
			Left                         []struct{ Address string }
		}
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 1 || report.Requests != 3 || len(report.Interruptions) != len(want) {
		t.Fatalf("exit code %d, %v: %s", code, err, out)
	}
	for _, i := range report.Interruptions {
		name := i.Request + ":" + i.Interruption
		if i.Class != want[name] || i.Class == "unnamed" && (len(i.Left) != 1 || i.Left[0].Address != "tls.1") {
			t.Errorf("%s is %s with %v left, want %s", name, i.Class, i.Left, want[name])
		}
	}
}

// TestExplore_commandMistakes says what is wrong with a command.
func TestExplore_commandMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ script, want string }{
		"fails":    {"echo 'no such edge' >&2; exit 3", "the command fails without an interruption: exit status 3: no such edge"},
		"resets":   {deploy + `api -o /dev/null "$TUNNEL_BASE_URL/_testserver/reset" -d '{}'`, "the command resets the test server"},
		"silent":   {"exit 0", "sends no requests to TUNNEL_BASE_URL"},
		"not same": {deploy + `[ -e again ] || { touch again; api -o /dev/null "$TUNNEL_BASE_URL/reserved_addrs" -d '{}'; }`, "leave different objects"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, code := exploreScript(t, test.script); code != 1 || !strings.Contains(out, test.want) {
				t.Errorf("exit code %d: %s", code, out)
			}
		})
	}
}

// TestExplore_unknownInterruption has a name in -only that no interruption has: the flag
// is invalid.
func TestExplore_unknownInterruption(t *testing.T) {
	t.Parallel()
	if out, code := exploreScript(t, deploy, "-only", "nope"); code != 2 || !strings.Contains(out, `no interruption is "nope"`) {
		t.Errorf("exit code %d: %s", code, out)
	}
}
