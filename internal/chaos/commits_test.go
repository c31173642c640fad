package chaos

import (
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var (
	soak    = flag.Bool("soak", false, "run each fault at each request, and many random commits")
	oneSeed = flag.Uint64("seed", 0, "run the random commits of this seed only")
)

// TestAccCommits_loseNothing applies random commits of a repository: resources are added,
// changed and removed, and objects are edited and deleted by hand. After each commit the
// next plan is empty, and the service has the objects of the state and those of others.
func TestAccCommits_loseNothing(t *testing.T) {
	t.Parallel()
	seeds := []uint64{1, 2}
	if *soak {
		seeds = seeds[:0]
		for seed := range uint64(20) {
			seeds = append(seeds, seed)
		}
	}
	if *oneSeed > 0 {
		seeds = []uint64{*oneSeed}
	}
	for _, seed := range seeds {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			t.Logf("to repeat it: TF_ACC=1 go test ./internal/chaos -run %s -seed=%d", strings.Split(t.Name(), "/")[0], seed)
			commits(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

func commits(t *testing.T, random *rand.Rand) {
	t.Helper()
	w := acctest.Start(t)
	possible, config := map[string]resourceConfig{}, map[string]resourceConfig{}
	for _, kind := range acctest.Kinds {
		_, arguments := kind.Configuration(t, w)
		possible[kind.Type] = resourceConfig{Type: kind.Type, Arguments: arguments}
	}
	others := len(w.Paths())
	tf := &terraform{Terraform: w.Terraform(t, ""), t: t}
	for commit := range 6 {
		for name, resource := range possible {
			switch random.IntN(4) {
			case 0:
				delete(config, name)
			case 1:
				config[name] = resource
			case 2:
				config[name] = resourceConfig{Type: name, Arguments: changedInPlace(t, resource.Arguments)}
			}
		}
		if commit == 5 {
			clear(config)
		}
		held := slices.Sorted(maps.Keys(tf.state()))
		for i, at := range random.Perm(len(held)) {
			kind, keys := acctest.KindAt(held[at])
			switch before := len(w.Paths()); {
			case i == 0:
				w.ForceDelete(held[at])
			case i < 5:
				editByHand(w, kind, keys)
				others += len(w.Paths()) - before // that the object refers to now
			}
		}
		tf.Write(t, "config.tf.json", inJSON(t, config))
		tf.Apply(t)
		tf.ExpectNoChanges(t)
		if all, state := len(w.Paths()), len(tf.state()); state != len(config) || all != others+state {
			t.Fatalf("commit %d: %d objects at the service, %d of them of others, %d in the state, want %d", commit, all, others, state, len(config))
		}
	}
}

// inJSON returns a configuration in JSON.
func inJSON(t *testing.T, config map[string]resourceConfig) string {
	t.Helper()
	resources := map[string]map[string]any{}
	for name, resource := range config {
		block := map[string]any{}
		for argument, value := range resource.Arguments {
			block[argument] = acctest.JSON(t, value)
		}
		resources[resource.Type] = map[string]any{name: block}
	}
	file := map[string]any{}
	if len(resources) > 0 {
		file["resource"] = resources
	}
	content, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	// Strings in a configuration are templates, so escape them.
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(content))
}

// changedInPlace returns arguments with a change that is an update in place.
func changedInPlace(t *testing.T, arguments map[string]tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	changed := maps.Clone(arguments)
	if _, ok := changed["description"]; ok {
		changed["description"] = acctest.Text("changed")
		return changed
	}
	for name, value := range changed {
		if value.Type().Is(tftypes.Bool) {
			changed[name] = tftypes.NewValue(tftypes.Bool, acctest.JSON(t, value) == false)
		}
	}
	return changed
}

// editByHand changes an object out of band, also attributes that a plan does not change.
func editByHand(w *acctest.Env, kind acctest.Kind, keys map[string]string) {
	body := map[string]any{"description": "by hand", "metadata": "by hand"}
	switch {
	case kind.Type == "tunnel_event_source":
		return
	case kind.Type == "tunnel_bot_user":
		body = map[string]any{"name": "by hand"}
	case kind.Module():
		body = map[string]any{"enabled": w.Get(kind.At(keys))["enabled"] == false}
	}
	if kind.Values != nil {
		for name, values := range kind.Values(w) {
			if values[2] != nil {
				body[name] = values[2]
			}
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // it contains only strings, numbers and booleans
	}
	if kind.Module() {
		w.Put(kind.At(keys), string(text))
	} else {
		w.Edit(kind.At(keys), string(text))
	}
}
