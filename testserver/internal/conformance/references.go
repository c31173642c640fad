package conformance

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// reference is a field of a request with the id of another object or a list of ids.
type reference struct {
	at         place
	top, field *shape // of the first and of the last step
}

// to returns the collections that a field refers to.
func (s *shape) to() []string {
	if s.items != nil {
		return s.items.RefersTo
	}
	return s.RefersTo
}

// references returns the references of an object, in order. Those in lists of objects are
// not among them.
func (s *shape) references() []reference {
	var all []reference
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		field := s.fields[name]
		if len(field.to()) > 0 {
			all = append(all, reference{place{name}, field, field})
		}
		for _, inside := range field.references() {
			all = append(all, reference{append(place{name}, inside.at...), field, inside.field})
		}
	}
	return all
}

// in puts a reference into a request.
func (r reference) in(run *Run, members map[string]any, id string) map[string]any {
	if name := r.at[0].(string); len(r.at) > 1 {
		members[name] = run.field(name, r.top)
	}
	var value any = id
	if r.field.items != nil {
		value = []any{id}
	}
	_, _ = r.at.set(members, value) // its object is there
	return members
}

// used tries to delete an object that another one refers to.
func (s *story) used() {
	paths := s.run.config.Document.Paths.Map()
	for _, user := range slices.Sorted(maps.Keys(paths)) {
		isExcluded := s.run.config.Only != nil && !s.run.config.Only(user)
		if paths[user].Post == nil || strings.Contains(user, "{") || isExcluded || s.run.isAbsent(user) {
			continue
		}
		for _, r := range s.run.input(user, http.MethodPost).references() {
			if slices.Contains(r.field.to(), s.route) {
				s.usedBy(user, r)
			}
		}
	}
}

func (s *story) usedBy(user string, r reference) {
	one := s.objects[0]
	members := r.in(s.run, s.run.smallest(user), one.id)
	id, _, err := s.run.make(user, user, members)
	v := testCase{name: "in use", method: http.MethodDelete, route: s.item, path: one.path, status: http.StatusConflict}
	if err != nil {
		s.run.notTried(v, true, err.Error())
		return
	}
	s.refuse("in use", http.MethodDelete, one.path, nil, http.StatusConflict)
	s.run.discard(user + "/" + id)
	if s.read(one) != nil && s.create() == nil { // it was deleted
		s.objects = s.objects[1:] // in the order of their creation
	}
}
