package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// refusals sends requests that the server refuses because of other objects, or because
// of their members. The API documentation shows no failures, so none of them "differs".
func (s *story) refusals() {
	one := s.objects[0]
	create := s.run.input(s.route, http.MethodPost)
	update := s.patch()
	if update != nil {
		for _, name := range slices.Sorted(maps.Keys(create.fields)) {
			if update.fields[name] == nil && create.fields[name].OnlyWith == nil {
				s.refuse(name+", which cannot change", http.MethodPatch, one.path, s.withChange(name, create.fields[name]))
			}
		}
	}
	for _, name := range []string{"public_key", "domain", "match", "type"} {
		value, unique := one.body[name], create.fields[name] != nil && !strings.HasPrefix(s.route, "/ssh_host_certificates")
		if again := s.run.smallestOf(s.route); unique && value != nil {
			again[name] = value
			s.refuse("the "+name+" of another object", http.MethodPost, s.path, again)
		}
	}
	for _, r := range create.references() {
		members := s.run.smallestOf(s.route)
		lack := s.run.lack
		members = r.in(s.run, members, noneLike)
		s.run.lack = lack // a service without objects of that kind has none with this id either
		s.refuse(r.at[0].(string)+" of no object", http.MethodPost, s.path, members)
	}
	s.used()
}

// withChange returns an update that could be accepted but for one member.
func (s *story) withChange(name string, field *shape) map[string]any {
	members := map[string]any{name: s.run.field(name, field)}
	for _, other := range []string{"description", "name"} {
		if s.run.input(s.item, http.MethodPatch).fields[other] != nil {
			members[other] = s.run.config.Mark
		}
	}
	return members
}

// refuse sends a request that should be refused, and checks that it changed nothing.
func (s *story) refuse(name, method, path string, body any) {
	s.refuseWith(name, method, path, body, http.StatusBadRequest)
}

func (s *story) refuseWith(name, method, path string, body any, status int) {
	v := testCase{name: name, method: method, route: s.route, path: path, body: body, status: status}
	if method != http.MethodPost {
		v.route = s.item
	}
	if lack := s.run.lack; lack != nil {
		s.run.lack = nil
		s.run.notTried(v, true, lack.Error())
		return
	}
	got, err := s.run.exchange(v)
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	if made := s.run.created(v, got); made != "" {
		s.run.discard(made)
	} else if method == http.MethodDelete && got.status < http.StatusMultipleChoices {
		s.run.forget(path)
	}
	var d *difference
	switch isRefused := got.status >= http.StatusBadRequest && got.status < http.StatusInternalServerError; {
	case got.status >= http.StatusInternalServerError:
		d = differs(statuses(status, got.status))
	case !isRefused:
		d = otherwise(statuses(status, got.status))
	case got.status != status && (status != http.StatusBadRequest || got.status != http.StatusConflict):
		d = otherwise(statuses(status, got.status)).about("status of a refusal", fmt.Sprintf("%d for %d", got.status, status))
	}
	if d == nil && method == http.MethodPatch {
		d = s.unchanged(s.objects[0], "a refused PATCH")
	} else if d != nil && method == http.MethodPatch {
		_ = s.read(s.objects[0])
	}
	s.run.judged(v, d, nil)
}
