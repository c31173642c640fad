package acctest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
)

// Lifecycle is a test of the whole lifecycle of an object of a collection or of
// a module: create, update, clear, import, out-of-band changes and deletion,
// destroy, and the deletion of its parent. After each apply, Terraform must
// plan no change. Terraform imports the first object, the protocol also the others.
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
	// Imported replaces Full in the import. It omits arguments that cannot be
	// imported, because the service never returns them.
	Imported string
}

// Run runs the steps.
func (s Lifecycle) Run(t *testing.T, w *Env) {
	t.Helper()
	name, _, _ := strings.Cut(s.Resource, ".")
	run := &lifecycle{s, t, w, KindOf(t, name), w.Terraform(t, ""), maps.Clone(s.Parents)}
	if run.keys == nil {
		run.keys = map[string]string{}
	}
	run.creates()
	run.imports()
	run.applies("update", s.Changed, s.IsChanged)
	run.importsByProtocol()
	run.applies("update", s.Minimal, s.IsMinimal)
	run.importsByProtocol()
	run.drift()
	run.applies("update", s.Minimal, s.IsMinimal)
	run.drift()
	run.applies("update", s.Full, s.IsFull)
	w.ForceDelete(run.path())
	run.applies("create", s.Full, s.IsFull)
	run.destroys()
	if parent := run.kind.ParentPath(run.keys); run.kind.HasParent() {
		run.applies("create", s.Full, s.IsFull)
		w.ForceDelete(parent)
		if got := plannedAction(run.tf.Run(t, "plan", "-json"), s.Resource); got != "create" {
			t.Errorf("planned is %q after the deletion of the parent, want its creation", got)
		}
	}
}

type lifecycle struct {
	Lifecycle
	t    *testing.T
	w    *Env
	kind Kind
	tf   *Terraform
	keys map[string]string
}

func (r *lifecycle) path() string { return r.kind.At(r.keys) }

// applies applies a configuration with a plan of the given action for the resource, and
// expects that the next plan is empty and the service has the given values. It returns
// the requests of the apply and of the plan after it.
func (r *lifecycle) applies(action, config string, want map[string]any) (applied, planned []string) {
	r.t.Helper()
	r.tf.Write(r.t, "main.tf", requiredProviders+config)
	r.w.ResetStats()
	out, err := r.tf.ApplyJSON(r.t)
	if err != nil {
		fail(r.t, "apply", err, out)
	}
	applied = r.w.sent()
	if got := plannedAction(out, r.Resource); got != action {
		r.t.Errorf("planned is %q, want %q:\n%s", got, action, config)
	}
	last := r.kind.Keys()[len(r.kind.Keys())-1]
	r.keys[last] = fmt.Sprint(r.tf.Attributes(r.t, r.Resource)[last])
	if err := r.w.Holds(r.path(), want); err != nil {
		r.t.Error(err)
	}
	r.w.ResetStats()
	r.tf.ExpectNoChanges(r.t)
	return applied, r.w.sent()
}

// creates creates the object and counts the requests: those that create it, and those
// that read it, in the refresh and, for a module, in the plan after it.
func (r *lifecycle) creates() {
	r.t.Helper()
	r.tf.Write(r.t, "provider.tf", r.w.ConfigUnchecked(""))
	applied, planned := r.applies("create", r.Full, r.IsFull)
	r.tf.Write(r.t, "provider.tf", r.w.Config(""))
	creation, reads := []string{"POST " + r.kind.ListPath(r.keys)}, 1
	if r.kind.Module() {
		creation, reads = []string{"GET " + r.path(), "PUT " + r.path()}, 2
	}
	if r.kind.Secret { // what existed before is no candidate for a deletion
		creation = append([]string{"GET " + r.kind.ListPath(r.keys)}, creation...)
	}
	if r.PlanReads != "" { // once for the plan, once for the apply
		creation = append([]string{"GET " + r.PlanReads, "GET " + r.PlanReads}, creation...)
	}
	if !slices.Equal(applied, creation) {
		r.t.Errorf("creating took %v, want %v", applied, creation)
	}
	if len(planned) > reads {
		r.t.Errorf("a plan took %v, want %d requests", planned, reads)
	}
}

// imports imports the object, which was created with the full configuration.
func (r *lifecycle) imports() {
	r.t.Helper()
	r.importsByProtocol()
	r.tf.Forget(r.t, r.Resource)
	r.tf.Write(r.t, "import.tf", fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", r.Resource, r.kind.ImportID(r.keys)))
	r.tf.Write(r.t, "main.tf", requiredProviders+cmp.Or(r.Imported, r.Full))
	if out := r.tf.Apply(r.t); !strings.Contains(out, "1 imported, 0 added, 0 changed, 0 destroyed") {
		r.t.Errorf("the import changes something:\n%s", Summary(out))
	}
	r.tf.Write(r.t, "import.tf", "")
}

// importsByProtocol imports the object, and expects that the configuration of the state
// plans no change.
func (r *lifecycle) importsByProtocol() {
	r.t.Helper()
	p := r.w.Protocol(r.t)
	imported, _ := p.Import(r.kind.Type, r.kind.ImportID(r.keys), nil)
	p.PlansNoChange(r.kind.Type, imported)
	if r.Imported != "" {
		return
	}
	config := p.Kept(r.kind.Type, FromJSON(p.Type(r.kind.Type), r.tf.Attributes(r.t, r.Resource)))
	plan := p.Plan(r.kind.Type, imported, config)
	p.Must(plan.Diagnostics)
	if planned := p.Value(p.Type(r.kind.Type), plan.PlannedState); !planned.Equal(imported) {
		diff, _ := imported.Diff(planned)
		r.t.Errorf("after an import, the plan changes %v", diff)
	}
}

// drift changes the object out of band.
func (r *lifecycle) drift() {
	if r.kind.Module() {
		r.w.Put(r.path(), r.Drift)
	} else {
		r.w.Edit(r.path(), r.Drift)
	}
}

func (r *lifecycle) destroys() {
	r.t.Helper()
	r.w.ResetStats()
	r.tf.Destroy(r.t)
	writes := slices.DeleteFunc(r.w.sent(), func(line string) bool { return strings.HasPrefix(line, "GET ") })
	if !slices.Equal(writes, []string{"DELETE " + r.path()}) || r.kind.HasParent() && !r.w.Exists(r.kind.ParentPath(r.keys)) {
		r.t.Errorf("deleting took %v, want one DELETE of the object alone", writes)
	}
	if r.w.Exists(r.path()) {
		r.t.Errorf("%s still exists after destroy", r.path())
	}
}

// plannedAction returns the action for a resource in the JSON output of a plan, "" if
// there is none.
func plannedAction(out, address string) string {
	for line := range strings.Lines(out) {
		var message struct {
			Type   string
			Change struct {
				Action   string
				Resource struct{ Addr string }
			}
		}
		if json.Unmarshal([]byte(line), &message) == nil && message.Type == "planned_change" && message.Change.Resource.Addr == address {
			return message.Change.Action
		}
	}
	return ""
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

// RefusesToOverwrite tests that creating a resource for an existing object
// fails without a change, that the error contains the import command and import
// block, and that this import succeeds.
func (w *Env) RefusesToOverwrite(t *testing.T, address, config, path, importID string) {
	t.Helper()
	before := w.Get(path)
	kind, _, _ := strings.Cut(address, ".")
	tf := w.Terraform(t, config)
	w.ResetStats()
	out, err := tf.TryApply(t)
	if err == nil || !InError("already exists", "terraform import "+kind+".NAME "+importID,
		"import {", "to = "+kind+".NAME", "id = \""+importID+"\"").MatchString(out) {
		t.Errorf("%v\n%s", err, Summary(out))
	}
	for _, r := range w.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
	if changed := diff.Diff(before, w.Get(path)); changed != "" {
		t.Errorf("%s was overwritten (-before +after):\n%s", path, changed)
	}
	tf.Write(t, "import.tf", fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, importID))
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
}
