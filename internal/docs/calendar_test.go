package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccCalendar_guide runs the command of the guide, and compares what it prints. The
// guide shows parts of it, with dots between them.
func TestAccCalendar_guide(t *testing.T) {
	t.Parallel()
	_, guide, _ := strings.Cut(readFile(t, "../../templates/guides/before-you-apply.md.tmpl"), "## What expires?")
	blocks := regexp.MustCompile("(?s)```(?:shell|text)\n(.*?)```").FindAllStringSubmatch(guide, -1)
	command, want := blocks[0][1], blocks[1][1]
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	tf := mirrored(t, acctest.Start(t))
	for _, name := range glob(t, "guides/calendar/*") {
		tf.Write(t, filepath.Base(name), read(t, name))
	}
	state := filepath.Join(tf.Dir, "terraform.tfstate")
	out, err := tf.Shell(t, strings.ReplaceAll(command, "-- terraform", "-- terraform 2>messages"),
		"PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t), "TF_CLI_ARGS_apply=-state="+state)
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
