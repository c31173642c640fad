package crud_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const group = "tunnel_group_backend"

// texts returns summaries and details.
func texts(found []*tfprotov6.Diagnostic) string {
	var all strings.Builder
	for _, d := range found {
		all.WriteString(d.Severity.String() + ": " + d.Summary + "\n" + d.Detail + "\n")
	}
	return all.String()
}

// An update or a deletion that failed may have been processed nevertheless.
func TestApply_saysWhatAFailedChangeMayHaveDone(t *testing.T) {
	t.Parallel()
	const route = "/backends/tunnel_group/{id}"
	for name, test := range map[string]struct {
		fault   testserver.Fault
		deletes bool
		want    string // "" if the text must not claim it
	}{
		"update, 503":        {testserver.Fault{Kind: testserver.Fault503After, Method: http.MethodPatch, Route: route}, false, "The change may have been made nevertheless."},
		"update, reset":      {testserver.Fault{Kind: testserver.FaultResetAfter, Method: http.MethodPatch, Route: route}, false, "The change may have been made nevertheless."},
		"update, lost route": {testserver.Fault{Kind: testserver.FaultLostRoute, Method: http.MethodPatch, Route: route}, false, ""},
		"delete, 500":        {testserver.Fault{Kind: testserver.Fault500, Method: http.MethodDelete, Route: route}, true, "The object may have been deleted nevertheless."},
		"delete, truncated":  {testserver.Fault{Kind: testserver.FaultTruncate, Method: http.MethodDelete, Route: route, Before: true}, true, "The object may have been deleted nevertheless."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			p := w.Protocol(t)
			state, _ := p.Import(group, w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`), nil)
			p = acctest.NewProtocol(t)
			p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey), "max_retries": tftypes.NewValue(tftypes.Number, 0)})
			w.SetFaults(test.fault)
			config := acctest.FromJSON(p.Type(group), map[string]any{"labels": map[string]any{"app": "api"}})
			if test.deletes {
				config = tftypes.NewValue(p.Type(group), nil)
			}
			_, found := p.Apply(group, state, config)
			text := texts(found)
			if len(found) != 1 || strings.Contains(text, "nevertheless") != (test.want != "") || !strings.Contains(text, test.want) {
				t.Errorf("want %q:\n%s", test.want, text)
			}
		})
	}
}

// Two resources must not have the same object. Neither an import block nor terraform
// import notices that.
func TestImport_ofAnObjectThatAnotherResourceHasWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	other := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	imports := func(p *acctest.Protocol, id string) *tfprotov6.DynamicValue {
		resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: group, ID: id})
		if err != nil {
			t.Fatal(err)
		}
		return resp.ImportedResources[0].State
	}
	state, _ := w.Protocol(t).Import(group, id, nil)
	refresh := func(p *acctest.Protocol, _ string) *tfprotov6.DynamicValue { return p.Dynamic(state) }
	for name, test := range map[string]struct {
		first, second func(*acctest.Protocol, string) *tfprotov6.DynamicValue
		id            string // of the second
		warns         bool
	}{
		"two imports":                {imports, imports, id, true},
		"a state and an import":      {refresh, imports, id, true},
		"an import and a state":      {imports, refresh, id, true},
		"a state twice":              {refresh, refresh, id, true},
		"imports of two objects":     {imports, imports, other, false},
		"a state and another import": {refresh, imports, other, false},
	} {
		p := w.Protocol(t)
		read := func(state *tfprotov6.DynamicValue) string {
			resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: group, CurrentState: state})
			if err != nil {
				t.Fatal(err)
			}
			return texts(resp.Diagnostics)
		}
		if text := read(test.first(p, id)); text != "" {
			t.Errorf("%s, first: %s", name, text)
		}
		text := read(test.second(p, test.id))
		if test.warns != strings.Contains(text, "WARNING: Two resources have the same tunnel group backend") || test.warns != strings.Contains(text, "tunnel group backend "+id) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A plan that changes or deletes an object through one of two resources that have it
// would undo what the other wants, or leave it without an object.
func TestPlan_ofAnObjectThatAnotherResourceHas(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`)
	state, _ := w.Protocol(t).Import(group, id, nil)
	other, _ := w.Protocol(t).Import(group, w.Create("/backends/tunnel_group", `{"labels":{"app":"web"}}`), nil)
	of := state.Type()
	kept := func(p *acctest.Protocol) tftypes.Value { return p.Kept(group, state) }
	changed := func(app string) func(*acctest.Protocol) tftypes.Value {
		return func(*acctest.Protocol) tftypes.Value {
			return acctest.FromJSON(of, map[string]any{"labels": map[string]any{"app": app}})
		}
	}
	deleted := func(*acctest.Protocol) tftypes.Value { return tftypes.NewValue(of, nil) }
	for name, test := range map[string]struct {
		first, second func(*acctest.Protocol) tftypes.Value
		state         tftypes.Value // of the second
		fails         bool
	}{
		"both keep it":                      {kept, kept, state, false},
		"one keeps, the other deletes it":   {kept, deleted, state, true},
		"one deletes, the other keeps it":   {deleted, kept, state, true},
		"one keeps, the other changes it":   {kept, changed("api"), state, true},
		"one changes, the other keeps it":   {changed("api"), kept, state, true},
		"both change it":                    {changed("api"), changed("shop"), state, true},
		"one changes, the other deletes":    {changed("api"), deleted, state, true},
		"both delete it":                    {deleted, deleted, state, false},
		"different objects":                 {kept, deleted, other, false},
		"different objects, both change":    {changed("api"), changed("shop"), other, false},
		"an object that is created anew":    {kept, kept, tftypes.NewValue(of, nil), false},
		"a change, and one of a new object": {changed("api"), changed("shop"), tftypes.NewValue(of, nil), false},
	} {
		p := w.Protocol(t)
		if text := texts(p.Plan(group, state, test.first(p)).Diagnostics); text != "" {
			t.Errorf("%s, first: %s", name, text)
		}
		text := texts(p.Plan(group, test.state, test.second(p)).Diagnostics)
		if test.fails != strings.Contains(text, "ERROR: Two resources have the same tunnel group backend") ||
			test.fails != strings.Contains(text, "tunnel group backend "+id) || !test.fails && text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A creation that finds the object of another resource must not advise to import it:
// then two resources would undo each other's changes.
func TestCreate_ofAnObjectThatAnotherResourceHas(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const kind = "tunnel_tls_edge_policy"
	keys := acctest.KindOf(t, kind).Create(t, w)
	state, _ := w.Protocol(t).Import(kind, keys["edge_id"], nil)
	p := w.Protocol(t)
	create := func() string {
		_, diags := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), p.Generated(kind, state))
		return texts(diags)
	}
	if text := create(); !strings.Contains(text, "terraform import") {
		t.Errorf("nobody has it: %s", text)
	}
	p.Read(kind, state, nil)
	if text := create(); !strings.Contains(text, "already has it, so do not import it") || strings.Contains(text, "terraform import") {
		t.Errorf("another resource has it: %s", text)
	}
}
