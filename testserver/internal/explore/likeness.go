package explore

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
)

// withoutPlan lets what an undisturbed run changes count as planned, for a command that
// has no plan. Its resources are the objects; records give names to new ones.
func (j *Judge) withoutPlan(records []Record) {
	j.Plan, j.Held, j.HeldAfter = &Planned{}, map[string]string{}, map[string]string{}
	all := maps.Clone(j.After)
	maps.Copy(all, j.Before)
	for id := range all {
		if j.Before[id] != nil {
			j.Held[id] = id
		}
		if j.After[id] != nil {
			j.HeldAfter[id] = id
		}
		if !reflect.DeepEqual(j.Before[id], j.After[id]) {
			j.Plan.text += asJSON(id)
			j.Plan.Changes++
		}
	}
	number := map[string]int{}
	for _, record := range records {
		if kind := path.Base(record.Path); record.Created != "" {
			number[kind]++
			j.HeldAfter[record.Created] = fmt.Sprintf("%s.%d", kind, number[kind])
		}
	}
}

// alike compares an account with that after the undisturbed run. It returns the names of
// the objects that are the same, by id, and of those that are missing or differ.
func (j *Judge) alike(now Account) (same map[string]string, differs []string) {
	same, wanted := map[string]string{}, map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(j.After)) {
		form := j.form(id, j.After[id])
		wanted[form] = append(wanted[form], j.HeldAfter[id])
	}
	ids := slices.Sorted(maps.Keys(now))
	for _, id := range slices.Backward(ids) { // the newest first: a later run does not know those of an interrupted one
		form := j.form(id, now[id])
		if names := wanted[form]; len(names) > 0 {
			same[id], wanted[form] = names[0], names[1:]
		} else if j.Before[id] != nil && j.After[id] != nil {
			same[id] = id // and among those that differ
		}
	}
	for _, names := range wanted {
		differs = append(differs, names...)
	}
	slices.Sort(differs)
	return same, differs
}

// form returns what an object has in common with that of another run, in which values
// differ: its kind and which of its members are set. Of an object that existed before, it
// is also which of them have changed.
func (j *Judge) form(id string, object map[string]any) string {
	kind, _, _ := strings.Cut(id, "_")
	old, existed := j.Before[id]
	if existed {
		kind = id
	}
	var set []string
	for member, value := range object {
		if existed && !reflect.DeepEqual(value, old[member]) {
			member += " changed"
		}
		if !empty(value) {
			set = append(set, member)
		}
	}
	slices.Sort(set)
	return kind + " " + strings.Join(set, " ")
}

func asJSON(value any) string {
	text, _ := json.Marshal(value) // it was decoded from JSON
	return string(text)
}

// empty reports whether a member is not set.
func empty(value any) bool { return slices.Contains([]string{"null", `""`, "[]", "{}"}, asJSON(value)) }
