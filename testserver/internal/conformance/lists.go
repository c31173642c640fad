package conformance

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
)

// maxSmallPages is the number of pages with one object that are followed; from there
// on, pages are as large as possible, because an account can have many objects.
const maxSmallPages = 12

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

// pages is a list that was followed to its end.
type pages struct {
	objects []map[string]any
	problem *difference // what is wrong with a link
}

// walk follows a list to its end. With a limit, only the first pages have it.
func (run *Run) walk(route, path, query string) (*pages, error) {
	p := &pages{}
	field, seen := run.listField(route), map[string]bool{}
	for n := 0; ; n++ {
		got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route, change: func(r *http.Request) {
			r.URL.RawQuery = query
		}})
		switch {
		case err != nil:
			return nil, err
		case got.status != http.StatusOK:
			return nil, fmt.Errorf("GET %s: status %d", route, got.status)
		}
		elements, isList := got.body[field].([]any)
		if !isList {
			return nil, fmt.Errorf("the response to GET %s has no list %s", route, field)
		}
		for _, element := range elements {
			members, _ := element.(map[string]any)
			p.objects = append(p.objects, members)
		}
		next := text(got.body["next_page_uri"])
		if next == "" {
			return p, nil
		}
		link, _ := url.Parse(next)
		base, _ := url.Parse(run.config.Base)
		switch {
		case link == nil || link.Scheme != base.Scheme || link.Host != base.Host || link.Path != base.Path+path:
			p.problem = differs("a next_page_uri that is an address of the same list", cut(next))
			return p, nil
		case seen[next]:
			p.problem = differs("pages that end", "a link to a page that was read before")
			return p, nil
		case len(seen) > maxPages:
			return nil, fmt.Errorf("GET %s: more than %d pages", route, maxPages)
		}
		seen[next] = true
		values := link.Query()
		if n > maxSmallPages && values.Get("limit") != "" {
			values.Set("limit", "100")
			link.RawQuery = values.Encode()
		}
		query = link.RawQuery
	}
}

// lists compares the list with the objects.
func (s *story) lists() {
	s.listed("list")
	v := s.rule("each object once", http.MethodGet, s.route, s.path)
	p, err := s.run.walk(s.route, s.path, "")
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	s.run.judged(v, cmp.Or(p.problem, repeated(p.objects, s.run.keyOf(s.route))), nil)
	parameters := s.run.config.Document.Paths.Value(s.route).Get.Parameters
	if parameters.GetByInAndName("query", "limit") != nil {
		s.paged()
	}
}

func repeated(objects []map[string]any, key string) *difference {
	seen := map[string]bool{}
	for _, one := range objects {
		id := text(one[key])
		if seen[id] {
			return differs("a list with each object once", "an object twice")
		}
		seen[id] = true
	}
	return nil
}

// paged follows pages with one object each, and compares them with the objects.
func (s *story) paged() {
	v := s.rule("pages", http.MethodGet, s.route, s.path)
	v.change = func(r *http.Request) { r.URL.RawQuery = "limit=1" }
	small, err := s.run.walk(s.route, s.path, "limit=1")
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	key := s.run.keyOf(s.route)
	d := cmp.Or(small.problem, repeated(small.objects, key))
	shown := map[string]bool{}
	for _, one := range small.objects {
		shown[text(one[key])] = true
	}
	missing := 0
	for _, one := range s.objects {
		if !shown[one.id] {
			missing++
		}
	}
	switch {
	case d != nil:
	case missing > 0:
		d = differs("pages that show each object, followed to the end", fmt.Sprintf("%d of 3 missing", missing))
	default:
		d = s.asRead(small.objects)
	}
	s.run.judged(v, d, nil)
}

// asRead checks that a list shows each object as its GET does.
func (s *story) asRead(objects []map[string]any) *difference {
	var all []*difference
	for _, one := range s.objects {
		i := slices.IndexFunc(objects, func(listed map[string]any) bool { return text(listed[s.run.keyOf(s.route)]) == one.id })
		if i < 0 {
			return differs("a list with each object", "a list without a new one")
		}
		d := s.run.unlike(s.item, one.body, objects[i], "its GET", "the list")
		all = append(all, d.without(join(all...)))
	}
	return join(all...)
}

// listed reads the whole list, and compares it with the objects.
func (s *story) listed(name string) {
	if !s.hasList {
		return
	}
	v := s.rule(name, http.MethodGet, s.route, s.path)
	p, err := s.run.walk(s.route, s.path, "")
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	d := s.asRead(p.objects)
	for _, listed := range p.objects {
		if slices.Contains(s.dead, text(listed[s.run.keyOf(s.route)])) {
			d = join(differs("a list without what was deleted", "the deleted object"), d)
		}
	}
	s.run.judged(v, d, nil)
}
