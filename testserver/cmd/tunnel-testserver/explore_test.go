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
// run, but no edge. It does not notice that it has reserved no address.
const deploy = `set -e
curl -sf -o /dev/null -H "Authorization: Bearer $TUNNEL_API_KEY" "$TUNNEL_BASE_URL/_testserver/stats" # is not interrupted
api() { curl -sf -m 5 -H "Authorization: Bearer $TUNNEL_API_KEY" -H 'Service-Version: 2' -H 'Content-Type: application/json' "$@"; }
id() { sed 's/.*"id":"\(bkdtg_[^"]*\)".*/\1/'; }
found=$(api "$TUNNEL_BASE_URL/backends/tunnel_group" | grep '"description":"deploy"') ||
  found=$(api "$TUNNEL_BASE_URL/backends/tunnel_group" -d '{"labels": {"a": "b"}, "description": "deploy", "metadata": "'$$'"}')
api -o "$OUT" "$TUNNEL_BASE_URL/edges/tls" -d '{"backend": {"backend_id": "'$(echo "$found" | id)'"}}'
api -o "$OUT" "$TUNNEL_BASE_URL/reserved_addrs" -d '{}' || true
`

// TestExplore_command interrupts a script: it finds its backend again, but not its edge.
// It says what is wrong with a script that cannot be explored.
func TestExplore_command(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("explore needs Linux")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	const backend, edge = "POST /backends/tunnel_group (tunnel_group.1)", "POST /edges/tls (tls.1)"
	want := map[string]string{
		"GET /backends/tunnel_group:500": "none", backend + ":answer-lost": "again", backend + ":kill": "again",
		edge + ":500": "again", edge + ":answer-lost": "left", edge + ":kill": "left", edge + ":sigterm": "left",
		"POST /reserved_addrs (reserved_addrs.1):500": "never",
	}
	flags := []string{"-format", "json"}
	for name := range want {
		flags = append(flags, "-only", name)
	}
	explore := func(script string, flags ...string) (out []byte, code int) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "deploy.sh"), []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := command(append(append([]string{"explore"}, flags...), "--", "sh", "deploy.sh")...)
		cmd.Dir, cmd.Env = dir, append(cmd.Env, "TUNNEL_BASE_URL=", "OUT=/dev/null")
		var messages strings.Builder
		cmd.Stderr = &messages
		if out, _ = cmd.Output(); len(out) == 0 {
			out = []byte(messages.String())
		}
		return out, cmd.ProcessState.ExitCode()
	}
	out, code := explore(deploy, flags...)
	var report struct {
		Requests      int
		Interruptions []struct {
			Request, Interruption, Class, Failure string
			Left                                  []struct{ Address string }
		}
	}
	if err := json.Unmarshal(out, &report); err != nil || code != 1 || report.Requests != 4 || len(report.Interruptions) != len(want) {
		t.Fatalf("exit code %d, %v: %s", code, err, out)
	}
	for _, i := range report.Interruptions {
		name := i.Request + ":" + i.Interruption
		if i.Class != want[name] || i.Class == "left" && (len(i.Left) != 1 || i.Left[0].Address != "tls.1") ||
			i.Class == "never" && i.Failure != "it ends with 0, but missing or different: reserved_addrs.1" {
			t.Errorf("%s is %s with %v left, want %s (%s)", name, i.Class, i.Left, want[name], i.Failure)
		}
	}
	if out, code := explore(deploy, "-only", "kill-all"); code != 2 || !strings.Contains(string(out), "sigint sigterm kill.") {
		t.Errorf("an unknown kind: exit code %d: %s", code, out)
	}
	for want, flags := range [][]string{{"-strict=false", "-only", edge + ":kill"}, {"-only", edge + ":kill"}} {
		if out, code := explore(deploy, flags...); code != want {
			t.Errorf("%q: exit code %d, want %d: %s", flags, code, want, out)
		}
	}
	if out, code := explore("sleep 9", "-timeout", "1s"); code != 1 || !strings.Contains(string(out), "has run for 1s, and is killed") {
		t.Errorf("a command that does not end: exit code %d: %s", code, out)
	}
	for script, want := range map[string]string{
		"echo 'no such edge' >&2; exit 3": "the command fails without an interruption: exit status 3: no such edge",
		"exit 0":                          "sends no requests to TUNNEL_BASE_URL",
		deploy + `api -o /dev/null "$TUNNEL_BASE_URL/_testserver/reset" -d '{}'`:                                "the command fails without an interruption",
		deploy + `[ -e again ] || { touch again; api -o /dev/null "$TUNNEL_BASE_URL/reserved_addrs" -d '{}'; }`: "leave different objects",
	} {
		if out, code := explore(script); code != 1 || !strings.Contains(string(out), want) {
			t.Errorf("exit code %d, want %q: %s", code, want, out)
		}
	}
}
