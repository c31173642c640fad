package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// Lifecycle is a test of the whole lifecycle of an object of a collection or of
// a module: create, update, clear, import, out-of-band changes and deletion,
// destroy, and the deletion of its parent. After each apply, Terraform must
// plan no change.
type Lifecycle struct {
	// Resource is the address of the resource in the configurations.
	Resource string
	// Parents are the keys of the parents, nil if there are none.
	Parents map[string]string
	// Full is a configuration with all arguments, Changed one with other values
	// that are updated in place, and Minimal one with only the required
	// arguments.
	Full, Changed, Minimal string
	// IsFull, IsChanged and IsMinimal are the resulting fields at the service.
	// Other fields are not checked.
	IsFull, IsChanged, IsMinimal map[string]any
	// Drift is the body of an out-of-band change: PATCH, or PUT for a module.
	Drift string
	// PlanReads is the path of another object that each plan of the creation reads,
	// "" if there is none.
	PlanReads string
	// NotImported replaces Full and Minimal in the import steps. It omits
	// arguments that cannot be imported, because the service never returns
	// them.
	NotImported []string
}

// Run runs the steps.
func (s Lifecycle) Run(t *testing.T, w *Env) {
	t.Helper()
	name, _, _ := strings.Cut(s.Resource, ".")
	kind := KindOf(t, name)
	keys := maps.Clone(s.Parents)
	if keys == nil {
		keys = map[string]string{}
	}
	last := kind.Keys()[len(kind.Keys())-1]
	path := func() string { return kind.At(keys) }
	locate := func(state *terraform.State) (err error) {
		keys[last], err = attributeOf(state, s.Resource, last)
		return err
	}
	// The requests that create the object, and the number of those that read it:
	// in the refresh and, for a module, in the plan after it.
	creation, reads := []string{"POST " + kind.ListPath(keys)}, 1
	if kind.Module() {
		creation, reads = []string{"GET " + kind.ParentPath(keys), "PUT " + path()}, 2
	}
	if s.PlanReads != "" { // once for terraform plan, once for terraform apply
		creation = append([]string{"GET " + s.PlanReads, "GET " + s.PlanReads}, creation...)
	}
	imports := func(config string) resource.TestStep {
		return resource.TestStep{
			Config: w.Config(config), ResourceName: s.Resource, ImportState: true, ImportStateKind: resource.ImportBlockWithID,
			ImportStateIdFunc: func(*terraform.State) (string, error) { return kind.ImportID(keys), nil },
		}
	}
	updates := func(before func(), config string, is map[string]any) resource.TestStep {
		return resource.TestStep{
			PreConfig:        before,
			Config:           w.Config(config),
			ConfigPlanChecks: Planned(plancheck.ExpectResourceAction(s.Resource, plancheck.ResourceActionUpdate)),
			Check:            w.HoldsAt(path, is),
		}
	}
	creates := func(before func()) resource.TestStep {
		return resource.TestStep{
			PreConfig:        before,
			Config:           w.Config(s.Full),
			ConfigPlanChecks: Planned(plancheck.ExpectResourceAction(s.Resource, plancheck.ResourceActionCreate)),
			Check:            resource.ComposeTestCheckFunc(locate, w.HoldsAt(path, s.IsFull)),
		}
	}
	drift := func() {
		if kind.Module() {
			w.Put(path(), s.Drift)
		} else {
			w.Edit(path(), s.Drift)
		}
	}

	first := creates(w.ResetStats)
	first.Config = w.ConfigUnchecked(s.Full)
	first.ConfigPlanChecks.PostApplyPreRefresh = []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}
	first.Check = resource.ComposeTestCheckFunc(first.Check, func(*terraform.State) error {
		if sent := w.sent(); !slices.Equal(sent, creation) {
			return fmt.Errorf("creating took %v, want %v", sent, creation)
		}
		return nil
	})
	steps := []resource.TestStep{first, {
		PreConfig:    w.ResetStats,
		RefreshState: true,
		Check: func(*terraform.State) error {
			if sent := w.sent(); len(sent) > reads {
				return fmt.Errorf("a refresh took %v, want %d requests", sent, reads)
			}
			return nil
		},
	}}
	if s.NotImported == nil {
		steps = append(
			steps, imports(s.Full), updates(nil, s.Changed, s.IsChanged), imports(s.Changed), updates(nil, s.Minimal, s.IsMinimal),
			imports(s.Minimal),
		)
	} else {
		steps = append(
			steps, imports(s.NotImported[0]), updates(nil, s.Changed, s.IsChanged), updates(nil, s.Minimal, s.IsMinimal),
			imports(s.NotImported[1]),
		)
	}
	steps = append(steps,
		updates(drift, s.Minimal, s.IsMinimal),
		updates(drift, s.Full, s.IsFull),
		creates(func() { w.ForceDelete(path()) }),
		resource.TestStep{
			PreConfig: w.ResetStats,
			Config:    w.Config(s.Full),
			Destroy:   true,
			Check: func(*terraform.State) error {
				writes := slices.DeleteFunc(w.sent(), func(line string) bool { return strings.HasPrefix(line, "GET ") })
				if !slices.Equal(writes, []string{"DELETE " + path()}) || kind.HasParent() && !w.Exists(kind.ParentPath(keys)) {
					return fmt.Errorf("deleting took %v, want one DELETE of the object alone", writes)
				}
				return nil
			},
		},
	)
	if kind.HasParent() {
		steps = append(steps, creates(nil), resource.TestStep{
			PreConfig:          func() { w.ForceDelete(kind.ParentPath(keys)) },
			RefreshState:       true,
			ExpectNonEmptyPlan: true,
			RefreshPlanChecks: resource.RefreshPlanChecks{
				PostRefresh: []plancheck.PlanCheck{plancheck.ExpectResourceAction(s.Resource, plancheck.ResourceActionCreate)},
			},
		})
	}
	w.Run(t, steps...)
	if w.Exists(path()) {
		t.Errorf("%s still exists after destroy", path())
	}
}

// sent returns the requests since the last ResetStats, such as "POST
// /ssh_credentials", except those that validate the credentials.
func (w *Env) sent() []string {
	var all []string
	for _, request := range w.Requests() {
		if line := request.Method + " " + request.Path; line != "GET /backends/failover" {
			all = append(all, line)
		}
	}
	return all
}

// Planned returns checks of the plan before an apply.
func Planned(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: checks}
}

// ID returns a check that stores the id of a resource in id.
func ID(address string, id *string) resource.TestCheckFunc {
	return func(state *terraform.State) (err error) {
		*id, err = attributeOf(state, address, "id")
		return err
	}
}

func attributeOf(state *terraform.State, address, name string) (string, error) {
	found, ok := state.RootModule().Resources[address]
	if !ok {
		return "", fmt.Errorf("%s is not in the state", address)
	}
	return found.Primary.Attributes[name], nil
}

// Members returns the members of a JSON object.
func Members(object string) map[string]any {
	var members map[string]any
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		panic(fmt.Sprintf("%s: %s", object, err))
	}
	return members
}

// HoldsJSON returns a check that an object at the service has the members of a
// JSON object.
func (w *Env) HoldsJSON(path, object string) resource.TestCheckFunc {
	return w.HoldsAt(func() string { return path }, Members(object))
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

// RefusesToOverwrite tests that creating a resource for an existing object
// fails without a change, that the error contains the import command and import
// block, and that this import succeeds.
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
				if changed := diff.Diff(before, w.Get(path)); changed != "" {
					t.Errorf("%s was overwritten (-before +after):\n%s", path, changed)
				}
			},
			Config: w.Config(config) + fmt.Sprintf("\nimport {\n  to = %s\n  id = %q\n}\n", address, importID),
		},
	)
}
