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
		value := s.objects[0].body[name]
		if create.fields[name] == nil || value == nil || strings.HasPrefix(s.route, "/ssh_host_certificates") {
			continue
		}
		members := s.run.smallestOf(s.route)
		members[name] = value
		v := testCase{
			name: "the " + name + " of another object", method: http.MethodPost, route: s.route, path: s.path,
			body: members, input: create, status: http.StatusBadRequest, field: name,
		}
		if name == "type" { // is in the path of the object
			v.status = http.StatusConflict
		}
		s.run.send(v)
	}
}

// used tries to delete what an object with all fields refers to.
func (s *story) used() {
	input := s.run.input(s.route, http.MethodPost)
	members := s.run.object(input)
	id, _, err := s.run.make(s.route, s.path, members)
	if err != nil {
		return // the operations say why
	}
	for _, to := range s.run.references(input, members) {
		root := to[:strings.LastIndex(to, "/")]
		s.run.send(testCase{name: "in use", method: http.MethodDelete, route: s.run.itemOf(root), path: to, status: http.StatusConflict})
	}
	s.run.discard(s.path + "/" + id)
}

// references returns the paths of the shared objects that a value refers to.
func (run *Run) references(s *shape, value any) (paths []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			paths = append(paths, run.references(s.fields[name], value[name])...)
		}
	case []any:
		for _, element := range value {
			paths = append(paths, run.references(s.items, element)...)
		}
	case string:
		for _, root := range s.RefersTo {
			if slices.Contains(run.objects[root], value) {
				paths = append(paths, root+"/"+value)
			}
		}
	}
	return paths
}

// tokens checks that each API key has a token of its own, and that it is a key.
func (s *story) tokens() {
	if !s.run.hasToken(s.route) {
		return
	}
	v := testCase{name: "a token of its own", method: http.MethodPost, route: s.route, path: s.path, status: http.StatusCreated}
	seen, empty := map[string]bool{}, false
	for _, one := range s.objects {
		token := text(one.answer[shownOnce])
		seen[token], empty = true, empty || token == ""
	}
	s.run.holds(v, len(seen) == len(s.objects) && !empty,
		difference{Differs, "", "a token in the response to the creation, another one for each object", "none, or the same twice"})
	s.useToken("its token is a key", s.objects[0], http.StatusOK)
}

// useToken sends a request with the token of an object, which is a key or is none, and
// compares the response with that to a key that nobody has.
func (s *story) useToken(name string, one *actor, status int) {
	token := text(one.answer[shownOnce])
	if token == "" {
		return
	}
	v := testCase{name: name, method: http.MethodGet, route: s.route, path: s.path, status: status}
	as := func(key string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
	}
	v.change = as(token)
	got, err := s.run.exchange(v)
	v.change = as("unknown")
	unknown := got
	if err == nil && got.status != http.StatusOK {
		v.name = ""
		unknown, err = s.run.exchange(v)
		v.name = name
	}
	v.change = as("$TOKEN") // as the report shows it
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	isNone := got.status != http.StatusOK && (got.status == unknown.status || got.status == http.StatusUnauthorized)
	d, holds := statuses(Differs, status, got.status), isNone
	if d.expected += NoRight; status == http.StatusOK {
		d, holds = statuses(Differs, status, got.status), got.status == http.StatusOK || got.status == http.StatusForbidden && !isNone
	}
	s.run.holds(v, holds, d)
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
