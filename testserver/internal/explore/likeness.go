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

// Undisturbed returns the judge of a command that has no plan: what it changes in an
// undisturbed run counts as planned. Its resources are the objects before the run.
func Undisturbed(before, after Account) Judge {
	j := Judge{Before: before, After: after, Held: map[string]string{}, HeldAfter: map[string]string{}}
	j.Plan = &Planned{names: map[string]bool{}, kept: map[string]bool{}}
	for id, object := range before {
		j.Held[id] = id
		if _, kept := after[id]; kept {
			j.HeldAfter[id], j.Plan.kept[id] = id, true
		}
		if !reflect.DeepEqual(object, after[id]) {
			j.Plan.names[id] = true
			j.Plan.Changes++
		}
	}
	for id := range after {
		if _, old := before[id]; !old {
			j.Plan.Changes++
		}
	}
	return j
}

// Likeness compares accounts with that after an undisturbed run. New objects have other
// ids, times and generated values in each run.
type Likeness struct {
	before, after Account
	varies        map[string]bool     // members with generated values, such as "sshca.public_key"
	wanted        map[string][]string // names of the objects after the run, by their form
}

// NewLikeness learns from two undisturbed runs what is the same in each run. name returns
// the name of an object of the first run, or "".
func NewLikeness(before, one, two Account, name func(id string) string) (*Likeness, error) {
	l := &Likeness{before: before, after: one, varies: map[string]bool{}, wanted: map[string][]string{}}
	first, second := l.values(one), l.values(two)
	for member, values := range first {
		l.varies[member] = !slices.Equal(values, second[member])
	}
	for member := range second {
		l.varies[member] = l.varies[member] || first[member] == nil
	}
	for member, varies := range l.varies {
		if varies && strings.HasSuffix(member, ".id") {
			return nil, errors.New("two runs of the command from the same account leave different objects: " +
				"explore needs a command that does the same each time")
		}
	}
	forms := l.forms(one)
	for _, id := range slices.Sorted(maps.Keys(forms)) {
		l.wanted[forms[id]] = append(l.wanted[forms[id]], cmp.Or(name(id), id))
	}
	return l, nil
}

// Compare returns the names of the objects that are as after the undisturbed run, by id,
// and the names of those that are missing or differ.
func (l *Likeness) Compare(now Account) (same map[string]string, differs []string) {
	same, left := map[string]string{}, maps.Clone(l.wanted)
	forms := l.forms(now)
	ids := slices.Sorted(maps.Keys(forms))
	slices.Reverse(ids) // the newest first: a later run does not know of the objects of an interrupted one
	for _, id := range ids {
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
func (l *Likeness) values(a Account) map[string][]string {
	all, form := map[string][]string{}, l.form(a)
	for id, object := range a {
		for member, value := range object {
			name := kindOf(id) + "." + member
			all[name] = append(all[name], form(value))
		}
	}
	for _, values := range all {
		slices.Sort(values)
	}
	return all
}

// forms returns the form of each object by id: its members without those that vary.
func (l *Likeness) forms(a Account) map[string]string {
	forms, form := map[string]string{}, l.form(a)
	for id, object := range a {
		fixed := maps.Clone(object)
		maps.DeleteFunc(fixed, func(member string, _ any) bool { return l.varies[kindOf(id)+"."+member] })
		forms[id] = form(fixed)
	}
	return forms
}

// form returns a function that encodes a value of an account, with kinds instead of the
// ids of new objects, and without times.
func (l *Likeness) form(a Account) func(any) string {
	var pairs []string
	for _, id := range slices.SortedFunc(maps.Keys(a), func(a, b string) int { return len(b) - len(a) }) {
		if l.before[id] == nil {
			pairs = append(pairs, id, kindOf(id))
		}
	}
	replacer := strings.NewReplacer(pairs...)
	return func(value any) string {
		text, _ := json.Marshal(value) // it was decoded from JSON
		var copied any
		_ = json.Unmarshal([]byte(replacer.Replace(string(text))), &copied)
		text, _ = json.Marshal(withoutTimes(copied))
		return string(text)
	}
}

// kindOf returns the prefix of an id.
func kindOf(id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return kind
}
