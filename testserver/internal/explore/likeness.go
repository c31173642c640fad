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
	wanted        map[string][]string // names of the objects after the run, by their members
}

// newLikeness learns from two undisturbed runs what is the same in each run. names are
// those of the objects of the first.
func newLikeness(before, one, two Account, names map[string]string) (*likeness, error) {
	l := &likeness{before, one, map[string]bool{}, map[string][]string{}}
	counts := map[[2]string]int{} // of a member's values in the first run, less those in the second
	for n, account := range map[int]Account{1: one, -1: two} {
		for id, members := range l.members(account) {
			for member, value := range members {
				counts[[2]string{kindOf(id) + "." + member, value}] += n
			}
		}
	}
	for value, n := range counts {
		l.varies[value[0]] = l.varies[value[0]] || n != 0
	}
	forms := l.members(one)
	for _, id := range slices.Sorted(maps.Keys(forms)) {
		form := fmt.Sprint(forms[id])
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
	same, left, forms := map[string]string{}, maps.Clone(l.wanted), l.members(now)
	ids := slices.Sorted(maps.Keys(forms))
	for _, id := range slices.Backward(ids) { // the newest first: a later run does not know those of an interrupted one
		form := fmt.Sprint(forms[id])
		if names := left[form]; len(names) > 0 {
			same[id], left[form] = names[0], names[1:]
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

// members returns the members of each object by id, without those that vary and without
// times, and with kinds instead of the ids of new objects.
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
			if !l.varies[kindOf(id)+"."+member] {
				all[id][member] = names.meaning(text)
			}
		}
	}
	return all
}

// kindOf returns the prefix of an id.
func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return kind
}
