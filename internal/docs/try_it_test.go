package docs

import (
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccTryItGuide_works runs the commands of the guide in one shell, with ports that
// are free.
func TestAccTryItGuide_works(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"ssh", "ssh-keygen", "curl", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	tf, search := copying(t, acctest.Start(t)) // the test server of the guide replaces this one
	guide := readFile(t, "../../docs/guides/try-it-with-ssh-and-curl.md")
	for _, port := range []string{"8443", "2222", "3000"} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		guide = strings.ReplaceAll(guide, port, fmt.Sprint(listener.Addr().(*net.TCPAddr).Port))
		_ = listener.Close()
	}
	var script strings.Builder
	for _, block := range regexp.MustCompile("(?s)```(shell|terraform)\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		switch text := block[2]; {
		case block[1] == "terraform":
			script.WriteString("cat >main.tf <<'END'\n" + text + "END\n")
		case strings.HasSuffix(text, " -- sh\n"):
			script.WriteString(strings.TrimSuffix(text, "\n") + " -e <<'EXIT'\ntrap 'kill $started' EXIT\n")
		case strings.Contains(text, "app=admin"):
			script.WriteString("! " + text)
		default:
			text = strings.ReplaceAll(text, " &\n", " &\nstarted=\"$started $!\"\n")
			script.WriteString(strings.Replace(text, "terraform apply", "terraform init\nterraform apply", 1))
		}
	}
	out, err := tf.Shell(t, script.String()+"EXIT\n", search, "TF_CLI_ARGS_apply=-auto-approve", "HOME="+tf.Dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"Back soon", " is open: app=web.", "hello", "does not allow to bind app=admin: the rule bind:app=admin would"} {
		if !strings.Contains(out, want) {
			t.Errorf("the guide does not print %q:\n%s", want, out)
		}
	}
}
