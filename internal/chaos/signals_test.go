package chaos

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const signalled = `
resource "tunnel_group_backend" "all" {
  count       = 12
  description = %q
  labels      = { n = tostring(count.index) }
}
`

// The phases of a run in which a signal can come. Each has requests in flight when the
// signal is sent, and others that wait for a slot.
var phases = map[string]struct {
	before, config string // the configuration that is applied before, and the one of the run
	method         string // of the requests in flight
	inFlight       int    // their number
	command        []string
}{
	"plan":   {fmt.Sprintf(signalled, "a"), fmt.Sprintf(signalled, "a"), "GET", 1, []string{"plan"}},
	"create": {"", fmt.Sprintf(signalled, "a"), "POST", 4, []string{"apply", "-auto-approve"}},
	"update": {fmt.Sprintf(signalled, "a"), fmt.Sprintf(signalled, "b"), "PATCH", 4, []string{"apply", "-auto-approve"}},
	"delete": {fmt.Sprintf(signalled, "a"), "", "DELETE", 4, []string{"apply", "-auto-approve"}},
}

// startInFlight starts a phase in a process group of its own, and returns when the
// service works on requests. They take as long as the delay.
func startInFlight(t *testing.T, w *acctest.Env, tf *terraform, phase string, delay time.Duration, out *bytes.Buffer) *exec.Cmd {
	t.Helper()
	if phases[phase].before != "" {
		tf.Write(t, "objects.tf", phases[phase].before)
		tf.Apply(t)
	}
	tf.Write(t, "objects.tf", phases[phase].config)
	w.SetRules(testserver.Rule{Behavior: "delay=" + delay.String(), Method: phases[phase].method, Route: "/backends/tunnel_group*"})
	cmd := tf.Command(t.Context(), append(phases[phase].command, "-no-color", "-parallelism=4")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // usually it has ended
	acctest.Await(t, func() bool { return w.Stats().InFlight >= phases[phase].inFlight })
	return cmd
}

// TestAccSignals_loseNothing sends a signal in each phase, as a terminal, systemd, a CI
// runner and a user do. Requests in flight end, and their objects are in the state.
func TestAccSignals_loseNothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		phase  string
		signal syscall.Signal
		target string
	}{
		{"create", syscall.SIGINT, "group"},
		{"create", syscall.SIGTERM, "group"},
		{"create", syscall.SIGTERM, "terraform"},
		{"create", syscall.SIGTERM, "provider"},
		{"plan", syscall.SIGTERM, "group"},
		{"update", syscall.SIGINT, "group"},
		{"update", syscall.SIGTERM, "provider"},
		{"delete", syscall.SIGTERM, "group"},
		{"delete", syscall.SIGTERM, "terraform"},
	} {
		t.Run(fmt.Sprintf("%s, %s to the %s", test.phase, test.signal, test.target), func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := newTerraform(t, w.URL, w.AdminKey, "")
			var out bytes.Buffer
			cmd := startInFlight(t, w, tf, test.phase, 700*time.Millisecond, &out)
			switch test.target {
			case "group":
				_ = syscall.Kill(-cmd.Process.Pid, test.signal)
			case "terraform":
				_ = syscall.Kill(cmd.Process.Pid, test.signal)
			case "provider":
				tf.signal(test.signal)
			}
			end(t, cmd)
			acctest.Await(t, func() bool { return w.Stats().InFlight == 0 && tf.signal(0) == 0 })
			if strings.Contains(out.String(), "Plugin did not respond") || strings.Contains(out.String(), "Could not determine") {
				t.Errorf("requests were lost:\n%s", acctest.Summary(out.String()))
			}
			service := map[string]any{}
			for _, object := range w.List("/backends/tunnel_group") {
				service["/backends/tunnel_group/"+object["id"].(string)] = object["description"]
			}
			held := tf.state()
			for path, description := range service {
				if held[path].values == nil || held[path].values["description"] != description {
					t.Errorf("the service has %s with the description %v, the state has %v", path, description, held[path].values)
				}
			}
			if len(held) != len(service) {
				t.Errorf("the state has %d objects, the service %d\n%s", len(held), len(service), acctest.Summary(out.String()))
			}
		})
	}
}
