package acctest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// MeansTheSame applies a configuration, and expects that others plan no change. The
// state keeps the values of the first.
func (w *Env) MeansTheSame(t *testing.T, first string, others ...string) *Terraform {
	t.Helper()
	tf := w.Terraform(t, first)
	tf.Apply(t)
	tf.Write(t, "provider.tf", w.Config(""))
	for _, config := range others {
		tf.Write(t, "main.tf", requiredProviders+config)
		tf.ExpectNoChanges(t)
	}
	return tf
}

// ExpectPlan plans another configuration after MeansTheSame.
func (tf *Terraform) ExpectPlan(t *testing.T, config string, checks ...plancheck.PlanCheck) {
	t.Helper()
	tf.Write(t, "main.tf", requiredProviders+config)
	plan := tf.PlanJSON(t)
	for _, check := range checks {
		var resp plancheck.CheckPlanResponse
		if check.CheckPlan(t.Context(), plancheck.CheckPlanRequest{Plan: plan}, &resp); resp.Error != nil {
			t.Error(resp.Error)
		}
	}
}

// ExpectAttribute expects a value in the state.
func (tf *Terraform) ExpectAttribute(t *testing.T, address, name string, want any) {
	t.Helper()
	if got := tf.Attributes(t, address)[name]; got != want {
		t.Errorf("%s.%s is %v, want %v", address, name, got, want)
	}
}

// ExpectChanges returns a plan check that a resource is updated in place, that
// exactly the given paths change, for example inbound[1].expressions[0], and
// that no value is unknown.
func ExpectChanges(address string, paths ...string) plancheck.PlanCheck {
	return expectChanges{address, paths}
}

type expectChanges struct {
	address string
	paths   []string
}

func (e expectChanges) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, planned := range req.Plan.ResourceChanges {
		if planned.Address != e.address {
			continue
		}
		change := planned.Change
		if !change.Actions.Update() {
			resp.Error = fmt.Errorf("%s: planned %v, want an update", e.address, change.Actions)
			return
		}
		if unknown := leaves("", change.AfterUnknown); len(unknown) > 0 {
			resp.Error = fmt.Errorf("%s: known after apply: %v", e.address, slices.Sorted(maps.Keys(unknown)))
			return
		}
		before, after := leaves("", change.Before), leaves("", change.After)
		var changed []string
		for path := range before {
			if before[path] != after[path] {
				changed = append(changed, path)
			}
		}
		for path := range after {
			if _, ok := before[path]; !ok {
				changed = append(changed, path)
			}
		}
		slices.Sort(changed)
		if diff := cmp.Diff(slices.Sorted(slices.Values(e.paths)), changed); diff != "" {
			resp.Error = fmt.Errorf("%s: other changes than expected (-want +planned):\n%s", e.address, diff)
		}
		return
	}
	resp.Error = fmt.Errorf("%s is not in the plan", e.address)
}

// leaves returns the scalar values inside a JSON value by path. It omits false
// and null, because they do not indicate a change.
func leaves(path string, value any) map[string]any {
	found := map[string]any{}
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if path != "" {
				name = path + "." + name
			}
			maps.Copy(found, leaves(name, member))
		}
	case []any:
		for i, element := range value {
			maps.Copy(found, leaves(fmt.Sprintf("%s[%d]", path, i), element))
		}
	case nil:
	case bool:
		if value {
			found[path] = true
		}
	default:
		found[path] = value
	}
	return found
}
