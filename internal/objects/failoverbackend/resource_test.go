package failoverbackend_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestFailoverBackend_children plans other children of a backend.
func TestFailoverBackend_children(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_failover_backend"
	one, two := w.Create("/backends/http_response", "{}"), w.Create("/backends/http_response", "{}")
	id := w.Create("/backends/failover", fmt.Sprintf(`{"backends": [%q, %q]}`, one, two))
	state, _ := p.Import(kind, id, nil)
	plan := func(children ...any) *tfprotov6.PlanResourceChangeResponse {
		return p.Plan(kind, state, acctest.FromJSON(state.Type(), map[string]any{"backends": children}))
	}
	const isError, isWarn = tfprotov6.DiagnosticSeverityError, tfprotov6.DiagnosticSeverityWarning
	acctest.Expect(t, plan(two, id).Diagnostics, isError, acctest.At("backends"), "backends[1] must be the ID of another backend", id, "Remove it")
	acctest.Expect(t, plan(one, one).Diagnostics, isWarn, acctest.At("backends"), "backends[1] is the same as backends[0]")
	acctest.Expect(t, plan("").Diagnostics, isError, acctest.At("backends"), "backends[0] must be an ID; found an empty string")
	exchanged := plan(two, one)
	acctest.ExpectNone(t, exchanged.Diagnostics)
	if planned := p.Value(state.Type(), exchanged.PlannedState); planned.Equal(state) || len(exchanged.RequiresReplace) > 0 {
		t.Errorf("another order is no update: %s, replaced for %v", planned, exchanged.RequiresReplace)
	}
}
