package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// shows checks that a response shows what a request has set.
func (run *Run) shows(v testCase, found map[string]any) *difference {
	sent, isObject := v.body.(map[string]any)
	if v.input == nil || !isObject {
		return nil
	}
	var all []*difference
	if tunnels := found["tunnels"]; v.method == http.MethodPost && !isEmpty(tunnels) {
		all = append(all, differs("no tunnels of a new backend", cut(asJSON(tunnels))).about("tunnels of a new backend", ""))
	}
	for _, name := range slices.Sorted(maps.Keys(v.input.fields)) {
		value, given := sent[name]
		what := name
		if whole := v.method == http.MethodPost || v.method == http.MethodPut; whole && isEmpty(value) {
			what = name + byDefault
		} else if !given {
			continue
		}
		if d := run.showsMember(v, name, value, given, found); d != nil {
			all = append(all, d.about(what, ""))
		}
	}
	return join(all...)
}

// showsMember checks one member of a request.
func (run *Run) showsMember(v testCase, name string, value any, given bool, found map[string]any) *difference {
	shown, its := run.shownAs(name, found)
	whole := v.method == http.MethodPost || v.method == http.MethodPut
	switch {
	case shown == "" || run.writeOnly[name]:
		return nil
	case whole && isEmpty(value):
		return run.showsDefault(v, name, its)
	case value == nil && given && v.method == http.MethodPatch && run.nullClears[name] && !isEmpty(its):
		return differs("that null clears "+name, cut(asJSON(its)))
	case !given || value == nil:
		return nil
	case isEmpty(value) && value != false && value != 0:
		_, isObject := value.(map[string]any)
		if isObject && name != "headers" || name == "match" || name == "match_type" || isEmpty(its) || run.stored(name, value, its) == same {
			return nil // {} sets a module to its defaults, and keeps labels; "" keeps a match
		}
		return otherwise(fmt.Sprintf("that %s clears %s", asJSON(value), name), cut(asJSON(its)))
	}
	return as(run.stored(name, clone(value), its), fmt.Sprintf("%s as sent, %s", name, cut(asJSON(value))), cut(member(found, shown)))
}

// showsDefault checks the value of a member that a create or replace has not set.
func (run *Run) showsDefault(v testCase, name string, its any) *difference {
	const day = 24 * time.Hour
	switch name {
	case "enabled", "active":
		if its != true {
			return differs(name+" true by default", cut(asJSON(its)))
		}
	case "valid_until":
		until, err := time.Parse(time.RFC3339, text(its))
		sent, _ := v.body.(map[string]any)
		if after := time.Until(until); err != nil || isEmpty(sent["valid_after"]) && (after < 364*day || after > 367*day) {
			return differs("valid_until a year after the creation by default", cut(asJSON(its)))
		}
	case "acl":
		if run.stored(name, []any{}, its) != same && !isEmpty(its) {
			return differs("no restrictions without acl", cut(asJSON(its)))
		}
	case "description", "metadata", "labels", "backends", "principals", "hostports", "inbound", "outbound", "body", "headers", "sources":
		if !isEmpty(its) {
			return otherwise("nothing in "+name+", which was not set", cut(asJSON(its)))
		}
	}
	return nil
}

// shownAs returns the member of a response that shows a member of a request, and its
// value; for objects, their ids. The name is empty if none does.
func (run *Run) shownAs(name string, found map[string]any) (shown string, value any) {
	switch value, direct := found[name]; {
	case name == "elliptic_curve" || name == "key_size":
		return "", nil
	case direct:
		return name, value
	}
	shown = run.otherNames[name]
	if other := strings.TrimSuffix(name, "_id"); found[other] != nil {
		shown = other
	}
	switch value := found[shown].(type) {
	case map[string]any:
		return shown, value["id"]
	case []any:
		return shown, each(value, "id")
	case nil:
		return name, nil
	default:
		return shown, value
	}
}

// effect checks, with a GET, what an accepted request has done.
func (run *Run) effect(v testCase, got answer) (*difference, error) {
	if v.status >= http.StatusBadRequest || got.status >= http.StatusMultipleChoices || v.method == http.MethodGet {
		return nil, nil
	}
	path, route := v.path, v.route
	if v.method == http.MethodPost {
		id := text(got.body[run.keyOf(v.route)])
		if route = run.itemOf(v.route); route == "" || id == "" {
			return nil, nil
		}
		path += "/" + id
	}
	if item := run.config.Document.Paths.Value(route); item == nil || item.Get == nil {
		return nil, nil
	}
	now, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route})
	switch {
	case err != nil:
		return nil, err
	case v.method == http.MethodDelete:
		return run.gone(route, now), nil
	case now.status != http.StatusOK:
		return differs(fmt.Sprintf("a GET after the %s with status 200", v.method), fmt.Sprintf("status %d", now.status)), nil
	}
	d := run.shows(v, now.body)
	for _, part := range d.all() {
		part.expected = "a GET after it that shows " + part.expected
	}
	unlike := run.unlike(route, got.body, now.body, fmt.Sprintf("the response to the %s", v.method), "the GET after it")
	return join(d, unlike.without(d)), nil
}

// gone checks the response to a GET of what was deleted.
func (run *Run) gone(route string, now answer) *difference {
	unset := run.isModule(route) && now.status == http.StatusOK && (now.body == nil || now.body["enabled"] == nil)
	if now.status == http.StatusNotFound || now.status == http.StatusGone || unset {
		return nil
	}
	return differs("a GET after the DELETE with status 404", fmt.Sprintf("status %d", now.status))
}

// unlike compares the members that two responses for an object have in common.
func (run *Run) unlike(route string, a, b map[string]any, first, second string) *difference {
	if a == nil || b == nil {
		return nil // a response without an object has its own rules
	}
	var all []*difference
	a, b = run.documented(route, a), run.documented(route, b)
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		mine, here := a[name]
		its, there := b[name]
		var d *difference
		switch status := run.common(name, mine, its); {
		case isEmpty(mine) && isEmpty(its):
		case name == shownOnce: // see ruleToken
		case !there:
			d = otherwise(fmt.Sprintf("%s in %s, as in %s", name, second, first), "absent")
		case !here:
			d = otherwise(fmt.Sprintf("%s in %s, as in %s", name, first, second), "absent")
		case mine == nil:
		case status == Differs && name != "tunnels":
			d = differs(fmt.Sprintf("%s in %s as in %s, %s", name, second, first, cut(asJSON(mine))), cut(asJSON(its)))
		case status != same:
			d = otherwise(fmt.Sprintf("the same %s in two responses, %s", name, cut(asJSON(mine))), cut(asJSON(its)))
		}
		if d != nil {
			all = append(all, d.about(name, ""))
		}
	}
	return join(all...)
}

// documented returns the members that the document defines. Services can add others.
func (run *Run) documented(route string, members map[string]any) map[string]any {
	known := run.config.Document.Response(route, http.MethodGet, http.StatusOK).Value.Properties
	members = maps.Clone(members)
	maps.DeleteFunc(members, func(name string, _ any) bool { return known[name] == nil })
	return members
}

// keyOf returns the member of a response that is in the path of an object.
func (run *Run) keyOf(route string) string {
	if run.config.Document.Paths.Value(route+"/{type}") != nil {
		return "type"
	}
	return "id"
}

// itemOf returns the route of the objects of a collection.
func (run *Run) itemOf(route string) string {
	for _, item := range []string{route + "/{id}", route + "/{type}"} {
		if run.config.Document.Paths.Value(item) != nil {
			return item
		}
	}
	return ""
}
