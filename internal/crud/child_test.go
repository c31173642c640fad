package crud_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

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
