package explore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
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

// likeness compares accounts with that after an undisturbed run. New objects have other
// ids, times and generated values in each run.
type likeness struct {
	before, after Account
	varies        map[string]bool     // members with generated values, such as "sshca.public_key"
	wanted        map[string][]string // names of the objects after the run, by their form
}

// newLikeness learns from two undisturbed runs what is the same in each run. names are
// those of the objects of the first.
func newLikeness(before, one, two Account, names map[string]string) (*likeness, error) {
	l := &likeness{before, one, map[string]bool{}, map[string][]string{}}
	first, second := l.values(one), l.values(two)
	for _, values := range []map[string][]string{first, second} {
		for member := range values {
			l.varies[member] = !slices.Equal(first[member], second[member])
		}
	}
	forms := l.forms(one)
	for _, id := range slices.Sorted(maps.Keys(forms)) {
		l.wanted[forms[id]] = append(l.wanted[forms[id]], cmp.Or(names[id], id))
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
	same, left, forms := map[string]string{}, maps.Clone(l.wanted), l.forms(now)
	ids := slices.Sorted(maps.Keys(forms))
	for _, id := range slices.Backward(ids) { // the newest first: a later run does not know those of an interrupted one
		if names := left[forms[id]]; len(names) > 0 {
			same[id], left[forms[id]] = names[0], names[1:]
		} else if l.before[id] != nil && l.after[id] != nil {
			same[id] = id // and among those that differ
		}
	}
	for _, names := range left {
		differs = append(differs, names...)
	}
	slices.Sort(differs)
	return same, differs
}

// values returns all values of each member of each kind, sorted.
func (l *likeness) values(a Account) map[string][]string {
	all := map[string][]string{}
	for id, members := range l.members(a) {
		for member, value := range members {
			name := kindOf(id) + "." + member
			all[name] = append(all[name], value)
		}
	}
	for _, values := range all {
		slices.Sort(values)
	}
	return all
}

// forms returns the form of each object by id: its members without those that vary.
func (l *likeness) forms(a Account) map[string]string {
	forms := map[string]string{}
	for id, members := range l.members(a) {
		maps.DeleteFunc(members, func(member, _ string) bool { return l.varies[kindOf(id)+"."+member] })
		forms[id] = fmt.Sprint(members)
	}
	return forms
}

// members returns the members of each object by id, with kinds instead of the ids of new
// objects, and without times.
func (l *likeness) members(a Account) map[string]map[string]string {
	kinds, all := map[string]string{}, map[string]map[string]string{}
	for id := range a {
		if l.before[id] == nil {
			kinds[id] = kindOf(id)
		}
	}
	names := newNames(kinds, &Script{})
	for id, object := range a {
		all[id] = map[string]string{}
		for member, value := range object {
			text, _ := json.Marshal(value) // it was decoded from JSON
			all[id][member] = names.meaning(text)
		}
	}
	return all
}

// kindOf returns the prefix of an id.
func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return kind
}
