package acctest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// ModuleLifecycle is a test of the whole lifecycle of a module. A module has no id, and its path is known before it is
// set.
type ModuleLifecycle struct {
	// Resource is the address of the resource in the configurations.
	Resource string
	// Path is the API path of the module, and Endpoint its route in the API documentation.
	Path, Endpoint string
	// Parent is the API path of the parent.
	Parent string
	// ImportID is the import id of the module.
	ImportID string
	// Full is a configuration with all arguments, Changed one with other values, and Minimal one with only the required
	// arguments.
	Full, Changed, Minimal string
	// IsFull, IsChanged and IsMinimal are the resulting fields at the service, as JSON objects.
	IsFull, IsChanged, IsMinimal string
	// Drift is the PUT body of an out-of-band change.
	Drift string
}

// Run runs the steps.
func (s ModuleLifecycle) Run(t *testing.T, w *Env) {
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
				if got := w.Stats(); w.Sent() != 2 || got.Requests["GET "+path.Dir(s.Endpoint)] != 1 || got.Requests["PUT "+s.Endpoint] != 1 {
					return fmt.Errorf("creating took %v, want one GET of the parent and one PUT", got.Requests)
				}
				return nil
			}),
		},
		resource.TestStep{
			PreConfig:    w.ResetStats,
			RefreshState: true,
			Check: func(*terraform.State) error {
				// The refresh and the plan of the test framework after it each read the list of the parents.
				if w.Sent() > 2 {
					return fmt.Errorf("one refresh took %v, want one GET for each walk", w.Stats().Requests)
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

// HoldsJSON returns a check that an object at the service has the members of a JSON object.
func (w *Env) HoldsJSON(path, object string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		var want map[string]any
		if err := json.Unmarshal([]byte(object), &want); err != nil {
			return err
		}
		return w.Holds(path, want)
	}
}

// RefusesToOverwrite tests that creating a resource for an existing object fails without a change, that the error
// contains the import command and import block, and that this import succeeds.
func (w *Env) RefusesToOverwrite(t *testing.T, address, config, path, importID string) {
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
