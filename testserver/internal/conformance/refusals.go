package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

// refusals sends requests that the server refuses because of other objects. The API
// documentation shows no failures, so none of them "differs".
func (s *story) refusals() {
	one := s.objects[0]
	create := s.run.input(s.route, http.MethodPost)
	for _, name := range []string{"public_key", "domain", "match", "type"} {
		value, unique := one.body[name], create.fields[name] != nil && !strings.HasPrefix(s.route, "/ssh_host_certificates")
		if again := s.run.smallestOf(s.route); unique && value != nil {
			again[name] = value
			s.refuse("the "+name+" of another object", http.MethodPost, s.path, again, http.StatusBadRequest)
		}
	}
	s.used()
}

// refuse sends a request that should be refused.
func (s *story) refuse(name, method, path string, body any, status int) {
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
	s.run.judged(v, d, nil)
}
