package acctest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
)

// State returns the state.
func (tf *Terraform) State(t testing.TB) *tfjson.State {
	t.Helper()
	var state tfjson.State
	if err := json.Unmarshal(tf.Stdout(t, "show", "-json"), &state); err != nil {
		t.Fatal(err)
	}
	return &state
}

// StateFile returns the content of the state file, or an empty string if it
// does not exist.
func (tf *Terraform) StateFile(t testing.TB) string {
	t.Helper()
	const name = "terraform.tfstate"
	if _, err := os.Stat(filepath.Join(tf.Dir, name)); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return tf.Read(t, name)
}

// Attributes returns the attributes of a resource in the state file.
func (tf *Terraform) Attributes(t testing.TB, address string) map[string]any {
	t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct{ Attributes map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(tf.StateFile(t)), &state); err != nil {
		t.Fatal(err)
	}
	for _, resource := range state.Resources {
		if resource.Type+"."+resource.Name == address {
			return resource.Instances[0].Attributes
		}
	}
	t.Fatalf("%s is not in the state", address)
	return nil
}

// OutputValue decodes an output value of the configuration.
func (tf *Terraform) OutputValue(t testing.TB, name string, value any) {
	t.Helper()
	if err := json.Unmarshal(tf.Stdout(t, "output", "-json", name), value); err != nil {
		t.Fatalf("output %s: %v", name, err)
	}
}

// PlannedActions runs terraform plan and returns the planned actions by address: no-op,
// create, update, replace or delete. The test fails if the command fails.
func (tf *Terraform) PlannedActions(t testing.TB, options ...string) map[string]string {
	t.Helper()
	tf.Plan(t, append(options, "-out="+LastPlan)...)
	var plan tfjson.Plan
	if err := json.Unmarshal(tf.Stdout(t, "show", "-json", LastPlan), &plan); err != nil {
		t.Fatal(err)
	}
	actions := map[string]string{}
	for _, change := range plan.ResourceChanges {
		actions[change.Address] = string(change.Change.Actions[0])
		if change.Change.Actions.Replace() {
			actions[change.Address] = "replace"
		}
	}
	return actions
}

// LastPlan is the plan of PlannedActions, for Apply.
const LastPlan = "actions.plan"
