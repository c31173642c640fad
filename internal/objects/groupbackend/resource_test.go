package groupbackend_test

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const kind = "tunnel_group_backend"

// TestGroupBackend_clearedLabelsReplace checks that clearing the labels replaces the
// backend, because a PATCH with {} does not change them.
func TestGroupBackend_clearedLabelsReplace(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	none, some := map[string]any{}, map[string]any{"a": "b"}
	for _, test := range []struct {
		before   string
		labels   map[string]any
		replaces bool
	}{{`{}`, some, false}, {`{}`, none, false}, {`{"a": "b"}`, none, true}, {`{"a": "b"}`, map[string]any{"a": "c"}, false}} {
		state, _ := p.Import(kind, w.Create("/backends/tunnel_group", `{"labels": `+test.before+`}`), nil)
		plan := p.Plan(kind, state, acctest.FromJSON(p.Type(kind), map[string]any{"labels": test.labels, "description": "new"}))
		p.Must(plan.Diagnostics)
		if replaces := len(plan.RequiresReplace) > 0; replaces != test.replaces {
			t.Errorf("%s to %v is replaced for %v", test.before, test.labels, plan.RequiresReplace)
		}
	}
}
