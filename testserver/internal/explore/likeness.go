package explore

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// undisturbed returns the judge of a command that has no plan: what an undisturbed run
// changes counts as planned. Its resources are the objects before the run.
func undisturbed(before, after Account) Judge {
	plan := &Planned{names: map[string]bool{}, kept: map[string]bool{}}
	j := Judge{Plan: plan, Before: before, After: after, Held: map[string]string{}, HeldAfter: map[string]string{}}
	for id, object := range before {
		j.Held[id] = id
		if after[id] != nil {
			j.HeldAfter[id], plan.kept[id] = id, true
		}
		if !reflect.DeepEqual(object, after[id]) {
			plan.names[id] = true
			plan.Changes++
		}
	}
	for id := range after {
		if before[id] == nil {
			plan.Changes++
		}
	}
	return j
}

// likeness compares accounts with that after an undisturbed run. Values differ in each
// run, so objects are told apart by their kinds and by which of their members are set.
// Only those that are the same after two undisturbed runs are compared as a whole.
type likeness struct {
	lasting map[string]bool     // ids of the objects before and after the run
	same    map[string]bool     // ids of the objects that are the same after each run
	wanted  map[string][]string // names of the objects after the run, by their forms
}

// newLikeness compares two undisturbed runs. names are those of the objects of the first.
func newLikeness(before, one, two Account, names map[string]string) (*likeness, error) {
	l := &likeness{map[string]bool{}, map[string]bool{}, map[string][]string{}}
	for id, object := range one {
		l.lasting[id], l.same[id] = before[id] != nil, reflect.DeepEqual(object, two[id])
	}
	for _, id := range slices.Sorted(maps.Keys(one)) {
		form := l.form(id, one[id])
		l.wanted[form] = append(l.wanted[form], cmp.Or(names[id], id))
	}
	if same, differs := l.compare(two); len(differs) > 0 || len(same) < len(two) {
		return nil, errors.New("two runs of the command from the same account leave different objects: " +
			"explore needs a command that does the same each time")
	}
	return l, nil
}

// compare returns the names of the objects that are as after the undisturbed run, by id,
// and the names of those that are missing or differ.
func (l *likeness) compare(now Account) (same map[string]string, differs []string) {
	same, left := map[string]string{}, maps.Clone(l.wanted)
	ids := slices.Sorted(maps.Keys(now))
	for _, id := range slices.Backward(ids) { // the newest first: a later run does not know those of an interrupted one
		form := l.form(id, now[id])
		if names := left[form]; len(names) > 0 {
			same[id], left[form] = names[0], names[1:]
		} else if l.lasting[id] {
			same[id] = id // and among those that differ
		}
	}
	for _, names := range left {
		differs = append(differs, names...)
	}
	slices.Sort(differs)
	return same, differs
}

func asJSON(value any) string {
	text, _ := json.Marshal(value) // it was decoded from JSON
	return string(text)
}

// empty reports whether a member is not set.
func empty(value any) bool { return slices.Contains([]string{"null", `""`, "[]", "{}"}, asJSON(value)) }

// form returns what an object has in common with that of another run.
func (l *likeness) form(id string, object map[string]any) string {
	kind, _, _ := strings.Cut(id, "_")
	var set []string
	for member, value := range object {
		if l.same[id] {
			member += asJSON(value)
		}
		if !empty(value) {
			set = append(set, member)
		}
	}
	slices.Sort(set)
	return kind + " " + strings.Join(set, " ")
}
