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

// TestAccGettingStarted_works runs the commands of the guide in one shell, as a reader
// without an account and without an SSH key types them.
func TestAccGettingStarted_works(t *testing.T) {
	t.Parallel()
	acctest.Program(t)
	guide, home := readFile(t, "../../docs/guides/getting-started.md"), t.TempDir()
	var script strings.Builder
	script.WriteString("rm -rf bin/getting-started\n")
	for _, block := range regexp.MustCompile("(?s)```(shell|terraform)\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		switch text := block[2]; {
		case block[1] == "terraform":
			script.WriteString("cat >main.tf <<'END'\n" + text + "END\n")
		case text == "make build\n": // with the home directory of the machine, which has the cache of the compiler
			script.WriteString(text + "export HOME='" + home + "'\nmkdir ~/.ssh\n")
		case text == "tunnel-testserver -- sh\n":
			script.WriteString("tunnel-testserver -- sh -e <<'EXIT'\n")
		default:
			script.WriteString(strings.Replace(text, "ssh-keygen", "ssh-keygen -q -N ''", 1))
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", script.String()+"EXIT\n")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "PATH="+acctest.ShellPath(t), "TF_CLI_ARGS_apply=-auto-approve", "TF_CLI_ARGS_destroy=-auto-approve")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"4 added, 0 changed, 0 destroyed", "No changes", "4 destroyed"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the guide does not print %q:\n%s", want, out)
		}
	}
}
