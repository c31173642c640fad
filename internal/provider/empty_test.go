package provider_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// emptyOf returns an empty list or map, and false for other types.
func emptyOf(of tftypes.Type) (tftypes.Value, bool) {
	switch {
	case of.Is(tftypes.List{}):
		return tftypes.NewValue(of, []tftypes.Value{}), true
	case of.Is(tftypes.Map{}):
		return tftypes.NewValue(of, map[string]tftypes.Value{}), true
	}
	return tftypes.Value{}, false
}

// TestPlan_emptyIsUnset checks for every optional list and map of every kind that
// an empty one and none mean the same, in each order: there is no change and no
// warning. A state of an older version, which lacks it, has no change either, also
// without a refresh.
func TestPlan_emptyIsUnset(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		var tried []string
		for _, kind := range acctest.Kinds {
			of := p.Type(kind.Type)
			for _, attribute := range p.Schema.ResourceSchemas[kind.Type].Block.Attributes {
				empty, ok := emptyOf(attribute.ValueType())
				if !ok || !attribute.Optional {
					continue
				}
				name := kind.Type + "." + attribute.Name
				tried = append(tried, name)
				null := tftypes.NewValue(empty.Type(), nil)
				_, full := kind.Configuration(t, w)
				with := func(value tftypes.Value) tftypes.Value {
					changed := maps.Clone(full)
					changed[attribute.Name] = value
					return acctest.Object(of, changed)
				}
				state, _ := p.Apply(kind.Type, tftypes.NewValue(of, nil), with(full[attribute.Name]))
				var planned []tftypes.Value
				for _, given := range []tftypes.Value{null, empty} {
					plan := p.Plan(kind.Type, state, with(given))
					p.Must(plan.Diagnostics)
					planned = append(planned, p.Value(of, plan.PlannedState))
				}
				p.Apply(kind.Type, state, tftypes.NewValue(of, nil))
				if kind.Type != "tunnel_ssh_host_certificate" && !planned[0].Equal(planned[1]) { // which is replaced
					t.Errorf("%s: removing it plans %s, and emptying it %s", name, planned[0], planned[1])
				}
				for _, created := range []tftypes.Value{null, empty} {
					state, _ := p.Apply(kind.Type, tftypes.NewValue(of, nil), with(created))
					old := maps.Clone(p.Attributes(state)) // of an earlier version
					old[attribute.Name] = null
					refreshed, _ := p.Read(kind.Type, acctest.Object(of, old), nil)
					stored, _ := acctest.JSON(t, acctest.Object(of, old)).(map[string]any)
					delete(stored, attribute.Name)
					upgraded, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
						TypeName: kind.Type, Version: p.Schema.ResourceSchemas[kind.Type].Version,
						RawState: &tfprotov6.RawState{JSON: []byte(quoted(stored))},
					})
					if err != nil {
						t.Fatal(err)
					}
					for _, state := range []tftypes.Value{state, refreshed, p.Value(of, upgraded.UpgradedState)} {
						for _, given := range []tftypes.Value{null, empty} {
							plan := p.Plan(kind.Type, state, with(given))
							if now := p.Value(of, plan.PlannedState); !now.Equal(state) || len(plan.RequiresReplace) > 0 {
								t.Errorf("%s: from %s to %s, the plan is %s", name, created, given, now)
							}
							acctest.ExpectNone(t, plan.Diagnostics)
						}
					}
					p.Apply(kind.Type, state, tftypes.NewValue(of, nil))
				}
			}
		}
		if len(tried) < 10 {
			t.Errorf("only %d attributes were tried: %s", len(tried), strings.Join(tried, ", "))
		}
	})
}

// An update that sends nothing must not leave unknown values in the state: the object,
// and what it shows, stay as they are. The state is of an older version.
func TestUpdate_withoutRequestKnowsAll(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_group_backend"
	none, config := tftypes.NewValue(p.Type(kind), nil), acctest.FromJSON(p.Type(kind), map[string]any{"labels": map[string]any{}})
	state, diags := p.Apply(kind, none, config)
	p.Must(diags)
	old := maps.Clone(p.Attributes(state))
	old["labels"] = tftypes.NewValue(old["labels"].Type(), nil)
	sent := w.Sent()
	after, diags := p.Apply(kind, acctest.Object(p.Type(kind), old), config)
	acctest.ExpectNone(t, diags)
	if diff, err := state.Diff(after); err != nil || len(diff) > 0 || w.Sent() != sent {
		t.Errorf("after %d requests, the state has other values (%v): %v", w.Sent()-sent, err, diff)
	}
}
