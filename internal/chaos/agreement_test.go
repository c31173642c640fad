package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// stateObject is one object in a state.
type stateObject struct {
	address string
	path    string // API path
	values  map[string]any
}

// state returns the objects in the state by API path. It fails the test if two
// resources have the same path.
func (tf *terraform) state() map[string]stateObject {
	tf.t.Helper()
	var state struct {
		Resources []struct {
			Type, Name string
			Instances  []struct {
				Key        any            `json:"index_key"`
				Attributes map[string]any `json:"attributes"`
			}
		}
	}
	text := tf.StateFile(tf.t)
	if err := json.Unmarshal([]byte(text), &state); text != "" && err != nil {
		tf.t.Fatal(err)
	}
	held := map[string]stateObject{}
	for _, resource := range state.Resources {
		for _, instance := range resource.Instances {
			keys := map[string]string{}
			for name, value := range instance.Attributes {
				if text, ok := value.(string); ok {
					keys[name] = text
				}
			}
			path := acctest.KindOf(tf.t, resource.Type).At(keys)
			h := stateObject{fmt.Sprintf("%s.%s[%v]", resource.Type, resource.Name, instance.Key), path, instance.Attributes}
			if other, twice := held[path]; twice {
				tf.t.Errorf("%s and %s are both %s", other.address, h.address, path)
			}
			held[path] = h
		}
	}
	return held
}

// created returns the paths of all objects at the service that did not exist
// before the estate.
func (e *estate) created(w *acctest.Env) map[string]bool {
	found := map[string]bool{}
	for _, path := range w.Paths() {
		found[path] = !e.before[path]
	}
	maps.DeleteFunc(found, func(_ string, created bool) bool { return !created })
	return found
}

// agreement is the result of comparing the state with the service.
type agreement struct {
	objects    int      // number of objects at the service
	orphans    []string // at the service, but not in the state
	missing    []string // in the state, but not at the service
	mismatches []string // fields with different values
}

func (a *agreement) perfect(size int) bool {
	return a.objects == size && len(a.orphans)+len(a.missing)+len(a.mismatches) == 0
}

func (a *agreement) String() string {
	return fmt.Sprintf("%d objects, %d orphans %v, %d missing %v, %d mismatches\n%s", a.objects, len(a.orphans), a.orphans,
		len(a.missing), a.missing, len(a.mismatches), strings.Join(a.mismatches, "\n"))
}

// agreement compares each field in the state and at the service.
func (e *estate) agreement(w *acctest.Env, tf *terraform) *agreement {
	tf.t.Helper()
	held, there := tf.state(), e.created(w)
	a := &agreement{objects: len(there)}
	for _, path := range slices.Sorted(maps.Keys(there)) {
		h, ok := held[path]
		if !ok {
			a.orphans = append(a.orphans, path)
			continue
		}
		object := w.Get(path)
		for name, value := range object {
			if stated, ok := h.values[name]; ok {
				if diff := cmp.Diff(normalize(value), normalize(stated)); diff != "" {
					a.mismatches = append(a.mismatches, fmt.Sprintf("%s %s (-service +state):\n%s", h.address, name, diff))
				}
			}
		}
	}
	for path := range held {
		if !there[path] {
			a.missing = append(a.missing, path)
		}
	}
	return a
}

// normalize brings a value to a canonical form: empty values become nil,
// strings with JSON are decoded, times are in UTC, strings have no surrounding
// white space, and lists are sorted.
func normalize(value any) any {
	switch value := value.(type) {
	case string:
		var object map[string]any
		if strings.HasPrefix(value, "{") && json.Unmarshal([]byte(value), &object) == nil {
			return normalize(object)
		}
		if instant, err := time.Parse(time.RFC3339, value); err == nil {
			return instant.UTC().Format(time.RFC3339Nano)
		}
		if value = strings.TrimSpace(value); value == "" {
			return nil
		}
		return value
	case map[string]any:
		members := map[string]any{}
		for name, member := range value {
			if member = normalize(member); member != nil {
				members[name] = member
			}
		}
		if len(members) == 0 {
			return nil
		}
		return members
	case []any:
		if len(value) == 0 {
			return nil
		}
		elements := make([]any, len(value))
		for i, element := range value {
			elements[i] = normalize(element)
		}
		slices.SortStableFunc(elements, func(a, b any) int { return strings.Compare(sortKey(a), sortKey(b)) })
		return elements
	}
	return value
}

func sortKey(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return ""
}
