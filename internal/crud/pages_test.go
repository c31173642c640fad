package crud_test

import (
	"encoding/json"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// The contract does not say that an edge or a route shows its modules. A list that
// trusts a parent without them would be empty, and nobody would notice. Parents may also
// show modules that are not set, or that have the defaults, as empty objects. The module
// itself says which.
func TestDataSources_modulesThatParentsDoNotShow(t *testing.T) {
	t.Parallel()
	n := startNormalizer(t)
	modules := 0
	for _, kind := range acctest.Kinds {
		if !kind.Module() {
			continue
		}
		modules++
		keys := kind.Create(t, n.Env)
		kind.Parents(t, n.Env) // a parent without the module
		shown := acctest.JSON(t, n.protocol(t).DataSource(kind.TypeOfMany, nil))
		p := n.protocol(t)
		for name, change := range map[string]func(parent object, member string){
			"not": func(parent object, member string) { delete(parent, member) },
			"those that are not set as {}": func(parent object, member string) {
				if parent[member] == nil {
					parent[member] = object{}
				}
			},
			"all as {}": func(parent object, member string) { parent[member] = object{} },
		} {
			n.set(func(_ string, o object) bool {
				eachModule(o, change)
				return true
			})
			p = n.protocol(t)
			if found := acctest.JSON(t, p.DataSource(kind.TypeOfMany, nil)); quoted(t, shown) != quoted(t, found) || !strings.Contains(quoted(t, found), keys["edge_id"]) {
				t.Errorf("%s, parents show %s: %s\nwant %s", kind.TypeOfMany, name, quoted(t, found), quoted(t, shown))
			}
			if listed := p.List(kind.Type, 0, nil); len(listed) != strings.Count(quoted(t, shown), `"enabled"`) {
				t.Errorf("%s, parents show %s: listed %v", kind.Type, name, listed)
			}
		}
		in := map[string]tftypes.Value{"edge_id": acctest.Text(keys["edge_id"])}
		if one := quoted(t, acctest.JSON(t, p.DataSource(kind.TypeOfMany, in))); strings.Count(one, `"enabled"`) != 1 {
			t.Errorf("%s in one edge: %s", kind.TypeOfMany, one)
		}
		if listed := p.List(kind.Type, 0, nil); !slices.ContainsFunc(listed, func(l acctest.Listed) bool { return l.Keys["edge_id"] == keys["edge_id"] }) {
			t.Errorf("%s: listed %v, want %v", kind.Type, listed, keys)
		}
		route := regexp.MustCompile(`\{\w+\}(/\w+)$`).ReplaceAllString(kind.ObjectPath(), "{id}$1")
		n.SetRules(testserver.Rule{Behavior: "500", Method: http.MethodGet, Route: route})
		p = acctest.NewProtocol(t)
		p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(n.url), "api_key": acctest.Text(n.AdminKey), "max_retries": acctest.Number(0)})
		if _, found := p.TryDataSource(kind.TypeOfMany, nil); !strings.Contains(texts(found), "500 Internal Server Error") {
			t.Errorf("%s: want the error of the module that cannot be read: %s", kind.TypeOfMany, texts(found))
		}
		n.SetRules()
		n.set(func(string, object) bool { return true })
	}
	if modules < 5 {
		t.Errorf("%d kinds of modules", modules)
	}
}

// eachModule calls change for each module that an edge or a route can have, in a list or
// alone.
func eachModule(value any, change func(parent object, member string)) {
	switch value := value.(type) {
	case map[string]any:
		for _, kind := range acctest.Kinds {
			member := path.Base(kind.Path)
			if kind.Module() && value["id"] != nil && (value["hostports"] != nil || value["match"] != nil) {
				change(value, member)
			}
		}
		for _, member := range value {
			eachModule(member, change)
		}
	case []any:
		for _, element := range value {
			eachModule(element, change)
		}
	}
}

func quoted(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
