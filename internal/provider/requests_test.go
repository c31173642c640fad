package provider_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestRequests_ofEachOperation counts the requests of each operation on an object of each
// kind. An object goes with its parent.
func TestRequests_ofEachOperation(t *testing.T) {
	t.Parallel()
	for _, kind := range acctest.Kinds {
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			p := w.Protocol(t)
			keys, arguments := kind.Configuration(t, w)
			of := p.Type(kind.Type)
			config, none := acctest.Object(of, arguments), tftypes.NewValue(of, nil)
			sends := func(operation string, do func(), want ...string) {
				t.Helper()
				w.ResetStats()
				do()
				var sent []string
				for _, request := range w.Requests() {
					if request.Method != "GET" || strings.HasPrefix(request.Path, kind.ListPath(keys)) { // not of a reference, for a warning
						sent = append(sent, request.Method+" "+request.Path)
					}
				}
				slices.Sort(sent)
				slices.Sort(want)
				if !slices.Equal(sent, want) {
					t.Errorf("%s took %v, want %v", operation, sent, want)
				}
			}
			apply := func(prior, config tftypes.Value) (state tftypes.Value) {
				t.Helper()
				state, diags := p.Apply(kind.Type, prior, config)
				p.Must(errorsOf(diags))
				return state
			}
			last := kind.Keys()[len(kind.Keys())-1]
			creation := []string{"POST " + kind.ListPath(keys)}
			switch {
			case kind.Module():
				creation = []string{"GET " + kind.At(keys), "PUT " + kind.At(keys)}
			case kind.Secret || last == "type": // looks for what existed before
				creation = append(creation, "GET "+kind.ListPath(keys))
			}
			var state tftypes.Value
			sends("a creation", func() { state = apply(none, config) }, creation...)
			keys[last] = p.Strings(state)[last]
			sends("a plan", func() { p.Plan(kind.Type, state, config) })
			p = p.NextRun()
			w.ResetStats()
			state, _ = p.Read(kind.Type, state, nil)
			if sent := w.Stats().Requests; len(sent) != 1 || w.Stats().Total != 1 { // an object, or a page of a list
				t.Errorf("a read took %v", sent)
			}
			sends("a deletion", func() { apply(state, none) }, "DELETE "+kind.At(keys))
			if !kind.HasParent() {
				return
			}
			state = apply(none, config)
			w.Age(time.Hour)
			w.ForceDelete(kind.ParentPath(keys))
			if read, _ := p.NextRun().Read(kind.Type, state, nil); !read.IsNull() {
				t.Error("the parent is gone, and the object is still in the state")
			}
			p = p.NextRun()
			apply(state, none)
		})
	}
}

// TestCreate_refusesToOverwrite creates each object whose keys the configuration chooses,
// although it exists. Nothing is written, and the error shows how to import it.
func TestCreate_refusesToOverwrite(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		if !kind.Module() && kind.Keys()[len(kind.Keys())-1] == "id" {
			continue
		}
		keys := kind.Create(t, w)
		state, _ := p.Import(kind.Type, kind.ImportID(keys), nil)
		w.ResetStats()
		_, diags := p.Apply(kind.Type, tftypes.NewValue(p.Type(kind.Type), nil), p.Generated(kind.Type, state))
		acctest.Expect(t, diags, tfprotov6.DiagnosticSeverityError, nil, "already exists", "terraform import "+kind.Type+".NAME "+kind.ImportID(keys),
			"to = "+kind.Type+".NAME", `id = "`+kind.ImportID(keys)+`"`)
		for endpoint := range w.Stats().Requests {
			if !strings.HasPrefix(endpoint, "GET ") {
				t.Errorf("%s: %s was sent", kind.Type, endpoint)
			}
		}
	}
}

func errorsOf(diagnostics []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return slices.DeleteFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool { return d.Severity != tfprotov6.DiagnosticSeverityError })
}
