package conformance

import (
	"net/http"
	"slices"
	"strings"
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
	item := run.itemOf(route)
	if operations.Post == nil || item == "" {
		return
	}
	s := &story{run: run, route: route, item: item}
	v := testCase{name: "three objects", method: http.MethodPost, route: route, status: http.StatusCreated}
	path, err := run.Path(route)
	for range 3 {
		if err == nil {
			v.path, s.path = path, path
			err = s.create()
		}
	}
	if err != nil {
		run.judged(v, nil, err)
		return
	}
	if !s.identities(v) {
		return // the other rules need three objects
	}
	s.reads()
	if s.hasList = operations.Get != nil && !run.absent["GET "+route]; s.hasList {
		s.lists()
	}
	s.changes()
	s.texts()
	s.values()
	s.tokens()
	s.routes()
	s.refusals()
	if !run.absent["DELETE "+item] {
		s.deletions()
	}
}

// create makes an object.
func (s *story) create() error {
	members := s.run.smallestOf(s.route)
	if key := text(members["public_key"]); key != "" && !strings.Contains(key, "-----BEGIN") {
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
	members := run.smallest(route)
	return withText(members, run.next(run.config.Mark+" %d"))
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

// identities checks that each POST made one object, and reports whether that is so.
func (s *story) identities(v testCase) bool {
	ids := map[string]bool{}
	var d *difference
	for _, one := range s.objects {
		if ids[one.id] || s.run.ids[one.path] > 1 {
			d = differs("another id for each object", "the same id twice")
		}
		ids[one.id] = true
	}
	if s.run.judged(v, d, nil); d != nil {
		return false
	}
	v.name, v.body, v.input = "smallest", s.objects[0].sent, s.run.input(s.route, http.MethodPost)
	if d = s.run.shows(v, s.objects[0].body); d == nil {
		d = s.run.unlike(s.item, s.objects[0].answer, s.objects[0].body, "the response to the POST", "the GET after it")
	}
	s.run.judged(v, d, nil)
	return true
}

// reads checks that a GET shows the same each time.
func (s *story) reads() {
	one := s.objects[0]
	v := s.rule("twice the same", http.MethodGet, s.item, one.path)
	s.run.judged(v, s.unchanged(one, "two GETs"), nil)
}

// unchanged checks that an object is as it was.
func (s *story) unchanged(one *actor, when string) *difference {
	now, err := s.run.read(one.path, s.item)
	if err != nil {
		return differs("an object that "+when+" leaves as it was", err.Error())
	}
	return s.run.unlike(s.item, one.body, now, "a GET before", "a GET after "+when)
}

// neighbours checks that the other objects are as they were.
func (s *story) neighbours(name, method, when string, not *actor) {
	v := s.rule(name, method, s.item, s.objects[0].path)
	for _, one := range s.objects {
		if one == not {
			continue
		}
		if d := s.unchanged(one, when); d != nil {
			s.run.judged(v, d, nil)
			for _, one := range s.objects { // later rules compare with what is there now
				_ = s.read(one)
			}
			return
		}
	}
	s.run.judged(v, nil, nil)
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
	input := s.patch()
	if input == nil {
		return
	}
	one := s.objects[1]
	field := ""
	for _, name := range []string{"metadata", "name"} {
		if input.fields[name] != nil && field == "" {
			field = name
		}
	}
	if field == "" {
		return
	}
	v := s.rule("one field", http.MethodPatch, s.item, one.path)
	v.body = map[string]any{field: s.run.next(s.run.config.Mark + " changed %d")}
	v.input = input
	d, _, err := s.run.attempt(v)
	s.run.judged(v, d, err)
	if s.read(one) != nil {
		return
	}
	s.neighbours("changes no other object", http.MethodPatch, "a PATCH of another object", one)
	s.listed("list after a PATCH")
}

// deletions deletes one object, and looks at all.
func (s *story) deletions() {
	one := s.objects[1]
	v := testCase{name: "one of three", method: http.MethodDelete, route: s.item, path: one.path, status: http.StatusNoContent}
	d, got, err := s.run.attempt(v)
	s.run.judged(v, d, err)
	if err != nil || got.status >= http.StatusMultipleChoices {
		return
	}
	s.dead = append(s.dead, one.id)
	s.useToken("the token of a deleted object is no key", one, http.StatusUnauthorized)
	s.objects = slices.Delete(s.objects, 1, 2)
	s.made(one)
	s.neighbours("deletes no other object", http.MethodDelete, "a DELETE of another object", nil)
	v.name, v.status = "again", http.StatusNotFound
	if d == nil {
		if got, err = s.run.exchange(v); err == nil && got.status != http.StatusNotFound {
			d = otherwise(statuses(http.StatusNotFound, got.status))
		}
		s.run.judged(v, d, err)
	}
	s.listed("list after a DELETE")
	v = s.rule("a new id after a DELETE", http.MethodPost, s.route, s.path)
	if err := s.create(); err != nil {
		s.run.judged(v, nil, err)
		return
	}
	isNew := !slices.Contains(s.dead, s.objects[len(s.objects)-1].id) || s.run.keyOf(s.route) != "id"
	s.run.holds(v, isNew, differs("an id that no object had", "that of the deleted object"))
	s.usedAgain(one)
	for _, one := range s.objects {
		s.run.discard(one.path)
	}
}
