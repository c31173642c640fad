package provider_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestProcess_isNotARun creates, refreshes, plans and destroys each kind of object again
// and again with one provider, as terraform test does since Terraform 1.14. With
// -minimal-refresh, Terraform plans an object before it reads it, and then again.
func TestProcess_isNotARun(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		of := p.Type(kind.Type)
		none := tftypes.NewValue(of, nil)
		var arguments any
		if err := json.Unmarshal([]byte(quoted(required(t, w, kind, p.Schema.ResourceSchemas[kind.Type].Block.Attributes))), &arguments); err != nil {
			t.Fatal(err)
		}
		config := acctest.FromJSON(of, arguments)
		quiet := func(step string, diags []*tfprotov6.Diagnostic) {
			t.Helper()
			for _, d := range diags {
				if d.Severity == tfprotov6.DiagnosticSeverityError {
					t.Fatalf("%s: %s: %s: %s", kind.Type, step, d.Summary, d.Detail)
				}
			}
		}
		create := func() tftypes.Value {
			t.Helper()
			state, diags := p.Apply(kind.Type, none, config)
			quiet("create", diags)
			return state
		}
		keeps := func(state tftypes.Value) {
			t.Helper()
			plan := p.Plan(kind.Type, state, p.Kept(kind.Type, state))
			quiet("plan without changes", plan.Diagnostics)
			if planned := p.Value(of, plan.PlannedState); !planned.Equal(state) {
				diff, _ := state.Diff(planned)
				t.Errorf("%s: planned %v", kind.Type, diff)
			}
		}
		for range 2 {
			state := create()
			keeps(state)
			state, _ = p.Read(kind.Type, state, nil)
			keeps(state)
			quiet("plan of the deletion", p.Plan(kind.Type, state, none).Diagnostics)
			keeps(state)
			quiet("plan of the deletion", p.Plan(kind.Type, state, none).Diagnostics)
			_, diags := p.Apply(kind.Type, state, none)
			quiet("destroy", diags)
		}
		byHand := create()
		keys := map[string]string{}
		for _, key := range kind.Keys() {
			keys[key] = p.Strings(byHand)[key]
		}
		w.Age(time.Hour)
		w.ForceDelete(kind.At(keys))
		if read, _ := p.Read(kind.Type, byHand, nil); !read.IsNull() {
			t.Errorf("%s: deleted by hand, and still in the state", kind.Type)
		}
		_, diags := p.Apply(kind.Type, create(), none)
		quiet("destroy", diags)
	}
}
