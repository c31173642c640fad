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
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "## Quick start\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	script.WriteString("trap 'kill $server 2>/dev/null || true' EXIT\n")
	for _, block := range shellBlock.FindAllStringSubmatch(section, -1) {
		script.WriteString(block[1])
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script.String())
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
