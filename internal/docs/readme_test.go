package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestAccReadme_quickStart runs the shell blocks of the quick start in one
// shell.
func TestAccReadme_quickStart(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", strings.Join(quickStart(t), ""))
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PATH="+acctest.ShellPath(t))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"2 added, 0 changed, 0 destroyed", "No changes", "2 destroyed"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the quick start does not print %q:\n%s", want, out)
		}
	}
}

// quickStart returns the shell blocks of the quick start.
func quickStart(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Quick start\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var blocks []string
	for _, block := range shellBlock.FindAllStringSubmatch(section, -1) {
		blocks = append(blocks, block[1])
	}
	return blocks
}
