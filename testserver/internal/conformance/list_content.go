package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// complete checks that a list shows the other objects that the run has made.
func (s *story) complete(objects []map[string]any) *difference {
	shown := map[string]bool{}
	for _, listed := range objects {
		shown[s.path+"/"+text(listed[s.run.keyOf(s.route)])] = true
	}
	for _, path := range slices.Clone(s.run.made) {
		rest, isHere := strings.CutPrefix(path, s.path+"/")
		if !isHere || strings.Contains(rest, "/") || shown[path] {
			continue
		}
		v := testCase{method: http.MethodGet, route: s.item, path: path}
		got, err := s.run.exchange(v)
		if err != nil || got.status != http.StatusNotFound {
			return differs("a list with each object", "a list without an older one")
		}
		s.run.general(ruleVanished, differs("objects that stay until they are deleted", "an object that is gone"), v)
		s.run.forget(path)
	}
	return nil
}
