package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	diff "github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// HoldsJSON returns a check that an object at the service has the members of a
// JSON object.
func (w *Env) HoldsJSON(path, object string) resource.TestCheckFunc {
	return w.HoldsAt(func() string { return path }, Members(object))
}

// HoldsAt returns a check that an object at the service has the given field
// values.
func (w *Env) HoldsAt(path func() string, want map[string]any) resource.TestCheckFunc {
	return func(*terraform.State) error { return w.Holds(path(), want) }
}

// Set is a list of strings whose order is not significant.
type Set []string

// Holds returns an error if an object at the service does not have the given
// field values.
func (w *Env) Holds(path string, want map[string]any) error {
	got := w.Get(path)
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		wanted, found := want[name], got[name]
		switch value := wanted.(type) {
		case Set:
			wanted, found = sorted(texts(value)), sorted(texts(found))
		case []string:
			wanted, found = texts(value), texts(found)
		case map[string]string:
			wanted = make(map[string]any)
			for key, text := range value {
				wanted.(map[string]any)[key] = text
			}
		}
		if difference := diff.Diff(wanted, found); difference != "" {
			wrong = append(wrong, fmt.Sprintf("%s (-want +got):\n%s", name, difference))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s: %s", path, strings.Join(wrong, "\n"))
	}
	return nil
}

// Members returns the members of a JSON object.
func Members(object string) map[string]any {
	var members map[string]any
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		panic(fmt.Sprintf("%s: %s", object, err))
	}
	return members
}

// texts converts lists in tests and in decoded JSON to the same type.
func texts(value any) []string {
	list := []string{}
	switch value := value.(type) {
	case Set:
		list = append(list, value...)
	case []string:
		list = append(list, value...)
	case []any:
		for _, element := range value {
			list = append(list, fmt.Sprint(element))
		}
	}
	return list
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}
