package provider_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestImport_referencesInOtherForms imports an object of every kind from a service that
// shows references in another form, or not at all. A plan replaces nothing, and changes
// nothing if the response contains the IDs.
func TestImport_referencesInOtherForms(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		one  func(reference any) any      // what is shown instead of an object with id and uri, or of an ID
		many func(references []any) []any // instead of a list of them
		kept bool
	}{
		"null in lists":  {many: with(nil), kept: true},
		"no ID in lists": {many: with(map[string]any{}, map[string]any{"id": nil, "uri": "u"}, map[string]any{"id": ""}, ""), kept: true},
		"the ID alone in lists": {many: func(all []any) []any {
			for i, reference := range all {
				if shown, ok := reference.(map[string]any); ok {
					all[i] = shown["id"]
				}
			}
			return all
		}, kept: true},
		"null":  {one: func(any) any { return nil }, many: with()},
		"no ID": {one: func(reference any) any { return ifObject(reference, map[string]any{"id": nil, "uri": "u"}) }},
		"empty": {one: func(reference any) any { return ifObject(reference, map[string]any{}) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			p, other := w.Protocol(t), acctest.NewProtocol(t)
			tried, warned := 0, false
			front := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
				recorded := httptest.NewRecorder()
				w.ServeHTTP(recorded, r)
				maps.Copy(out.Header(), recorded.Header())
				out.Header().Del("Content-Length")
				var shown any
				if json.Unmarshal(recorded.Body.Bytes(), &shown) != nil {
					t.Errorf("%s %s: %s", r.Method, r.URL, recorded.Body)
				}
				changed, err := json.Marshal(inOtherForms(shown, test.one, test.many, &tried))
				if err != nil {
					t.Error(err)
				}
				out.WriteHeader(recorded.Code)
				_, _ = out.Write(changed)
			}))
			t.Cleanup(front.Close)
			other.Configure(map[string]tftypes.Value{"base_url": acctest.Text(front.URL), "api_key": acctest.Text(w.AdminKey)})
			for _, kind := range acctest.Kinds {
				id := kind.ImportID(kind.Create(t, w))
				is, _ := p.Import(kind.Type, id, nil)
				shown, _ := other.Import(kind.Type, id, nil)
				plan := other.Plan(kind.Type, shown, p.Kept(kind.Type, is))
				planned := p.Value(p.Type(kind.Type), plan.PlannedState)
				for _, d := range plan.Diagnostics {
					warned = warned || strings.Contains(d.Detail, "The response of the service does not contain")
				}
				if len(plan.RequiresReplace) > 0 || test.kept && !planned.Equal(shown) {
					t.Errorf("%s: replaced for %v: from %s to %s", kind.Type, plan.RequiresReplace, shown, planned)
				}
			}
			if warned == test.kept {
				t.Errorf("warned of a missing reference: %t", warned)
			}
			if tried < 3 {
				t.Errorf("only %d references were changed", tried)
			}
		})
	}
}

func ifObject(reference, instead any) any {
	if _, ok := reference.(map[string]any); ok {
		return instead
	}
	return reference
}

func with(more ...any) func([]any) []any {
	return func(references []any) []any { return append(references, more...) }
}

var someID = regexp.MustCompile(`^[a-z]+_[0-9A-Za-z]{27}$`)

// inOtherForms returns a response in which references are changed. A member is a
// reference if it is an object with id and uri, or an ID and its name is not id.
func inOtherForms(shown any, one func(any) any, many func([]any) []any, tried *int) any {
	switch shown := shown.(type) {
	case []any:
		references := len(shown) > 0
		for i, item := range shown {
			references = references && isReference(item, "")
			shown[i] = inOtherForms(item, one, many, tried)
		}
		if references && many != nil {
			*tried++
			return many(shown)
		}
	case map[string]any:
		for member, value := range shown {
			if isReference(value, member) && one != nil && member != "edge_id" { // the path names it
				*tried++
				shown[member] = one(value)
			} else if !isReference(value, member) {
				shown[member] = inOtherForms(value, one, many, tried)
			}
		}
	}
	return shown
}

func isReference(value any, name string) bool {
	switch value := value.(type) {
	case string:
		return someID.MatchString(value) && (name == "" || strings.HasSuffix(name, "_id") && name != "before_id")
	case map[string]any:
		return len(value) == 2 && value["id"] != nil && value["uri"] != nil
	}
	return false
}
