package acctest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
)

// State returns the state.
func (tf *Terraform) State(t testing.TB) *tfjson.State {
	t.Helper()
	tf.quiet()
	state, err := tf.exec.Show(t.Context(), tfexec.Reattach(tf.reattach))
	if err != nil {
		t.Fatal(err)
	}
	return state
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

// ExpectAttribute expects a value in the state.
func (tf *Terraform) ExpectAttribute(t *testing.T, address, name string, want any) {
	t.Helper()
	if got := tf.Attributes(t, address)[name]; got != want {
		t.Errorf("%s.%s is %v, want %v", address, name, got, want)
	}
}

// OutputValue decodes an output value of the configuration.
func (tf *Terraform) OutputValue(t testing.TB, name string, value any) {
	t.Helper()
	tf.quiet()
	outputs, err := tf.exec.Output(t.Context())
	if err == nil {
		err = json.Unmarshal(outputs[name].Value, value)
	}
	if err != nil {
		t.Fatalf("output %s: %v", name, err)
	}
}

// PlannedActions runs terraform plan and returns the planned actions by
// address: no-op, create, update, replace or delete. The test fails if the
// command fails.
func (tf *Terraform) PlannedActions(t testing.TB, options ...tfexec.PlanOption) map[string]string {
	t.Helper()
	actions := map[string]string{}
	for _, change := range tf.PlanJSON(t, options...).ResourceChanges {
		actions[change.Address] = string(change.Change.Actions[0])
		if change.Change.Actions.Replace() {
			actions[change.Address] = "replace"
		}
	}
	return actions
}

// LastPlan applies the plan of PlannedActions or PlanJSON, instead of another one.
var LastPlan = tfexec.DirOrPlan(planFile)

const planFile = "actions.plan"

// PlanJSON runs terraform plan and returns the plan. The test fails if the
// command fails.
func (tf *Terraform) PlanJSON(t testing.TB, options ...tfexec.PlanOption) *tfjson.Plan {
	t.Helper()
	tf.Plan(t, append(options, tfexec.Out(planFile))...)
	tf.quiet()
	plan, err := tf.exec.ShowPlanFile(t.Context(), planFile, tfexec.Reattach(tf.reattach))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
