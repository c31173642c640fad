package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// taken sends the unique values of an object again. The API documentation shows no
// failures, so none of them "differs".
func (s *story) taken() {
	create := s.run.input(s.route, http.MethodPost)
	for _, name := range []string{"public_key", "domain", "match", "type"} {
		value, status := s.objects[0].body[name], http.StatusBadRequest
		if create.Fields[name] == nil || value == nil || strings.HasPrefix(s.route, "/ssh_host_certificates") {
			continue
		}
		if name == "type" { // is in the path of the object
			status = http.StatusConflict
		}
		s.post("the "+name+" of another object", name, value, status, false)
	}
}

// post sends a creation with a value of a field.
func (s *story) post(rule, field string, value any, status int, mayRefuse bool) {
	members := s.run.smallestOf(s.route)
	members[field] = value
	v := testCase{
		name: rule, method: http.MethodPost, route: s.route, path: s.path, status: status,
		body: members, input: s.run.input(s.route, http.MethodPost), mayRefuse: mayRefuse,
	}
	if status >= http.StatusBadRequest {
		v.field = field
	}
	s.run.send(v)
}

// used tries to delete what an object with all fields refers to.
func (s *story) used() {
	members := s.run.Sample(s.route, http.MethodPost)
	id, _, err := s.run.make(s.route, s.path, members)
	if err != nil {
		return // the operations say why
	}
	sent := asJSON(members)
	for _, root := range slices.Sorted(maps.Keys(s.run.objects)) {
		for _, to := range slices.Clone(s.run.objects[root]) {
			if strings.Contains(sent, asJSON(to)) {
				s.run.send(testCase{
					name: "in use", method: http.MethodDelete, route: s.run.itemOf(root), path: root + "/" + to, status: http.StatusConflict,
				})
			}
		}
	}
	s.run.discard(s.path + "/" + id)
}

// tokens checks that each API key has a token of its own, and that it is a key.
func (s *story) tokens() {
	if !s.run.hasToken(s.route) {
		return
	}
	v := testCase{name: "a token of its own", method: http.MethodPost, route: s.route, path: s.path, status: http.StatusCreated}
	tokens := map[string]bool{}
	for _, one := range s.objects {
		tokens[text(one.answer[shownOnce])] = true
	}
	s.run.holds(v, len(tokens) == len(s.objects) && !tokens[""],
		difference{Differs, "", "a token in the response to the creation, another one for each object", "none, or the same twice"})
	s.useToken("its token is a key", s.objects[0], http.StatusOK)
}

// useToken sends a request with the token of an object, which is a key or is none.
func (s *story) useToken(name string, one *actor, status int) {
	if token := text(one.answer[shownOnce]); token != "" {
		v := s.rule(name, http.MethodGet, s.route, s.path)
		v.status, v.change = status, withHeader("Authorization", "Bearer "+token)
		s.run.named = append(s.run.named, token, "$TOKEN")
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
	its, err := s.run.read(v.path, edge)
	shown := each(its["routes"], "id")
	var all []difference
	for _, one := range s.objects {
		if !slices.Contains(shown, any(one.id)) {
			all = []difference{{Differs, "", "an edge that shows each route", fmt.Sprintf("%s of 3", problem.Count(len(shown), "route"))}}
		}
	}
	s.run.judged(v, all, err)
}
