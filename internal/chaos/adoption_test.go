package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// adoptedTexts are texts that somebody may have stored: boundaries of length,
// other scripts, control characters, HCL templates, and texts that are JSON.
var adoptedTexts = []string{
	"", " ", "x", "null", "true", "12", `"quoted"`, "with\nlines\n", "\r\n\ttabs", "\u0001\u001b[31m", "${var.a} %{if true}", `back\slash`,
	"Zoë 日本語 🙂", "\u202eright to left", strings.Repeat("a", 255), strings.Repeat("é", 500),
	`{}`, `[]`, `{"a":1}`, `[1, 2]`, `{ "b" : [] }`, `{"b":2,"a":1}`, ` {"a": "x"} `, "{\n  \"a\": {\"b\": null}\n}", `[{"a":1.50}, 1e2, 12345678901234567890]`,
	`{"a":1,"a":2}`, `{"<b>":"&"}`, `["\u00e9", "é"]`, `{a}`, `[x`,
}

// adoptedFields are members of a request body that can have any text. Others
// have formats.
var adoptedFields = []string{"body", "description", "metadata", "name", "headers", "labels", "principals", "match"}

// adopted is a stored object.
type adopted struct {
	kind   acctest.Kind
	id     string // for the import
	change string // what it has instead of its usual value
}

// storeAll creates objects of every kind as a service may have stored them in
// the past: one for each text, in all fields that can have it, and one without each field
// that can be omitted.
func storeAll(t *testing.T, w *acctest.Env, texts []string) []adopted {
	t.Helper()
	var all []adopted
	for _, kind := range acctest.Kinds {
		store := func(body map[string]any, change string) {
			keys := kind.Parents(t, w)
			content, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			names := kind.Keys()
			last := names[len(names)-1]
			switch {
			case kind.Module():
				w.ForcePut(kind.At(keys), string(content))
			case body[last] != nil: // a natural key
				w.ForceCreate(kind.ListPath(keys), string(content))
				keys[last] = fmt.Sprint(body[last])
			default:
				keys[last] = w.ForceCreate(kind.ListPath(keys), string(content))
			}
			all = append(all, adopted{kind, kind.ImportID(keys), change})
		}
		store(kind.Body(t, w), "nothing")
		for _, name := range slices.Sorted(maps.Keys(kind.Body(t, w))) {
			if slices.Contains([]string{"description", "metadata", "acl", "principals", "hostports", "headers", "labels", "destination_ids", "inbound", "outbound", "enabled", "status_code"}, name) {
				body := kind.Body(t, w)
				delete(body, name)
				store(body, "no "+name)
			}
		}
		for _, text := range texts {
			body, changed := plain(t, kind.Body(t, w)), false
			if withText(body, "", text, &changed); changed {
				store(body, fmt.Sprintf("%.40q in each field", text))
			}
		}
	}
	return all
}

// plain returns a body as decoded JSON.
func plain(t *testing.T, body map[string]any) map[string]any {
	t.Helper()
	content, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	var decoded map[string]any
	if err := json.Unmarshal(content, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

// withText returns a value of a body with a text in all fields that can have it. Even an
// old route matches a path, and no service holds another form than the contract states of
// hostports, ACL rules and expressions.
func withText(value any, path, text string, changed *bool) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = withText(member, path+"/"+name, text, changed)
		}
	case []any:
		for i, element := range value {
			value[i] = withText(element, path, text, changed)
		}
	case string:
		names := strings.Split(path, "/")
		adopts := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(adoptedFields, name) })
		if adopts && (text != "" || names[len(names)-1] != "match") {
			*changed = true
			return text
		}
	}
	return value
}

// TestAdoption_everyObjectPlansNoChange imports every object with the
// configuration that Terraform generates, on the default server and with
// other behavior. With -soak, it takes more seeds.
func TestAdoption_everyObjectPlansNoChange(t *testing.T) {
	t.Parallel()
	type service struct {
		options []testserver.Option
		texts   []string
	}
	services, seeds := map[string]service{"default": {nil, adoptedTexts}}, uint64(1)
	if *soak {
		seeds = 8
	}
	for seed := range seeds {
		services[fmt.Sprint("seed ", seed)] = service{[]testserver.Option{testserver.WithBehavior(fmt.Sprint("seed=", seed))}, adoptedTexts[:8]}
	}
	for name, service := range services {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, service.options...)
			all := storeAll(t, w, service.texts)
			w.ResetStats()
			p := w.Protocol(t)
			counts := map[string]int{}
			for _, object := range all {
				counts[object.kind.Type]++
				state, _ := p.Import(object.kind.Type, object.id, nil)
				for version, config := range map[string]tftypes.Value{"1.11": p.Kept(object.kind.Type, state), "1.14": p.Generated(object.kind.Type, state)} {
					plan := p.Plan(object.kind.Type, state, config)
					diagnostics := append(p.Validate(object.kind.Type, p.Attributes(config)), plan.Diagnostics...)
					for _, d := range diagnostics {
						if d.Severity == tfprotov6.DiagnosticSeverityError {
							t.Errorf("%s with %s, Terraform %s: %s: %s (%s)", object.kind.Type, object.change, version, d.Summary, d.Detail, d.Attribute)
						}
					}
					if planned := p.Value(p.Type(object.kind.Type), plan.PlannedState); !planned.Equal(state) || len(plan.RequiresReplace) > 0 {
						diff, _ := state.Diff(planned)
						t.Errorf("%s with %s, Terraform %s: planned %v, replaced for %v", object.kind.Type, object.change, version, diff, plan.RequiresReplace)
					}
				}
			}
			for endpoint, n := range w.Stats().Requests {
				if !strings.HasPrefix(endpoint, "GET ") {
					t.Errorf("%d times %s was sent", n, endpoint)
				}
			}
			t.Logf("%d objects: %v", len(all), counts)
		})
	}
}

// TestAccAdoption_realTerraform imports a sample of these objects with real Terraform,
// whose config generator writes texts that are JSON as jsonencode(...).
func TestAccAdoption_realTerraform(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	all := storeAll(t, w, []string{
		`{"b":2,"a":1}`, `[{"a":1.50}, 1e2, 12345678901234567890]`, `{ "b" : [] }`,
		"{\n  \"a\": {\"b\": null}\n}", "${var.a}\u0001\r\n日本語 e\u0301",
	})
	ids := map[string]string{}
	for i, object := range all {
		ids[fmt.Sprintf("%s.a%d", object.kind.Type, i)] = object.id
	}
	w.ResetStats()
	w.ImportsPlanNoChange(t, ids)
	for endpoint, n := range w.Stats().Requests {
		if !strings.HasPrefix(endpoint, "GET ") {
			t.Errorf("%d times %s was sent", n, endpoint)
		}
	}
	t.Logf("%d objects", len(ids))
}
