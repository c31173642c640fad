package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestReference_healthcheck runs the health check of the example for Docker Compose.
func TestReference_healthcheck(t *testing.T) {
	t.Parallel()
	check := regexp.MustCompile(`test: \["CMD", "/tunnel-testserver", "(\w+)", "http://127.0.0.1:8480"\]`).FindStringSubmatch(reference(t))
	if check == nil {
		t.Fatal("there is no example for Docker Compose")
	}
	if out, err := command(check[1], start(t).ready.URL).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestReference_python runs the example of expectations in Python, and once more with a
// client that sends its request twice.
func TestReference_python(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	example := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(reference(t))[1]
	client := regexp.MustCompile(`(?m)^.*# your client\n`).FindString(example)
	for content, want := range map[string]string{
		example: "OK", strings.Replace(example, client, client+client, 1): "AssertionError: expected exactly 1 of POST /backends/tunnel_group; found 2",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "test_requests.py"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := command("--", "python3", "-m", "unittest")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); (err == nil) != (want == "OK") || !strings.Contains(string(out), want) {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// TestReference_namesEverything finds the name of every flag and behavior.
func TestReference_namesEverything(t *testing.T) {
	t.Parallel()
	text := reference(t)
	var help bytes.Buffer
	if _, err := parseSettings([]string{"-help"}, &help); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	var names []string
	for _, found := range regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(help.String(), -1) {
		names = append(names, "-"+found[1])
	}
	if len(names) < 10 {
		t.Fatalf("the help has only the flags %v", names)
	}
	for _, name := range names {
		if !regexp.MustCompile("`" + regexp.QuoteMeta(name) + "[` ]").MatchString(text) {
			t.Errorf("docs/reference.md does not name %s", name)
		}
	}
	for _, b := range testserver.Behaviors() {
		if row := "| `" + b.Name + b.Value + "` | " + b.Says + " |"; !strings.Contains(text, row) {
			t.Errorf("docs/reference.md has no row %s", row)
		}
	}
}

// reference returns the text of docs/reference.md.
func reference(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestReference_namesCommands finds every command and its flags in the table that says
// who needs them.
func TestReference_namesCommands(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(reference(t), "| Command or flag |")
	table, _, _ = strings.Cut(table, "\n\n")
	for name := range subcommands {
		if !strings.Contains(table, "`"+name) {
			t.Errorf("the table has no %s", name)
		}
		out, err := command(name, "-help").CombinedOutput()
		if err != nil || name == "verify" { // has a page of its own
			continue
		}
		for _, found := range regexp.MustCompile(`(?m)^  (-[a-z-]+)`).FindAllSubmatch(out, -1) {
			if !strings.Contains(table, "`"+string(found[1])) {
				t.Errorf("the table has no %s of %s", found[1], name)
			}
		}
	}
}
