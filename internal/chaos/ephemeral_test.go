package chaos

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccEphemeral_keyEndsWithTheRun uses an API key for one run in a provisioner, and
// ends the run in each way. No key is left, and no file has its token.
func TestAccEphemeral_keyEndsWithTheRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		command []string
		script  string // of the provisioner, which has the token
		end     func(pid int)
		posts   int
	}{
		"plan":               {[]string{"plan"}, "true", nil, 0},
		"apply":              {[]string{"apply", "-auto-approve"}, "echo $TOKEN > used", nil, 1},
		"failed apply":       {[]string{"apply", "-auto-approve"}, "exit 1", nil, 1},
		"interrupted":        {[]string{"apply", "-auto-approve"}, "touch begun; sleep 30", func(pid int) { _ = syscall.Kill(-pid, syscall.SIGINT) }, 1},
		"Terraform killed":   {[]string{"apply", "-auto-approve"}, "touch begun; sleep 30", func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }, 1},
		"all are terminated": {[]string{"apply", "-auto-approve"}, "touch begun; sleep 30", func(pid int) { _ = syscall.Kill(-pid, syscall.SIGTERM) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := newTerraform(t, w.URL, w.AdminKey, fmt.Sprintf(`
ephemeral "tunnel_api_key" "run" {
  enabled     = terraform.applying
  description = "this run"
}

resource "terraform_data" "use" {
  provisioner "local-exec" {
    command     = %q
    environment = { TOKEN = ephemeral.tunnel_api_key.run.token }
  }
}
`, test.script))
			tf.Needs(t, acctest.EphemeralResources)
			var out bytes.Buffer
			command := tf.Command(t.Context(), append(test.command, "-no-color")...)
			command.Env = append(command.Env, "TF_LOG=TRACE")
			command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			command.Stdout, command.Stderr = &out, &out
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }) // usually it has ended
			if test.end != nil {
				acctest.Await(t, func() bool {
					_, err := os.Stat(filepath.Join(tf.Dir, "begun"))
					return err == nil
				})
				if len(w.List("/api_keys")) != 1 {
					t.Error("the run has no key")
				}
				test.end(command.Process.Pid)
			}
			failed := command.Wait() != nil
			if wanted := test.end != nil || test.script == "exit 1"; failed != wanted {
				t.Errorf("failed: %t\n%s", failed, acctest.Summary(out.String()))
			}
			acctest.Await(t, func() bool { return tf.signal(0) == 0 })
			if left := w.List("/api_keys"); len(left) != 0 {
				t.Errorf("the service still has %v\n%s", left, acctest.Summary(out.String()))
			}
			posts := 0
			for _, request := range w.Requests() {
				if request.Method == "POST" {
					posts++
				}
			}
			if posts != test.posts {
				t.Errorf("%d keys were created, want %d", posts, test.posts)
			}
			if name == "apply" {
				token := strings.TrimSpace(tf.Read(t, "used"))
				if len(token) < 20 || strings.Contains(tf.StateFile(t)+out.String(), token) {
					t.Errorf("the token %q is in the state, in the output or in the log", token)
				}
			}
		})
	}
}
