package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// made checks that an object still has the time of its creation after all updates. An
// update right after the creation can be in the same second.
func (s *story) made(one *actor) {
	v := s.rule("created_at of the creation", http.MethodGet, s.item, one.path)
	var d *difference
	if was := one.answer["created_at"]; was != nil && s.run.stored("created_at", was, one.body["created_at"]) == Differs {
		d = differs("created_at of the creation, "+cut(asJSON(was)), cut(asJSON(one.body["created_at"]))).about("created_at", "")
	}
	s.run.judged(v, d, nil)
}

// usedAgain makes an object with a value that is unique and was that of a deleted one, as
// a replacement does.
func (s *story) usedAgain(deleted *actor) {
	for _, name := range []string{"public_key", "domain", "match"} {
		value := deleted.sent[name]
		if value == nil {
			continue
		}
		v := testCase{name: "the " + name + " of a deleted object", method: http.MethodPost, route: s.route, path: s.path}
		members := s.run.smallestOf(s.route)
		members[name] = value
		v.input, v.body, v.status, v.mayRefuse = s.run.input(s.route, http.MethodPost), members, http.StatusCreated, true
		s.run.send(v)
	}
}

// routes checks that an edge shows its routes.
func (s *story) routes() {
	const edge = "/edges/https/{id}"
	if s.route != "/edges/https/{edge_id}/routes" {
		return
	}
	v := s.rule("its routes", http.MethodGet, edge, strings.TrimSuffix(s.path, "/routes"))
	d, err := s.run.soon(v, func() (*difference, error) {
		its, err := s.run.read(v.path, edge)
		shown := list(each(its["routes"], "id"))
		for _, one := range s.objects {
			if err == nil && !slices.Contains(shown, asJSON(one.id)) {
				return differs("an edge that shows each route", plural(len(shown), "route")+" of 3"), nil
			}
		}
		return nil, err
	})
	s.run.judged(v, d, err)
}
