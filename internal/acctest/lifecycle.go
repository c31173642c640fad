package acctest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Lifecycle is a test of the whole lifecycle of an object: create, update,
// clear, import, out-of-band changes and deletion, and destroy. After each
// apply, Terraform must plan no change.
type Lifecycle struct {
	// Resource is the address of the resource in the configurations.
	Resource string
	// List is the API path of the collection that contains the object.
	List string
	// Endpoint is the route of List in the API documentation. Defaults to List.
	Endpoint string
	// ImportParent is the part of the import id before the id.
	ImportParent string
	// Full is a configuration with all arguments, Changed one with other values
	// that are updated in place, and Minimal one with only the required
	// arguments.
	Full, Changed, Minimal string
	// IsFull, IsChanged and IsMinimal are the resulting fields at the service.
	// Other fields are not checked.
	IsFull, IsChanged, IsMinimal map[string]any
	// Drift is the PATCH body of an out-of-band change.
	Drift string
	// NotImported replaces Full and Minimal in the import steps. It omits
	// arguments that cannot be imported, because the service never returns
	// them.
	NotImported []string
}

// Run runs the steps.
func (s Lifecycle) Run(t *testing.T, w *Env) {
	t.Helper()
	var id string
	path := func() string { return s.List + "/" + id }
	create := "POST " + cmp.Or(s.Endpoint, s.List)
	importID := func(*terraform.State) (string, error) { return s.ImportParent + id, nil }
	imported := s.NotImported
	if imported == nil {
		imported = []string{s.Full, s.Minimal}
	}

	w.Run(t,
		resource.TestStep{
			PreConfig: w.ResetStats,
			Config:    w.ConfigUnchecked(s.Full),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply:            []plancheck.PlanCheck{plancheck.ExpectResourceAction(s.Resource, plancheck.ResourceActionCreate)},
				PostApplyPreRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
			Check: resource.ComposeTestCheckFunc(w.remember(s.Resource, &id), w.HoldsAt(path, s.IsFull), func(*terraform.State) error {
				if stats := w.Stats(); stats.Total != 1 || stats.Requests[create] != 1 {
					return fmt.Errorf("creating took %v, want one %s and nothing else", stats.Requests, create)
				}
				return nil
			}),
		},
		resource.TestStep{
			PreConfig:    w.ResetStats,
			RefreshState: true,
			Check: func(*terraform.State) error {
				if stats := w.Stats(); stats.Total != 1 { // a list page or a GET by id
					return fmt.Errorf("a refresh took %v, want one request", stats.Requests)
				}
				return nil
			},
		},
		resource.TestStep{
			Config:            w.Config(imported[0]),
			ImportState:       true,
			ImportStateKind:   resource.ImportBlockWithID,
			ResourceName:      s.Resource,
			ImportStateIdFunc: importID,
		},
		resource.TestStep{
			Config:           w.Config(s.Changed),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionUpdate),
			Check:            resource.ComposeTestCheckFunc(w.still(s.Resource, &id), w.HoldsAt(path, s.IsChanged)),
		},
		resource.TestStep{
			Config:           w.Config(s.Minimal),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionUpdate),
			Check:            resource.ComposeTestCheckFunc(w.still(s.Resource, &id), w.HoldsAt(path, s.IsMinimal)),
		},
		resource.TestStep{
			Config:            w.Config(imported[1]),
			ImportState:       true,
			ImportStateKind:   resource.ImportBlockWithID,
			ResourceName:      s.Resource,
			ImportStateIdFunc: importID,
		},
		resource.TestStep{
			PreConfig:        func() { w.Edit(path(), s.Drift) },
			Config:           w.Config(s.Minimal),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionUpdate),
			Check:            resource.ComposeTestCheckFunc(w.still(s.Resource, &id), w.HoldsAt(path, s.IsMinimal)),
		},
		resource.TestStep{
			PreConfig:        func() { w.Edit(path(), s.Drift) },
			Config:           w.Config(s.Full),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionUpdate),
			Check:            resource.ComposeTestCheckFunc(w.still(s.Resource, &id), w.HoldsAt(path, s.IsFull)),
		},
		resource.TestStep{
			PreConfig:        func() { w.ForceDelete(path()) },
			Config:           w.Config(s.Full),
			ConfigPlanChecks: planned(s.Resource, plancheck.ResourceActionCreate),
			Check:            resource.ComposeTestCheckFunc(w.remember(s.Resource, &id), w.HoldsAt(path, s.IsFull)),
		},
		resource.TestStep{
			Config:  w.Config(s.Full),
			Destroy: true,
		},
	)
	if w.Exists(path()) {
		t.Errorf("%s still exists after destroy", path())
	}
}

// planned expects an action on a resource.
func planned(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// ID returns a check that stores the id of a resource in id.
func ID(address string, id *string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		found, ok := state.RootModule().Resources[address]
		if !ok {
			return fmt.Errorf("%s is not in the state", address)
		}
		*id = found.Primary.ID
		return nil
	}
}

func (w *Env) remember(address string, id *string) resource.TestCheckFunc { return ID(address, id) }

// still returns a check that the id of a resource has not changed, so that it
// was not replaced.
func (w *Env) still(address string, id *string) resource.TestCheckFunc {
	return func(state *terraform.State) error {
		var now string
		if err := ID(address, &now)(state); err != nil {
			return err
		}
		if now != *id {
			return fmt.Errorf("%s was replaced: %s became %s", address, *id, now)
		}
		return nil
	}
}

// HoldsAt returns a check that an object at the service has the given field
// values.
func (w *Env) HoldsAt(path func() string, want map[string]any) resource.TestCheckFunc {
	return func(*terraform.State) error { return w.Holds(path(), want) }
}

// Set is a list of strings whose order is not significant.
type Set []string

// Holds returns an error if an object at the service does not have the given
// field values.
func (w *Env) Holds(path string, want map[string]any) error {
	got := w.Get(path)
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		wanted, found := want[name], got[name]
		switch value := wanted.(type) {
		case Set:
			wanted, found = sorted(texts(value)), sorted(texts(found))
		case []string:
			wanted, found = texts(value), texts(found)
		case map[string]string:
			wanted = make(map[string]any)
			for key, text := range value {
				wanted.(map[string]any)[key] = text
			}
		}
		if difference := diff.Diff(wanted, found); difference != "" {
			wrong = append(wrong, fmt.Sprintf("%s (-want +got):\n%s", name, difference))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s: %s", path, strings.Join(wrong, "\n"))
	}
	return nil
}

// texts converts lists in tests and in decoded JSON to the same type.
func texts(value any) []string {
	list := []string{}
	switch value := value.(type) {
	case Set:
		list = append(list, value...)
	case []string:
		list = append(list, value...)
	case []any:
		for _, element := range value {
			list = append(list, fmt.Sprint(element))
		}
	}
	return list
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}
