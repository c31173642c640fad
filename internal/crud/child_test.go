package crud_test

import (
	"maps"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A child is an object in a parent: a module, or a member of a nested
// collection. Its path is known before it exists.
type child struct {
	acctest.Kind
	keys map[string]string
}

func (c child) id() string     { return c.ImportID(c.keys) }
func (c child) parent() string { return c.ParentPath(c.keys) }
func (c child) path() string   { return c.At(c.keys) }

// createChildren creates one object of each kind that has a parent.
func createChildren(t *testing.T, w *acctest.Env) []child {
	t.Helper()
	var all []child
	for _, kind := range acctest.Kinds {
		if kind.HasParent() {
			all = append(all, child{kind, kind.Create(t, w)})
		}
	}
	return all
}

func TestImport_byIDAndByIdentity(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		for _, kind := range acctest.Kinds {
			keys := kind.Create(t, w)
			byID, identity := p.Import(kind.Type, kind.ImportID(keys), nil)
			byIdentity, again := p.Import(kind.Type, "", p.Identity(kind.Type, keys))
			if byID.IsNull() || !maps.EqualFunc(withoutTimes(p.Attributes(byID)), withoutTimes(p.Attributes(byIdentity)), tftypes.Value.Equal) {
				t.Errorf("%s: by id %s, by identity %s", kind.Type, byID, byIdentity)
			}
			if !maps.Equal(identity, keys) || !maps.Equal(again, keys) {
				t.Errorf("%s: identities %v and %v, want %v", kind.Type, identity, again, keys)
			}
		}
	})
}

// withoutTimes removes the times, which a service may write differently in each
// response.
func withoutTimes(attributes map[string]tftypes.Value) map[string]tftypes.Value {
	delete(attributes, "created_at")
	return attributes
}

// An object and what is in it are managed separately: a new child is no change of its
// parent, and an update of the parent keeps it.
func TestChild_isNoChangeOfItsParent(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		for _, kind := range acctest.Kinds {
			if !kind.HasParent() {
				continue
			}
			parents := kind.Parents(t, w)
			parent, keys := acctest.KindAt(kind.ParentPath(parents))
			state, _ := w.Protocol(t).Import(parent.Type, parent.ImportID(keys), nil)
			child := kind.CreateIn(t, w, parents)
			p := w.Protocol(t)
			p.PlansNoChange(parent.Type, state)
			if now, _ := p.Read(parent.Type, state, nil); !now.Equal(state) {
				diff, _ := state.Diff(now)
				t.Errorf("%s changes its %s: %v", kind.Type, parent.Type, diff)
			}
			config := maps.Clone(p.Attributes(p.Kept(parent.Type, state)))
			config["description"] = acctest.Text("changed")
			p.Apply(parent.Type, state, acctest.Object(p.Type(parent.Type), config))
			if !w.Exists(kind.At(child)) {
				t.Errorf("an update of %s deletes %s", parent.Type, kind.Type)
			}
		}
	})
}

func TestChild_goneWithParent(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		for _, remove := range []func(child){
			func(c child) { w.Delete(c.path()) },
			func(c child) { w.ForceDelete(c.parent()) },
		} {
			p := w.Protocol(t)
			all := createChildren(t, w)
			states := make([]tftypes.Value, len(all))
			for i, child := range all {
				states[i], _ = p.Import(child.Type, child.id(), nil)
			}
			for _, child := range all {
				if w.Exists(child.parent()) {
					remove(child)
				}
			}
			// Each use of a new process is the next Terraform command, which does not
			// know what the others found. It holds what is gone for a moment.
			var processes sync.WaitGroup
			for i, child := range all {
				reader, deleter := w.Protocol(t), w.Protocol(t)
				processes.Go(func() { forgets(t, reader, deleter, child.Type, states[i]) })
			}
			processes.Wait()
		}
	})
}

// forgets checks that a read and a deletion forget an object that is gone.
func forgets(t *testing.T, reader, deleter *acctest.Protocol, kind string, state tftypes.Value) {
	t.Helper()
	if now, _ := reader.Read(kind, state, nil); !now.IsNull() {
		t.Errorf("%s: still in state: %s", kind, now)
	}
	null, prior := deleter.Dynamic(tftypes.NewValue(state.Type(), nil)), deleter.Dynamic(state)
	deleted, err := deleter.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: kind, PriorState: prior, PlannedState: null, Config: null})
	if err != nil {
		t.Error(err)
		return
	}
	acctest.ExpectNone(t, deleted.Diagnostics)
}

// generatedID matches the part of an id after its prefix.
var generatedID = regexp.MustCompile(`_3YN[0-9A-Za-z]+`)

func TestImportID_malformedShowsFormAndExample(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		want := strings.Join(kind.Keys(), "/") + ", such as " + generatedID.ReplaceAllString(kind.Example(), "_2abc")
		for _, id := range []string{"a/b/c", "a /b", "/", " "} {
			resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: kind.Type, ID: id})
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, want) {
				t.Errorf("%s %q: %v, want an error with %q", kind.Type, id, resp.Diagnostics, want)
			}
		}
	}
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}
