package explore

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestActor_acts acts while requests are held.
func TestActor_acts(t *testing.T) {
	t.Parallel()
	const account = `{"objects": [
		{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"a": "b"}}},
		{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_two", "labels": {"a": "b"}}},
		{"path": "/edges/tls", "body": {"id": "edgtls_one", "description": "old", "backend": {"backend_id": "bkdtg_one"}}}]}`
	const edge, backend = "/edges/tls/edgtls_one", "/edges/tls/edgtls_one/backend"
	for name, test := range map[string]struct {
		act          Kind
		method, path string
		body         string
		want         string // ids of what is changed; empty if the service refuses
		edited       string
	}{
		"deletes the object":         {Deletes, http.MethodPatch, edge, `{}`, "edgtls_one", ""},
		"deletes none in use":        {Deletes, http.MethodPatch, "/backends/tunnel_group/bkdtg_one", `{}`, "", ""},
		"deletes none of a list":     {Deletes, http.MethodGet, "/edges/tls", "", "", ""},
		"deletes around it":          {DeletesReferred, http.MethodGet, backend, "", "edgtls_one", ""},
		"deletes what it refers to":  {DeletesReferred, http.MethodPut, backend, `{"backend_id": "bkdtg_two"}`, "edgtls_one", ""},
		"deletes what is to be used": {DeletesReferred, http.MethodPost, "/edges/tls", `{"backend": {"backend_id": "bkdtg_two"}}`, "bkdtg_two", ""},
		"deletes what is to be set":  {DeletesReferred, http.MethodPatch, edge, `{"backend": {"backend_id": "bkdtg_two"}}`, "bkdtg_two", ""},
		"edits what is planned":      {EditsPlanned, http.MethodPatch, edge, `{"description": "new"}`, "edgtls_one", "description"},
		"edits another":              {EditsOther, http.MethodPatch, edge, `{"description": "new", "metadata": ""}`, "edgtls_one", "metadata"},
		"edits a module":             {EditsOther, http.MethodPut, backend, `{"enabled": true, "backend_id": "bkdtg_two"}`, "edgtls_one", "enabled"},
		"sends it too":               {Twin, http.MethodPost, "/reserved_addrs", `{}`, "new", ""},
		"sends nothing invalid":      {Twin, http.MethodPost, "/backends/tunnel_group", `{"labels": 1}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &actor{server: testserver.New(), act: test.act}
			if err := a.server.Seed([]byte(account)); err != nil {
				t.Fatal(err)
			}
			h := held{Record: Record{Method: test.method, Path: test.path, Body: []byte(test.body)}}
			h.was, _ = a.get(h.Path)
			a.do(h)
			var changed []string
			for _, id := range slices.Sorted(maps.Keys(a.after)) {
				if a.before[id] == nil {
					changed = append(changed, "new")
				}
			}
			for id := range a.before {
				if a.touched(id) {
					changed = append(changed, id)
				}
			}
			edited := ""
			if a.edited != nil {
				edited = a.edited.member
			}
			if got := strings.Join(changed, ","); a.err != nil || got != test.want || edited != test.edited || a.acted() != (test.want != "") {
				t.Errorf("%v: changed %q and the member %q, want %q and %q", a.err, got, edited, test.want, test.edited)
			}
		})
	}
}

// TestActor_judge has objects of somebody else, and an edit that is undone.
func TestActor_judge(t *testing.T) {
	t.Parallel()
	server := testserver.New()
	if err := server.Seed([]byte(`{"objects": [{"path": "/edges/tls", "body": {"id": "edgtls_one"}}]}`)); err != nil {
		t.Fatal(err)
	}
	object, changed := map[string]any{"id": "x"}, map[string]any{"id": "x", "metadata": "x"}
	lost := &edit{path: "/edges/tls/edgtls_one", member: "metadata", value: "by somebody else"}
	for name, test := range map[string]struct {
		actor actor
		now   Account
		held  string
		said  bool
		want  Found
	}{
		"its object stays":        {actor{act: Twin}, Account{"x": object}, "", false, Found{}},
		"its object is imported":  {actor{act: Twin}, Account{"x": changed}, "x", false, Found{}},
		"its object is changed":   {actor{act: Twin}, Account{"x": changed}, "", false, Found{Unplanned: []string{"x"}}},
		"its object is deleted":   {actor{act: Twin}, Account{}, "", false, Found{Unplanned: []string{"x"}}},
		"two pipelines":           {actor{act: Second, known: map[string]string{"x": "tunnel_tls_edge.x"}}, Account{"x": object}, "", false, Found{Twice: []Object{{"tunnel_tls_edge.x", "x"}}}},
		"two pipelines, imported": {actor{act: Saved, known: map[string]string{"x": "tunnel_tls_edge.x"}}, Account{"x": object}, "x", false, Found{}},
		"undone":                  {actor{act: EditsOther, edited: lost}, Account{"x": object}, "x", false, Found{Undone: "metadata"}},
		"undone as a plan says":   {actor{act: EditsOther, edited: lost}, Account{"x": object}, "x", true, Found{}},
	} {
		a, f, held := test.actor, &Found{}, map[string]string{test.held: "tunnel_tls_edge.x"}
		a.server, a.before, a.after = server, Account{}, Account{"x": object}
		if a.known == nil {
			a.known = map[string]string{"x": "x"}
		}
		names := map[string]string{"edgtls_one": "tunnel_tls_edge.one"}
		a.judge(f, &Judge{Plan: &Planned{}}, test.now, held, names, map[string]bool{"tunnel_tls_edge.one": test.said})
		if len(f.Unplanned) != len(test.want.Unplanned) || !slices.Equal(f.Twice, test.want.Twice) || !strings.HasPrefix(f.Undone, test.want.Undone) ||
			(f.Undone == "") != (test.want.Undone == "") {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
