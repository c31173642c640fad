package chaos

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// spellings are values, as decoded JSON, that a service may store in another
// form, by attribute. Null removes the attribute.
var spellings = map[string][]any{
	"description": {nil, "", " Changed by Terraform\n", `{"a": 1}`},
	"metadata":    {nil, "", " m ", "{\"a\": 1}\n", "[1, 2]"},
	"enabled":     {nil, true},
	"acl":         {nil, []any{"bind:Example.COM:443", "bind:Team=Red"}, []any{"bind:[2001:0DB8::1]:22", "bind:*.example.com"}},
	"principals":  {nil, []any{"Host.Example.com", "2001:0DB8:0::1"}},
	"hostports":   {nil, []any{"A.Example.com:443", "[2001:0DB8::1]:443"}},
	"labels":      {map[string]any{"Team": "Red", "a": "B"}},
	"headers":     {nil, map[string]any{"x-one": " a ", "content-type": "text/html"}},
	"body":        {nil, "", " page\n"},
	"domain":      {strings.ToUpper(testcert.Domain())},
	"valid_until": {time.Now().AddDate(0, 0, 200).Format("2006-01-02T15:04:05-07:00")},
	"inbound": {nil, []any{}, []any{
		map[string]any{"name": " n ", "expressions": []any{}, "actions": []any{map[string]any{"type": "restrict-ips", "config": `{"allow":["2001:0DB8::/32"],"deny":["10.0.0.0/8"]}`}}},
	}},
	"outbound": {nil, []any{}, []any{
		map[string]any{"expressions": []any{" conn.client_ip  ==\n'a' "}, "actions": []any{map[string]any{"type": "log", "config": `{"a":null,"metadata":{"b":null,"n":9007199254740993}}`}}},
	}},
}

// TestNormalizer_plansOnlyWhatDiffers creates, changes and destroys objects of
// every kind at a service that stores something other than what was sent. Every
// apply succeeds, and no state differs from its plan. The next plan changes
// exactly the attributes that the apply warned of. The destroy leaves nothing.
func TestNormalizer_plansOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	for _, kind := range acctest.Kinds {
		t.Run(kind.Type, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			_, arguments := kind.Configuration(t, w)
			others := w.Paths()
			var names []string
			for _, value := range testserver.Behaviors("values") {
				names = append(names, value.Name)
			}
			rapid.Check(t, func(rt *rapid.T) {
				for _, path := range w.Paths() { // of an attempt that failed
					if !slices.Contains(others, path) {
						w.ForceDelete(path)
					}
				}
				rules := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 20, rapid.ID).Draw(rt, "rules")
				w.SetBehavior(rules...)
				n := &normalized{simulator: newSimulator(t, w, nil), kind: kind, rt: rt}
				draw := func(name string, last int) int { return rapid.IntRange(0, last).Draw(rt, name) }
				n.apply("create", spelled(arguments, draw))
				n.apply("update", spelled(arguments, draw))
				n.apply("destroy", nil)
				if left := len(w.Paths()) - len(others); left > 0 {
					rt.Errorf("the destroy leaves %d objects", left)
				}
			})
			w.SetBehavior()
		})
	}
}

// spelled draws other values for some arguments. draw returns a number from 0
// to last.
func spelled(arguments map[string]tftypes.Value, draw func(name string, last int) int) map[string]tftypes.Value {
	drawn := maps.Clone(arguments)
	for _, name := range slices.Sorted(maps.Keys(spellings)) {
		if _, ok := arguments[name]; !ok {
			continue
		}
		if i := draw(name, len(spellings[name])); i > 0 {
			drawn[name] = acctest.FromJSON(arguments[name].Type(), spellings[name][i-1])
		}
	}
	return drawn
}

// normalized is the lifecycle of one object at a normalizing service.
type normalized struct {
	*simulator
	kind acctest.Kind
	rt   *rapid.T
}

// apply applies a configuration of one object, or of none if arguments is nil,
// and checks the plans after it.
func (n *normalized) apply(step string, arguments map[string]tftypes.Value) {
	config := map[string]resourceConfig{}
	if arguments != nil {
		config["a"] = resourceConfig{Type: n.kind.Type, Arguments: arguments}
	}
	delete(n.warnings, "a")
	for _, text := range n.Apply(config) {
		n.rt.Errorf("%s: %s", step, text)
	}
	warned := n.warned(step)
	unrefreshed, next := n.plan(config, false), n.plan(config, true)
	for _, text := range append(slices.Collect(maps.Values(unrefreshed.errors)), slices.Collect(maps.Values(next.errors))...) {
		n.rt.Errorf("plan after %s: %s", step, text)
	}
	for _, defect := range n.TakeDefects() {
		n.rt.Errorf("%s: %s", step, defect)
	}
	if len(unrefreshed.changes) > 0 {
		n.rt.Errorf("without a refresh, the plan after %s changes %v", step, unrefreshed.changes)
	}
	var differs []string
	for _, change := range next.changes {
		differs = change.differs
	}
	if !slices.Equal(differs, warned) {
		n.rt.Errorf("the plan after %s changes %v, the apply warned of %v", step, differs, warned)
	}
	if len(next.changes) > 0 && len(differs) == 0 {
		n.rt.Errorf("the plan after %s changes no configured attribute", step)
	}
}

const storedDifferently = "The service stored different values for the "

var warningLine = regexp.MustCompile(`(?m)^  ([a-z_]+)[^:\n]*: planned `)

// warned returns the attributes of which the last apply said that the service
// stored another value.
func (n *normalized) warned(step string) []string {
	var found []string
	for _, d := range n.warnings["a"] {
		if d.Severity != tfprotov6.DiagnosticSeverityWarning || !strings.HasPrefix(d.Summary, storedDifferently) {
			continue
		}
		if len(found) > 0 {
			n.rt.Errorf("%s has several warnings", step)
		}
		found = attributesIn(d.Detail)
	}
	return found
}

// attributesIn returns the sorted attributes that a warning names.
func attributesIn(warning string) []string {
	var found []string
	for _, line := range warningLine.FindAllStringSubmatch(warning, -1) {
		found = append(found, line[1])
	}
	slices.Sort(found)
	return slices.Compact(found)
}
