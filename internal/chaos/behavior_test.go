package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestBehavior_everyKind is the lifecycle of an object of every kind at services with
// other behavior. Nothing has a warning, and after each apply and import the plan is
// empty.
func TestBehavior_everyKind(t *testing.T) {
	t.Parallel()
	seeds := uint64(1)
	switch {
	case *soak:
		seeds = 100
	case os.Getenv("TF_ACC") != "":
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed=", seed+1), func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, testserver.WithBehavior(fmt.Sprint("seed=", seed+1)))
			for _, kind := range acctest.Kinds {
				t.Run(kind.Type, func(t *testing.T) {
					t.Parallel()
					variedLifecycle(t, w, kind, rand.New(rand.NewPCG(seed+1, 0)))
				})
			}
		})
	}
}

func variedLifecycle(t *testing.T, w *acctest.Env, kind acctest.Kind, random *rand.Rand) {
	t.Helper()
	sim := newSimulator(t, w, nil)
	_, full := kind.Configuration(t, w)
	minimal := map[string]tftypes.Value{}
	for _, attribute := range sim.provider().Schema.ResourceSchemas[kind.Type].Block.Attributes {
		if _, needed := kind.Settings[attribute.Name]; needed || attribute.Required || attribute.Name == "private_key_pem" {
			minimal[attribute.Name] = full[attribute.Name]
		}
	}
	var config map[string]resourceConfig
	apply := func(step string, arguments map[string]tftypes.Value) {
		t.Helper()
		config = map[string]resourceConfig{"a": {Type: kind.Type, Arguments: arguments}}
		delete(sim.warnings, "a")
		errors := sim.Apply(config)
		plan := sim.plan(config, true)
		if defects := sim.TakeDefects(); len(errors)+len(sim.warnings["a"])+len(plan.errors)+len(plan.changes)+len(defects) > 0 {
			t.Fatalf("%s: errors %v, warnings %v, next plan %v %v, defects %v",
				step, errors, sim.warnings["a"], plan.errors, plan.changes, defects)
		}
	}
	apply("create", full)
	editByHand(w, kind, sim.keys("a"))
	if plan := sim.plan(config, true); len(plan.errors) > 0 || (len(plan.changes) == 0) != (kind.Type == "tunnel_event_source") {
		t.Errorf("after an edit by hand, the plan changes %v: %v", plan.changes, plan.errors)
	}
	apply("repair", full)
	apply("another spelling", spelled(full, func(_ string, last int) int { return random.IntN(last + 1) }))
	apply("clear", minimal)
	keys := sim.keys("a")
	p := w.Protocol(t)
	imported, _ := p.Import(kind.Type, kind.ImportID(keys), nil)
	p.PlansNoChange(kind.Type, imported)
	w.ForceDelete(kind.At(keys))
	if plan := sim.plan(config, true); len(plan.changes) != 1 || len(sim.state) > 0 {
		t.Errorf("after a deletion by hand, the plan changes %v: %v", plan.changes, plan.errors)
	}
	apply("create again", full)
	keys = sim.keys("a")
	sim.mustApply(nil)
	if w.Exists(kind.At(keys)) {
		t.Error("the object still exists after the destroy")
	}
}
