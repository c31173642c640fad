package provider_test

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
)

// TestAccLifecycle_everyAttribute creates each kind of object with and without
// each attribute, imports it, changes it at the service, updates it and clears
// it. The descriptions of the attributes say which changes replace the object.
// TestBehavior_everyKind does so at services that differ, without Terraform.
func TestAccLifecycle_everyAttribute(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	m := newMatrix(t, w)
	tf := w.Terraform(t, "")
	// On a busy machine, the test server takes long to make all RSA keys.
	provider := strings.Replace(tf.Read(t, "main.tf"), "provider \"tunnel\" {", "provider \"tunnel\" {\n  request_timeout = \"10m\"", 1)
	write := func(arguments func(*row) jsonArguments) {
		var text strings.Builder
		for _, r := range m.rows {
			text.WriteString(block(r.kind.Type, r.name, arguments(r)))
		}
		tf.Write(t, "main.tf", provider+text.String())
	}
	plan := func(step string, want func(*row) string) {
		t.Helper()
		planned := tf.PlannedActions(t)
		for _, r := range m.rows {
			if action := want(r); action != planned[r.address()] {
				t.Errorf("%s: planned is %q, want %q, to %s; see the samples in lifecycle_samples_test.go, such as those with clearedUpdates for a default in the schema",
					r.address(), planned[r.address()], action, step)
			} else if r.attribute != nil {
				m.cells[r.kind.Type]++
			}
		}
	}

	write((*row).first)
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	m.locate(tf)
	m.holds("create", (*row).first)
	w.ImportsPlanNoChange(t, m.imports())

	m.editByHand()
	plan("repair", func(r *row) string { return either(r.sample.outOfBand != nil, "update", "no-op") })
	tf.Apply(t, acctest.LastPlan)
	tf.ExpectNoChanges(t)
	m.holds("repair", (*row).first)

	write((*row).second)
	plan("update", (*row).updated)
	tf.Apply(t, acctest.LastPlan)
	tf.ExpectNoChanges(t)
	m.locate(tf)
	m.holds("update", (*row).second)

	write((*row).withoutAttribute)
	plan("clear", (*row).cleared)
	tf.Apply(t, acctest.LastPlan)
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
	for _, kind := range slices.Sorted(maps.Keys(m.cells)) {
		t.Logf("%s: %d cells", kind, m.cells[kind])
	}
}

// A matrix holds all attributes that can be configured.
type matrix struct {
	t     *testing.T
	w     *acctest.Env
	rows  []*row
	cells map[string]int // number of checks that passed, by kind
}

// A row is one attribute of one kind. A row without an attribute is an object
// with only the required attributes.
type row struct {
	kind      acctest.Kind
	attribute *tfprotov6.SchemaAttribute
	name      string
	required  jsonArguments
	sample    sample
	keys      map[string]string
}

func newMatrix(t *testing.T, w *acctest.Env) *matrix {
	t.Helper()
	m := &matrix{t: t, w: w, cells: map[string]int{}}
	schemas := acctest.NewProtocol(t).Schema.ResourceSchemas
	for _, kind := range acctest.Kinds {
		attributes, samples := schemas[kind.Type].Block.Attributes, samplesOf(t, w, kind)
		m.rows = append(m.rows, &row{kind: kind, name: "bare", required: required(t, w, kind, attributes)})
		for _, attribute := range attributes {
			if !attribute.Required && !attribute.Optional {
				continue
			}
			sample, ok := samples[attribute.Name]
			if !ok && attribute.Type.Is(tftypes.String) {
				sample, ok = sampleOf(attribute.Name, "first", "second", "by hand"), true
			} else if !ok && attribute.Type.Is(tftypes.Bool) {
				sample, ok = sampleOf(attribute.Name, false, true, true), true
				sample.second[attribute.Name] = nil // true is the default
			}
			if !ok {
				t.Errorf("%s.%s has no sample: add values to internal/acctest/samples.go, or to lifecycle_samples_test.go if it needs other attributes with it", kind.Type, attribute.Name)
				continue
			}
			m.rows = append(m.rows, &row{kind: kind, attribute: attribute, name: attribute.Name, required: required(t, w, kind, attributes), sample: sample})
		}
	}
	return m
}

func (r *row) address() string { return r.kind.Type + "." + r.name }

func (r *row) first() jsonArguments  { return merged(r.required, r.sample.first) }
func (r *row) second() jsonArguments { return merged(r.required, r.sample.second) }

func (r *row) withoutAttribute() jsonArguments {
	arguments := r.second()
	if r.attribute != nil && !r.attribute.Required {
		delete(arguments, r.attribute.Name)
	}
	return arguments
}

// updated returns the planned action for a new value.
func (r *row) updated() string {
	switch {
	case r.attribute == nil:
		return "no-op"
	case r.sample.updated != "":
		return r.sample.updated
	case r.attribute.WriteOnly, !strings.Contains(r.attribute.Description, "Can be updated in place"):
		return "replace"
	}
	return "update"
}

// cleared returns the planned action if the attribute is removed.
func (r *row) cleared() string {
	switch {
	case r.attribute == nil || r.attribute.Required || r.attribute.WriteOnly:
		return "no-op"
	case r.sample.clearing:
		return "update"
	case r.attribute.Computed && !isCollection(r.attribute.ValueType()): // the object keeps the value
		return "no-op"
	}
	return r.updated()
}

// isCollection reports whether a type has elements: the default of such an attribute is
// empty.
func isCollection(of tftypes.Type) bool {
	return of.Is(tftypes.List{}) || of.Is(tftypes.Map{})
}

// locate reads the keys of the objects from the state.
func (m *matrix) locate(tf *acctest.Terraform) {
	m.t.Helper()
	found := map[string]map[string]any{}
	for _, r := range tf.State(m.t).Values.RootModule.Resources {
		found[r.Address] = r.AttributeValues
	}
	for _, r := range m.rows {
		r.keys = map[string]string{}
		for _, key := range r.kind.Keys() {
			r.keys[key] = fmt.Sprint(found[r.address()][key])
		}
	}
}

func (m *matrix) imports() map[string]string {
	ids := map[string]string{}
	for _, r := range m.rows {
		ids[r.address()] = r.kind.ImportID(r.keys)
	}
	return ids
}

// holds expects the service to hold the configured values of attributes that it
// returns under the same name.
func (m *matrix) holds(step string, arguments func(*row) jsonArguments) {
	m.t.Helper()
	for _, r := range m.rows {
		if r.attribute == nil || r.attribute.NestedType != nil {
			continue
		}
		want, found := arguments(r)[r.name], m.w.Get(r.kind.At(r.keys))
		if got, answered := found[r.name]; answered && want != nil && comparable(want) != comparable(got) {
			m.t.Errorf("%s, after %s: the service holds %s, want %s", r.address(), step, comparable(got), comparable(want))
		} else if answered {
			m.cells[r.kind.Type]++
		}
	}
}

// editByHand changes values at the service, without Terraform.
func (m *matrix) editByHand() {
	for _, r := range m.rows {
		path := r.kind.At(r.keys)
		switch {
		case r.sample.outOfBand == nil:
		case r.kind.Module():
			body := merged(r.required, r.sample.outOfBand)
			for _, key := range r.kind.Keys() {
				delete(body, key)
			}
			m.w.Put(path, quoted(body))
		default:
			m.w.Edit(path, quoted(r.sample.outOfBand))
		}
	}
}

func merged(all ...jsonArguments) jsonArguments {
	into := jsonArguments{}
	for _, arguments := range all {
		maps.Copy(into, arguments)
	}
	return into
}

// comparable returns a JSON value as text, with sorted lists of strings.
func comparable(value any) string {
	text := quoted(value)
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil {
		slices.Sort(list)
		return quoted(list)
	}
	return text
}

func either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}
