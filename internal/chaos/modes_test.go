package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-exec/tfexec"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccModes_samePlan checks that Terraform plans every kind of object the
// same in every mode. The tests of SSH host certificates and TLS certificates
// add the time.
func TestAccModes_samePlan(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	config, changed := map[string]resourceConfig{}, map[string]resourceConfig{}
	for _, kind := range acctest.Kinds {
		_, arguments := kind.Configuration(t, w)
		config[kind.Type] = resourceConfig{Type: kind.Type, Arguments: arguments}
		changed[kind.Type] = resourceConfig{Type: kind.Type, Arguments: changedInPlace(t, arguments)}
	}
	r := newRealTerraform(t, w)
	r.write(config)
	r.Terraform.Apply(t)

	address := func(kind string) string { return kind + "." + kind }
	const credential, policy = "tunnel_ssh_credential", "tunnel_tls_edge_policy"
	// all returns an action for each resource.
	all := func(action func(kind string) string) map[string]string {
		actions := map[string]string{}
		for kind := range config {
			actions[address(kind)] = action(kind)
		}
		return actions
	}
	expect := func(mode string, plan *tfjson.Plan, want map[string]string) {
		t.Helper()
		if diff := cmp.Diff(want, acctest.Actions(plan)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", mode, diff)
		}
		if len(plan.ResourceDrift) > 0 {
			t.Errorf("%s: %d objects were changed outside of Terraform", mode, len(plan.ResourceDrift))
		}
	}
	unchanged := all(func(string) string { return "no-op" })
	two := []tfexec.PlanOption{tfexec.Target(address(credential)), tfexec.Target(address(policy))}
	replaced := maps.Clone(unchanged)
	replaced[address(credential)], replaced[address(policy)] = "replace", "replace"

	expect("normal", r.PlanJSON(t), unchanged)
	expect("-refresh=false", r.PlanJSON(t, tfexec.Refresh(false)), unchanged)
	expect("-refresh-only", r.PlanJSON(t, tfexec.RefreshOnly(true)), map[string]string{})
	expect("-target", r.PlanJSON(t, two...), map[string]string{address(credential): "no-op", address(policy): "no-op"})
	expect("-replace", r.PlanJSON(t, tfexec.Replace(address(credential)), tfexec.Replace(address(policy))), replaced)

	r.write(changed)
	updated := all(func(kind string) string {
		if kind == "tunnel_event_source" { // it has nothing to update
			return "no-op"
		}
		return "update"
	})
	normal, unrefreshed := r.PlanJSON(t), r.PlanJSON(t, tfexec.Refresh(false))
	expect("change", normal, updated)
	expect("change, -refresh=false", unrefreshed, updated)
	if diff := cmp.Diff(changesOf(normal), changesOf(unrefreshed)); diff != "" {
		t.Errorf("the refresh matters (-normal +without):\n%s", diff)
	}
	expect("change, -target", r.PlanJSON(t, two...), map[string]string{address(credential): "update", address(policy): "update"})

	r.Terraform.Plan(t, tfexec.Out("saved.plan"))
	for kind, held := range r.ObjectState() {
		editByHand(w, acctest.KindOf(t, kind), held.Keys)
	}
	r.Terraform.Apply(t, tfexec.DirOrPlan("saved.plan"))
	expect("after the saved plan", r.PlanJSON(t), unchanged)

	t.Run("minimal refresh", func(t *testing.T) { //nolint:paralleltest // it needs the state
		r.Needs(t, acctest.MinimalRefresh)
		w.ResetStats()
		if out := r.Run(t, "plan", "-minimal-refresh", "-no-color"); !strings.Contains(out, "No changes.") {
			t.Errorf("the plan has changes:\n%s", acctest.Summary(out))
		}
		r.write(config)
		if out := r.Run(t, "plan", "-minimal-refresh", "-no-color"); !strings.Contains(out, fmt.Sprintf(" 0 to add, %d to change, 0 to destroy", len(config)-1)) {
			t.Errorf("the plan differs:\n%s", acctest.Summary(out))
		}
	})

	deleted := all(func(string) string { return "delete" })
	expect("destroy", r.PlanJSON(t, tfexec.Destroy(true)), deleted)
	expect("destroy, -refresh=false", r.PlanJSON(t, tfexec.Destroy(true), tfexec.Refresh(false)), deleted)
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
	body := map[string]any{"description": "by hand", "metadata": "by hand", "acl": []string{"bind:hand.example.com"}}
	switch {
	case kind.Type == "tunnel_event_source":
		return
	case kind.Type == "tunnel_bot_user":
		body = map[string]any{"name": "by hand"}
	case kind.Type != "tunnel_ssh_credential":
		delete(body, "acl")
	}
	if kind.Module() {
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

// changesOf returns the planned changes by address.
func changesOf(plan *tfjson.Plan) map[string]*tfjson.Change {
	changes := map[string]*tfjson.Change{}
	for _, change := range plan.ResourceChanges {
		changes[change.Address] = change.Change
	}
	return changes
}
