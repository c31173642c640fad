package docs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// calendarExample returns a directory with the files of the example, and the environment
// for its commands.
func calendarExample(t *testing.T) (tf *acctest.Terraform, environment string) {
	t.Helper()
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	tf = mirrored(t, acctest.Start(t))
	for _, name := range glob(t, "guides/calendar/*") {
		tf.Write(t, filepath.Base(name), read(t, name))
	}
	tf.Write(t, "gate.sh", read(t, "guides/gitops/gate.sh"))
	return tf, "PATH=" + bin + string(os.PathListSeparator) + acctest.ShellPath(t)
}

// TestAccCalendar_guide runs the command of the guide, and compares what it prints. The
// guide shows parts of it, with dots between them.
func TestAccCalendar_guide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../templates/guides/rehearsing-a-year.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(?:shell|text)\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	command, want := blocks[1][1], blocks[2][1]
	tf, environment := calendarExample(t)
	state := filepath.Join(tf.Dir, "terraform.tfstate")
	out, err := tf.Shell(t, strings.ReplaceAll(command, "-- terraform", "-- terraform 2>messages"), environment, "TF_CLI_ARGS_apply=-state="+state)
	seconds := regexp.MustCompile(` in [\d.m]+s\.`)
	_, out, _ = strings.Cut(out, "From 2027")
	code := errorCode(err)
	rest := seconds.ReplaceAllString("From 2027"+out, "")
	for part := range strings.SplitSeq(seconds.ReplaceAllString(want, ""), "...\n") {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("exit code %d, the guide shows\n%s\nwhich is not in\n%s", code, part, rest)
		}
		rest = after
	}
	if code != 1 || rest != "" {
		t.Errorf("exit code %d, the guide does not show the end\n%s", code, rest)
	}
	if left, _ := filepath.Glob(tf.Dir + ".rehearsal-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := os.Stat(state); err == nil {
		t.Error("the calendar has written a state")
	}
}

// TestAccCalendar_gate checks what happens to one SSH host certificate, with the gate of
// the guide.
func TestAccCalendar_gate(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	tf, environment := calendarExample(t)
	only := regexp.MustCompile(`toset\(\[.*?\]\)|(?s:    db1 = \{.*?\n    \}\n)`) // the server's certificate
	tf.Write(t, "main.tf", only.ReplaceAllStringFunc(tf.Read(t, "main.tf"), func(text string) string {
		if strings.HasPrefix(text, "toset") {
			return "toset([])"
		}
		return ""
	}))
	tf.Init(t)
	for approved, want := range map[string]string{"": "applied stopped ", "true": "applied applied "} {
		out, err := tf.Shell(t, "tunnel-testserver calendar -account account.json -from 2027-01-21T00:00:00Z -days 3 -gate 'sh gate.sh' "+
			"-format json -- terraform 2>messages", environment, "APPROVE_CHANGES="+approved)
		var made struct {
			Entries []struct{ Kind, Address string }
		}
		if json.Unmarshal([]byte(out), &made) != nil || errorCode(err) > 1 {
			t.Fatalf("%v\n%s\n%s", err, out, tf.Read(t, "messages"))
		}
		got := ""
		for _, entry := range made.Entries {
			if entry.Address == `tunnel_ssh_host_certificate.host["web1"]` {
				got += entry.Kind + " "
			}
		}
		if got != want {
			t.Errorf("approved %q: web1 is %s, want %s", approved, got, want)
		}
	}
}

// TestAccTimeTravel_findsTheRenewal runs the test of the guide, with its module and with
// one that does not renew.
func TestAccTimeTravel_findsTheRenewal(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	tf := mirrored(t, acctest.Start(t))
	tf.Needs(t, acctest.OutputsOfRuns)
	if err := os.MkdirAll(filepath.Join(tf.Dir, "tests", "clock"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.tf", "tests/renewal.tftest.hcl", "tests/clock/main.tf"} {
		tf.Write(t, name, read(t, "guides/time-travel/"+name))
	}
	tf.Init(t)
	run := func() (string, error) {
		return tf.Shell(t, "TUNNEL_REHEARSAL_CLOCK=true tunnel-testserver -- terraform test -no-color",
			"PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t))
	}
	if out, err := run(); err != nil || !strings.Contains(out, "5 passed, 0 failed") {
		t.Errorf("%v\n%s", err, acctest.Summary(out))
	}
	tf.Write(t, "main.tf", strings.Replace(read(t, "guides/time-travel/main.tf"), "= 30 * 24", "= 29 * 24", 1))
	if out, err := run(); err == nil || !strings.Contains(out, "is not renewed 30 days before its end") {
		t.Errorf("the test does not find a later renewal: %v\n%s", err, acctest.Summary(out))
	}
}
