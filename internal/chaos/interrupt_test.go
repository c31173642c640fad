package chaos

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestAccInterrupt_endsAtOnceAndKeepsObjects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault testserver.Fault
		most  int // maximum number of objects; two are in the state, and the others or an error
	}{
		"while answers are on their way": {testserver.Fault{Kind: testserver.FaultDelay, Delay: 350 * time.Millisecond, Nth: 3, Count: 100}, 4},
		"while it waits for the limit":   {testserver.Fault{Kind: testserver.Fault429, RetryAfter: "600", Nth: 3, Count: 100}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := newTerraform(t, w.URL, w.AdminKey, `
resource "tunnel_group_backend" "all" {
  count  = 4
  labels = { app = "web", n = tostring(count.index) }
}
`)
			test.fault.Method = "POST"
			w.SetFaults(test.fault)
			var out bytes.Buffer
			cmd := tf.Command(t.Context(), "apply", "-auto-approve", "-no-color")
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			acctest.Await(t, func() bool {
				stats := w.Stats()
				return len(w.List("/backends/tunnel_group")) >= 2 && stats.Faults+stats.InFlight > 0
			})
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			end(t, cmd)
			w.SetFaults()
			acctest.Await(t, func() bool { return w.Stats().InFlight == 0 })
			held, created := tf.state(), w.List("/backends/tunnel_group")
			// On a busy machine, an answer can take longer than the provider waits for it
			// (TestCreate_awaitsAnAnswerThatIsNearAfterACancel): then an error says so.
			// Each object must be in the state or have its own error.
			unknown := strings.Count(out.String(), "Error: Could not determine whether the tunnel group backend was created")
			if len(created) < 2 || len(created) > test.most || len(held)+unknown < len(created) || unknown > test.most-2 {
				t.Errorf("the state has %d objects, %d outcomes are unknown, the service has %d objects, want 2 to %d\n%s",
					len(held), unknown, len(created), test.most, acctest.Summary(out.String()))
			}
			kept := 0
			for _, object := range created {
				if id, _ := object["id"].(string); held["/backends/tunnel_group/"+id].values != nil {
					kept++
				}
			}
			if kept != len(held) {
				t.Errorf("%d of the %d objects of the state are in the service", kept, len(held))
			}
		})
	}
}
