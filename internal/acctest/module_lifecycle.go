package acctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// A ModuleLifecycle is what a part of a parent object goes through in a life. It has
// no id of its own, and its address is known before it exists.
type ModuleLifecycle struct {
	// Resource is the address of the module in the configurations.
	Resource string
	// Path is the address of the module at the service, and Endpoint the same as
	// the contract writes it.
	Path, Endpoint string
	// Parent is the path of what the module is a part of.
	Parent string
	// ImportID is the module's import id.
	ImportID string
	// Full has all arguments, Changed others, and Minimal only those without
	// which there is no module.
	Full, Changed, Minimal string
	// IsFull, IsChanged and IsMinimal are what the service then holds, in its
	// plain form, as JSON objects.
	IsFull, IsChanged, IsMinimal string
	// Drift is what somebody sets by hand, as the body of a PUT.
	Drift string
}

// Run runs the steps.
func (s ModuleLifecycle) Run(t *testing.T, w *World) {
	t.Helper()
	imported := func(config string) resource.TestStep {
		return resource.TestStep{
			Config: w.Config(config), ResourceName: s.Resource, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportStateIdFunc: func(*terraform.State) (string, error) { return s.ImportID, nil },
		}
	}
	step := func(before func(), config string, action plancheck.ResourceActionType, is string) resource.TestStep {
		return resource.TestStep{
			PreConfig: before, Config: w.Config(config), ConfigPlanChecks: planned(s.Resource, action), Check: w.HoldsJSON(s.Path, is),
		}
	}
	w.Run(t,
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(s.Full),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionCreate),
			Check: resource.ComposeTestCheckFunc(w.HoldsJSON(s.Path, s.IsFull), func(*terraform.State) error {
				if got := w.Stats(); w.Sent() != 2 || got.Requests["GET "+s.Endpoint] != 1 || got.Requests["PUT "+s.Endpoint] != 1 {
					return fmt.Errorf("creating took %v, want one look and one PUT", got.Requests)
				}
				return nil
			}),
		},
		resource.TestStep{
			PreConfig:    w.ResetStats,
			RefreshState: true,
			Check: func(*terraform.State) error {
				// The refresh, and the plan that the harness makes after it.
				if got := w.Stats(); got.Requests["GET "+s.Endpoint] > 2 || w.Sent() != got.Requests["GET "+s.Endpoint] {
					return fmt.Errorf("one refresh took %v, want one GET for each walk", got.Requests)
				}
				return nil
			},
		},
		imported(s.Full),
		step(nil, s.Changed, plancheck.ResourceActionUpdate, s.IsChanged),
		imported(s.Changed),
		step(nil, s.Minimal, plancheck.ResourceActionUpdate, s.IsMinimal),
		imported(s.Minimal),
		step(func() { w.Put(s.Path, s.Drift) }, s.Minimal, plancheck.ResourceActionUpdate, s.IsMinimal),
		step(func() { w.Delete(s.Path) }, s.Full, plancheck.ResourceActionCreate, s.IsFull),
		resource.TestStep{
			PreConfig: w.ResetStats,
			Config:    w.Config(s.Full),
			Destroy:   true,
			Check: func(*terraform.State) error {
				if got := w.Stats(); got.Requests["DELETE "+s.Endpoint] != 1 || !w.Exists(s.Parent) {
					return fmt.Errorf("deleting took %v, want one DELETE of the module alone", got.Requests)
				}
				return nil
			},
		},
		step(nil, s.Full, plancheck.ResourceActionCreate, s.IsFull),
		resource.TestStep{
			PreConfig:          func() { w.ForceDelete(s.Parent) },
			RefreshState:       true,
			ExpectNonEmptyPlan: true,
			RefreshPlanChecks: resource.RefreshPlanChecks{
				PostRefresh: []plancheck.PlanCheck{plancheck.ExpectResourceAction(s.Resource, plancheck.ResourceActionCreate)},
			},
		},
	)
	if w.Exists(s.Path) {
		t.Errorf("%s still exists after destroy", s.Path)
	}
}

// HoldsJSON returns a check that expects the service to hold the members of a
// JSON object.
func (w *World) HoldsJSON(path, object string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var want map[string]any
		if err := json.Unmarshal([]byte(object), &want); err != nil {
			return err
		}
		return w.Holds(path, want)
	}
}

// RefusesToOverwrite proves that a creation leaves alone what is at a path
// already, and says how to import it; and that importing it so works.
func (w *World) RefusesToOverwrite(t *testing.T, address, config, path, importID string) {
	t.Helper()
	before := w.Get(path)
	kind, _, _ := strings.Cut(address, ".")
	w.Run(t,
		resource.TestStep{
			PreConfig: w.ResetStats,
			Config:    w.Config(config),
			ExpectError: InError("already exists", "terraform import "+kind+".NAME "+importID,
				"import {", "to = "+kind+".NAME", "id = \""+importID+"\""),
		},
		resource.TestStep{
			PreConfig: func() {
				for _, r := range w.Requests() {
					if r.Method != http.MethodGet {
						t.Errorf("%s %s was sent", r.Method, r.Path)
					}
				}
				if diff := cmp.Diff(before, w.Get(path)); diff != "" {
					t.Errorf("%s was overwritten (-before +after):\n%s", path, diff)
				}
			},
			Config: w.Config(config) + fmt.Sprintf("\nimport {\n  to = %s\n  id = %q\n}\n", address, importID),
		},
	)
}
