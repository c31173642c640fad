package conformance

import (
	"net/http"
	"slices"
)

// story is what happens to three objects of a collection: they are made, read, listed,
// changed and deleted. It checks what no single request shows: that reads, lists and
// other objects agree with each other.
type story struct {
	run         *Run
	route, item string
	path        string // of the collection
	objects     []*actor
	hasList     bool
	dead        []string // ids of deleted objects
}

// actor is one of the objects.
type actor struct {
	id, path string
	body     map[string]any // the last GET
	answer   map[string]any // the response that made it
	sent     map[string]any // the request that made it
}

// story runs the story of a collection.
func (run *Run) story(route string) {
	operations := run.config.Document.Paths.Value(route)
	s := &story{run: run, route: route, item: run.itemOf(route)}
	if s.item == "" {
		return
	}
	s.hasList = operations.Get != nil && !run.absent["GET "+route]
	v := testCase{name: "three objects", method: http.MethodPost, route: route, status: http.StatusCreated}
	var err error
	s.path, err = run.Path(route)
	v.path = s.path
	for range 3 {
		if err == nil {
			err = s.create()
		}
	}
	var same []difference
	for _, one := range s.objects {
		if run.ids[one.path] > 1 {
			same = []difference{{Differs, "", "another id for each object", "the same id twice"}}
		}
	}
	if run.judged(v, same, err); err != nil || same != nil {
		return // the other rules need three objects
	}
	one := s.objects[0]
	v.name, v.body, v.input = "smallest", one.sent, run.input(route, http.MethodPost)
	unlike := run.unlike(s.item, one.answer, one.body, "the response to the POST", "the GET after it")
	run.judged(v, slices.Concat(run.shows(v, one.body, ""), unlike), nil)
	s.unchanged("twice the same", http.MethodGet, "another GET", nil)
	s.listed("list", "")
	if s.hasList && operations.Get.Parameters.GetByInAndName("query", "limit") != nil {
		s.listed("pages", "limit=1")
	}
	s.changes()
	s.texts()
	s.tokens()
	s.routes()
	s.taken()
	s.used()
	if !run.absent["DELETE "+s.item] {
		s.deletions()
	}
}

// create makes an object.
func (s *story) create() error {
	members := s.run.smallestOf(s.route)
	if key := text(members["public_key"]); key != "" {
		members["public_key"] = key + " a comment"
	}
	id, answer, err := s.run.make(s.route, s.path, members)
	if err != nil {
		return err
	}
	one := &actor{id: id, path: s.path + "/" + id, answer: answer, sent: members}
	s.objects = append(s.objects, one)
	return s.read(one)
}

// smallestOf returns a body with the required fields and a text of its own.
func (run *Run) smallestOf(route string) map[string]any {
	return withText(run.smallest(route), run.next(run.config.Mark+" %d"))
}

// withText sets the text that tells objects apart.
func withText(members map[string]any, text string) map[string]any {
	for _, name := range []string{"metadata", "description", "name"} {
		if members[name] != nil {
			members[name] = text
		}
	}
	return members
}

func (s *story) read(one *actor) error {
	got, err := s.run.read(one.path, s.item)
	if err == nil {
		one.body = got
	}
	return err
}

// rule returns a rule of the story.
func (s *story) rule(name, method, route, path string) testCase {
	return testCase{name: name, method: method, route: route, path: path, status: http.StatusOK}
}

// unchanged checks that all objects but one are as they were.
func (s *story) unchanged(name, method, when string, not *actor) {
	var all []difference
	for _, one := range s.objects {
		before := one.body
		if one == not {
			continue
		} else if err := s.read(one); err != nil {
			all = append(all, difference{Differs, "", "an object that " + when + " leaves as it was", err.Error()})
		} else {
			all = slices.Concat(all, s.run.unlike(s.item, before, one.body, "a GET before", "a GET after "+when))
		}
	}
	s.run.judged(s.rule(name, method, s.item, s.objects[0].path), all, nil)
}

// patch returns the shape of an update, or nil if there is none.
func (s *story) patch() *shape {
	if s.run.absent["PATCH "+s.item] {
		return nil
	}
	return s.run.input(s.item, http.MethodPatch)
}

// changes updates one object, and looks at all.
func (s *story) changes() {
	for _, field := range []string{"metadata", "name"} {
		input, one := s.patch(), s.objects[1]
		if input == nil || input.Fields[field] == nil {
			continue
		}
		v := s.rule("one field", http.MethodPatch, s.item, one.path)
		v.body, v.input = map[string]any{field: s.run.next(s.run.config.Mark + " changed %d")}, input
		s.run.send(v)
		if s.read(one) == nil {
			s.unchanged("changes no other object", http.MethodPatch, "a PATCH of another object", one)
			s.listed("list after a PATCH", "")
		}
		return
	}
}

// deletions deletes one object, looks at all, and makes another one.
func (s *story) deletions() {
	one := s.objects[1]
	v := testCase{name: "one of three", method: http.MethodDelete, route: s.item, path: one.path, status: http.StatusNoContent}
	all, got, err := s.run.attempt(v)
	s.run.judged(v, all, err)
	if err != nil || got.status >= http.StatusMultipleChoices {
		return
	}
	s.dead = append(s.dead, one.id)
	s.useToken("the token of a deleted object is no key", one, http.StatusUnauthorized)
	s.objects = slices.Delete(s.objects, 1, 2)
	// An update right after the creation can be in the same second, so this is late.
	made := s.rule("created_at of the creation", http.MethodGet, s.item, one.path)
	was, its := one.answer["created_at"], one.body["created_at"]
	s.run.holds(made, was == nil || s.run.compare("created_at", was, its, true) != Differs,
		difference{Differs, "created_at", "created_at of the creation, " + cut(asJSON(was)), cut(asJSON(its))})
	s.unchanged("deletes no other object", http.MethodDelete, "a DELETE of another object", nil)
	v.name, v.status = "again", http.StatusNotFound
	if len(all) == 0 {
		all, _, err = s.run.attempt(v)
		s.run.judged(v, all, err)
	}
	s.listed("list after a DELETE", "")
	v = s.rule("a new id after a DELETE", http.MethodPost, s.route, s.path)
	if err := s.create(); err != nil {
		s.run.judged(v, nil, err)
		return
	}
	isNew := s.objects[len(s.objects)-1].id != one.id || s.run.keyOf(s.route) != "id"
	s.run.holds(v, isNew, difference{Differs, "", "an id that no object had", "that of the deleted object"})
	// A replacement can use the value of the object that it replaces.
	for _, name := range []string{"public_key", "domain", "match"} {
		if value := one.sent[name]; value != nil {
			s.post("the "+name+" of a deleted object", name, value, http.StatusCreated, true)
		}
	}
	for _, one := range s.objects {
		s.run.discard(one.path)
	}
}
