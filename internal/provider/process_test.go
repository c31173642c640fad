package provider_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestProcess_isNotARun creates, refreshes, plans and destroys each kind of object again
// and again with one provider, as terraform test does since Terraform 1.14. With
// -minimal-refresh, Terraform plans an object before it reads it, and then again.
func TestProcess_isNotARun(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		_, given := kind.Configuration(t, w)
		config := acctest.Object(p.Type(kind.Type), given)
		none := tftypes.NewValue(config.Type(), nil)
		apply := func(prior, config tftypes.Value) tftypes.Value {
			t.Helper()
			state, diags := p.Apply(kind.Type, prior, config)
			p.Must(diags)
			return state
		}
		keeps := func(state tftypes.Value) {
			t.Helper()
			plan := p.Plan(kind.Type, state, p.Kept(kind.Type, state))
			p.Must(plan.Diagnostics)
			if planned := p.Value(config.Type(), plan.PlannedState); !planned.Equal(state) {
				diff, _ := state.Diff(planned)
				t.Errorf("%s: planned %v", kind.Type, diff)
			}
		}
		for range 2 {
			state := apply(none, config)
			keeps(state)
			state, _ = p.Read(kind.Type, state, nil)
			keeps(state)
			p.Must(p.Plan(kind.Type, state, none).Diagnostics)
			keeps(state)
			apply(state, none)
		}
		byHand := apply(none, config)
		w.Age(time.Hour)
		w.ForceDelete(kind.At(p.Strings(byHand)))
		if read, _ := p.Read(kind.Type, byHand, nil); !read.IsNull() {
			t.Errorf("%s: deleted by hand, and still in the state", kind.Type)
		}
		apply(apply(none, config), none)
	}
}
