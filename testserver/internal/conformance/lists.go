package conformance

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// maxSmallPages is the number of pages with one object that are followed; from there
// on, pages are as large as possible, because an account can have many objects.
const maxSmallPages = 12

var smallPage = regexp.MustCompile(`\blimit=1\b`)

// maxPages is the number of pages after which a list has no end.
const maxPages = 200

// listField returns the member of a list response that holds the objects.
func (run *Run) listField(route string) string {
	schema := run.config.Document.Response(route, http.MethodGet, http.StatusOK)
	for name, property := range schema.Value.Properties {
		if name != "uri" && name != "next_page_uri" && property.Value.Type.Is("array") {
			return name
		}
	}
	return ""
}

// walk follows a list to its end, or to a link that is wrong. With a limit, only the
// first pages have it.
func (run *Run) walk(route, path, query string) (objects []map[string]any, wrong []difference, err error) {
	field, seen := run.listField(route), map[string]bool{}
	for len(seen) <= maxPages {
		got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route, change: withQuery(query)})
		elements, isList := got.body[field].([]any)
		switch {
		case err != nil:
			return nil, nil, err
		case got.status != http.StatusOK || !isList:
			return nil, nil, fmt.Errorf("GET %s: status %d without a list %s", route, got.status, field)
		}
		for _, element := range elements {
			members, _ := element.(map[string]any)
			objects = append(objects, members)
		}
		next := text(got.body["next_page_uri"])
		address, rest, _ := strings.Cut(next, "?")
		switch {
		case next == "":
			return objects, nil, nil
		case address != run.config.Base+path:
			return objects, []difference{{Differs, "", "a next_page_uri that is an address of the same list", cut(next)}}, nil
		case seen[next]:
			return objects, []difference{{Differs, "", "pages that end", "a link to a page that was read before"}}, nil
		}
		seen[next] = true
		if query = rest; len(seen) > maxSmallPages {
			query = smallPage.ReplaceAllString(query, "limit=100")
		}
	}
	return nil, nil, fmt.Errorf("GET %s: more than %d pages", route, maxPages)
}

// listed reads the whole list, in pages if a query says so, and compares it with the
// objects: each one is there once, as its GET shows it, and none that was deleted.
func (s *story) listed(name, query string) {
	if !s.hasList {
		return
	}
	v := s.rule(name, http.MethodGet, s.route, s.path)
	v.change = withQuery(query)
	objects, all, err := s.run.walk(s.route, s.path, query)
	var ids []string
	for _, listed := range objects {
		ids = append(ids, text(listed[s.run.keyOf(s.route)]))
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(ids))); len(unique) < len(ids) {
		all = append(all, difference{Differs, "", "a list with each object once", "an object twice"})
	}
	if slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(s.dead, id) }) {
		all = append(all, difference{Differs, "", "a list without what was deleted", "the deleted object"})
	}
	missing := 0
	for _, one := range s.objects {
		if i := slices.Index(ids, one.id); i >= 0 {
			all = slices.Concat(all, s.run.unlike(s.item, one.body, objects[i], "its GET", "the list"))
		} else {
			missing++
		}
	}
	if missing > 0 && len(all) == 0 {
		found := fmt.Sprintf("%d of %d missing", missing, len(s.objects))
		all = append(all, difference{Differs, "", "a list with each object, followed to its end", found})
	}
	s.run.judged(v, all, err)
}
