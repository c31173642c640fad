package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakes_ofArguments checks what a user reads after a mistake: the reason as the
// last line, without pages of help after it.
func TestMistakes_ofArguments(t *testing.T) {
	t.Parallel()
	p := start(t)
	file := func(content string) string {
		name := filepath.Join(t.TempDir(), "file.json")
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for name, test := range map[string]struct {
		arguments []string
		base      string
		want      string
	}{
		"number":             {[]string{"explore", "-sample", "x", "--", "true"}, "", `invalid value "x" for flag -sample: expected a number`},
		"field of a rule":    {[]string{"-behavior", file(`[{"url": "/x", "behavior": "503"}]`)}, "", `file.json: unknown field "url": expected behavior, body, code, count, header, message, method,`},
		"line of a rule":     {[]string{"-behavior", file("[\n503,\n{x]")}, "", `file.json: line 3: expected JSON; found "x"`},
		"type in a rule":     {[]string{"-behavior", file(`[{"behavior": "503", "nth": "3"}]`)}, "", "nth: expected a number, found a string"},
		"argument":           {[]string{"serve"}, "", "or first calendar, clone, explore, health, rehearse, traffic or verify"},
		"list to skip":       {[]string{"clone", "-skip", "reserved_addrs"}, p.ready.URL, `invalid -skip "reserved_addrs": expected paths such as /reserved_addrs`},
		"wrong base URL":     {[]string{"clone"}, p.ready.URL + "/v2", "check TUNNEL_BASE_URL"},
		"argument of clone":  {[]string{"clone", "x.json"}, p.ready.URL, "use -o x.json"},
		"other command":      {[]string{"calendar", "--", "pytest"}, "", "expected terraform or tofu after --, such as: tunnel-testserver calendar -- terraform"},
		"other apply":        {[]string{"explore", "--", "terragrunt", "apply"}, "", "expected terraform or tofu before apply, found terragrunt"},
		"no account":         {[]string{"rehearse", "-account", "main.go", "--", "terraform"}, "", "invalid -account: main.go: expected JSON that clone has written"},
		"days with a unit":   {[]string{"calendar", "-days", "30d", "--", "terraform"}, "", `invalid value "30d" for flag -days: expected a number from 1 to 3660`},
		"report nowhere":     {[]string{"explore", "-o", "missing/report.txt", "--", "terraform"}, "", "invalid -o: stat missing: no such file or directory"},
		"clone below a file": {[]string{"clone", "-o", "main.go/account.json"}, p.ready.URL, "invalid -o: main.go is not a directory"},
		"plan that destroys": {[]string{"explore", "--", "terraform", "apply", "-destroy"}, "", `found "-destroy". Each plan is of the copy`},
		"actors of a test":   {[]string{"explore", "-actors", "--", "pytest"}, "", "-actors needs terraform or tofu, found pytest"},
		"other baseline":     {[]string{"traffic", "-baseline", "main.go", "--", "terraform"}, "", "invalid -baseline: main.go: expected a report of tunnel-testserver traffic with -format json"},
		"format of explore":  {[]string{"explore", "-format", "yaml", "--", "terraform"}, "", `invalid -format: expected text, json or markdown, found "yaml"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(test.arguments...)
			cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+test.base, "TUNNEL_API_KEY="+p.ready.APIKey)
			out, err := cmd.CombinedOutput()
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if err == nil || !strings.Contains(string(out), test.want) || len(lines) > 3 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestClone_keyFile reads the API key from a file, as the provider does.
func TestClone_keyFile(t *testing.T) {
	t.Parallel()
	p := start(t)
	file := filepath.Join(t.TempDir(), "key")
	for content, want := range map[string]bool{p.ready.ReadOnlyAPIKey + "\n": true, "\ufeff" + p.ready.ReadOnlyAPIKey + "\r\n": true, "wrong": false} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := command("clone")
		cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+p.ready.URL, "TUNNEL_API_KEY=", "TUNNEL_API_KEY_FILE="+file)
		if out, err := cmd.CombinedOutput(); (err == nil) != want || !want && !strings.Contains(string(out), "401 Unauthorized: check TUNNEL_API_KEY") {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// TestVerify_readOnlyKey checks that a key that cannot create objects is one error.
func TestVerify_readOnlyKey(t *testing.T) {
	t.Parallel()
	p := start(t)
	cmd := p.client("verify", "-yes", "-only", "bot_user")
	cmd.Env = append(cmd.Env, "TUNNEL_API_KEY="+p.ready.ReadOnlyAPIKey)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the API key may be read-only") || strings.Contains(string(out), "differs:") {
		t.Errorf("%v: %s", err, out)
	}
}
