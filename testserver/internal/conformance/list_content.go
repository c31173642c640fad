package conformance

import (
	"fmt"
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

// counted checks that each POST made one object. Objects of others do not count.
func (s *story) counted(objects []map[string]any) *difference {
	count := 0
	var texts []string
	for _, one := range s.objects {
		for _, name := range []string{"metadata", "name"} {
			if value := text(one.body[name]); strings.Contains(value, s.run.config.Mark) {
				texts = append(texts, value)
				break
			}
		}
	}
	for _, listed := range objects {
		if slices.Contains(texts, text(listed["metadata"])) || slices.Contains(texts, text(listed["name"])) {
			count++
		}
	}
	if len(texts) == len(s.objects) && count > len(texts) {
		return differs("one object for each POST", fmt.Sprintf("%d objects for %d", count, len(texts)))
	}
	return nil
}

// remember notes the order of the objects in a list.
func (s *story) remember(objects []map[string]any) {
	var order []int
	for _, listed := range objects {
		i := slices.IndexFunc(s.objects, func(one *actor) bool { return one.id == text(listed[s.run.keyOf(s.route)]) })
		if i >= 0 && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	switch {
	case len(order) < 2:
	case slices.IsSorted(order):
		s.orders["oldest first"] = true
	case slices.IsSortedFunc(order, func(a, b int) int { return b - a }):
		s.orders["newest first"] = true
	default:
		s.orders["neither"] = true
	}
}

// ordered checks that lists have an order. Which one is open.
func (s *story) ordered() *difference {
	if s.orders["neither"] || len(s.orders) > 1 {
		return otherwise("lists that are sorted by creation", "another order")
	}
	return nil
}
