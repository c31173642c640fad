package chaos

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// normaliserChecks is the number of seeds for each kind.
const normaliserChecks = 6

// TestNormaliser_neverTaintsOrLoses creates, changes and destroys objects of every kind at a service that stores
// something other than what was sent, in one of the ways that a seed selects. Every apply succeeds, the state never
// differs from its plan, and the destroy leaves nothing. With -soak, the seeds are random and ten times as many.
func TestNormaliser_neverTaintsOrLoses(t *testing.T) {
	t.Parallel()
	for _, kind := range acctest.Kinds {
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			_, arguments := kind.Configuration(t, w)
			count, seed := normaliserChecks, func(i int) uint64 { return uint64(i) } //nolint:gosec // small
			if *soak {
				count, seed = 10*normaliserChecks, func(int) uint64 { return rand.Uint64() }
			}
			for i := range count {
				normalised(t, w, kind, arguments, seed(i))
			}
		})
	}
}

// normalised runs the lifecycle of an object with a seed of the normaliser.
func normalised(t *testing.T, w *acctest.Env, kind acctest.Kind, arguments map[string]tftypes.Value, seed uint64) {
	t.Helper()
	others := len(w.Paths())
	w.SetNormaliser(seed)
	defer w.SetNormalRules()
	s := newSimulator(t, w, nil)
	config := map[string]resourceConfig{"a": {Type: kind.Type, Arguments: arguments}}
	expect := func(what string, errors map[string]string) {
		t.Helper()
		for _, text := range errors {
			t.Errorf("seed %d, %s: %s", seed, what, text)
		}
		for _, defect := range s.TakeFindings() {
			t.Errorf("seed %d, %s: %s", seed, what, defect)
		}
	}
	expect("create", s.Apply(config))
	expect("second apply", s.Apply(config))
	changed := maps.Clone(arguments)
	for name, value := range map[string]tftypes.Value{
		"description": acctest.Text(" Changed by Terraform\n"), "metadata": tftypes.NewValue(tftypes.String, nil), "enabled": tftypes.NewValue(tftypes.Bool, true),
	} {
		if _, ok := changed[name]; ok {
			changed[name] = value
		}
	}
	config["a"] = resourceConfig{Type: kind.Type, Arguments: changed}
	expect("update", s.Apply(config))
	expect("second update", s.Apply(config))
	expect("destroy", s.Apply(map[string]resourceConfig{}))
	if left := len(w.Paths()) - others; left > 0 {
		t.Errorf("seed %d: the destroy leaves %d objects", seed, left)
	}
}
