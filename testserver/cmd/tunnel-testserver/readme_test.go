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
	check := regexp.MustCompile(`test: \["CMD", "/tunnel-testserver", "(\w+)", "http://127.0.0.1:8480"\]`).FindStringSubmatch(page(t, "reference.md"))
	if out, err := command(check[1], start(t).ready.URL).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestLanguages_run runs the example of each language, and once more with a client that
// sends its request twice. That in Go is a test of the package.
func TestLanguages_run(t *testing.T) {
	t.Parallel()
	document := page(t, "languages.md")
	block := func(language string) string {
		return regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindStringSubmatch(document)[1]
	}
	if code, err := os.ReadFile("../../example_test.go"); string(code) != block("go") {
		t.Errorf("example_test.go is not the example in Go: %v", err)
	}
	for language, run := range map[string][]string{
		"python": {"test_requests.py", "python3", "-m", "unittest"}, "sh": {"test.sh", "sh", "test.sh"},
		"ts": {"requests.test.mts", "node", "--experimental-strip-types", "--test", "requests.test.mts"},
	} {
		_, err := exec.LookPath(run[1])
		if err == nil && run[1] == "node" {
			err = exec.CommandContext(t.Context(), "node", run[2], "--version").Run() // fails before Node.js 22
		}
		if err != nil {
			t.Logf("%s: not run: %v", language, err)
			continue
		}
		client := regexp.MustCompile(`(?m)^.*(//|#) your client\n`).FindString(block(language))
		for content, want := range map[string]string{
			block(language): "", strings.Replace(block(language), client, client+client, 1): "expected exactly 1 of POST /backends/tunnel_group",
		} {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, run[0]), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := command(append([]string{"--"}, run[1:]...)...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); (err == nil) != (want == "") || !strings.Contains(string(out), want) {
				t.Errorf("%s: %v: %s", language, err, out)
			}
		}
	}
}

// TestReference_namesEverything finds the name of every flag and behavior.
func TestReference_namesEverything(t *testing.T) {
	t.Parallel()
	text := page(t, "reference.md")
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

// page returns the text of a page of the docs.
func page(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestReference_namesCommands finds every command and its flags in the table that says
// who needs them.
func TestReference_namesCommands(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(page(t, "reference.md"), "| Command or flag |")
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
