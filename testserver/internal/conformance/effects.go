package conformance

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// shows checks that a response shows what a request has set. in begins an expectation.
func (run *Run) shows(v testCase, found map[string]any, in string) (all []difference) {
	sent, isObject := v.body.(map[string]any)
	if v.input == nil || !isObject {
		return nil
	}
	expect := func(status Status, about, expected string, its any) {
		all = append(all, difference{status, about, in + expected, cut(asJSON(its))})
	}
	whole := v.method == http.MethodPost || v.method == http.MethodPut
	for _, name := range slices.Sorted(maps.Keys(v.input.Fields)) {
		value, given := sent[name]
		shown, its := run.shownAs(name, found)
		isSet := value == false || value == 0
		switch {
		case shown == "" || run.members[name].WriteOnly || !given && !whole:
		case whole && isEmpty(value):
			if status, expected := run.byDefault(sent, name, its); status != Agrees {
				expect(status, name, expected, its)
			}
		case value == nil:
			if v.method == http.MethodPatch && run.members[name].NullClears && !isEmpty(its) {
				expect(Differs, name, "that null clears "+name, its)
			}
		case isEmpty(value) && !isSet:
			// {} sets a module to its defaults, and keeps labels; "" keeps a match.
			_, isObject := value.(map[string]any)
			keeps := isObject && name != "headers" || name == "match" || name == "match_type"
			if !keeps && !isEmpty(its) && run.compare(name, value, its, true) != Agrees {
				expect(Otherwise, name, fmt.Sprintf("that %s clears %s", asJSON(value), name), its)
			}
		default:
			if status := run.compare(name, clone(value), its, true); status != Agrees {
				expect(status, name, fmt.Sprintf("%s as sent, %s", name, cut(asJSON(value))), its)
			}
		}
	}
	return all
}

// byDefault checks the value of a member that a create or replace has not set.
func (run *Run) byDefault(sent map[string]any, name string, its any) (status Status, expected string) {
	const day = 24 * time.Hour
	switch name {
	case "enabled", "active":
		if its != true {
			return Differs, name + " true by default"
		}
	case "valid_until":
		until, err := time.Parse(time.RFC3339, text(its))
		if after := time.Until(until); err != nil || isEmpty(sent["valid_after"]) && (after < 364*day || after > 367*day) {
			return Differs, "valid_until a year after the creation by default"
		}
	case "acl":
		if run.compare(name, []any{}, its, true) != Agrees && !isEmpty(its) {
			return Differs, "no restrictions without acl"
		}
	case "description", "metadata", "labels", "backends", "principals", "hostports", "inbound", "outbound", "body", "headers", "sources":
		if !isEmpty(its) {
			return Otherwise, "nothing in " + name + ", which was not set"
		}
	}
	return Agrees, ""
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
	shown = run.members[name].ShownAs
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

// effect checks, with a GET, what an accepted request has done. made is the path of the
// object that a POST has made.
func (run *Run) effect(v testCase, got answer, made string) ([]difference, error) {
	if v.status >= http.StatusBadRequest || got.status >= http.StatusMultipleChoices || v.method == http.MethodGet {
		return nil, nil
	}
	path, route := v.path, v.route
	if v.method == http.MethodPost {
		path, route = made, run.itemOf(v.route)
	}
	if path == "" {
		return nil, nil
	}
	if item := run.config.Document.Paths.Value(route); item == nil || item.Get == nil {
		return nil, nil
	}
	now, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route})
	switch {
	case err != nil:
		return nil, err
	case v.method == http.MethodDelete:
		isUnset := run.isModule(route) && now.status == http.StatusOK && (now.body == nil || now.body["enabled"] == nil)
		if now.status == http.StatusNotFound || now.status == http.StatusGone || isUnset {
			return nil, nil
		}
		return []difference{{Differs, "", "a GET after the DELETE with status 404", fmt.Sprintf("status %d", now.status)}}, nil
	case now.status != http.StatusOK:
		return []difference{{Differs, "", fmt.Sprintf("a GET after the %s with status 200", v.method), fmt.Sprintf("status %d", now.status)}}, nil
	}
	return slices.Concat(run.shows(v, now.body, "a GET after it that shows "),
		run.unlike(route, got.body, now.body, "the response to the "+v.method, "the GET after it")), nil
}

// unlike compares the members that two responses for an object have in common.
func (run *Run) unlike(route string, a, b map[string]any, first, second string) (all []difference) {
	if a == nil || b == nil {
		return nil // a response without an object has its own rules
	}
	// Services can add members that the document does not define.
	for _, name := range slices.Sorted(maps.Keys(run.config.Document.Response(route, http.MethodGet, http.StatusOK).Value.Properties)) {
		mine, here := a[name]
		its, there := b[name]
		status := run.compare(name, mine, its, false)
		switch {
		case status == Agrees, isEmpty(mine) && isEmpty(its), here && mine == nil, name == shownOnce:
			continue
		case !here, !there, name == "tunnels":
			status = Otherwise
		}
		in := fmt.Sprintf("%s in %s as in %s, %s", name, second, first, cut(member(a, name)))
		all = append(all, difference{status, name, in, cut(member(b, name))})
	}
	return all
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
	if item := route + "/{" + run.keyOf(route) + "}"; run.config.Document.Paths.Value(item) != nil {
		return item
	}
	return ""
}

// rootOf returns the path of the collection to which a route belongs.
func rootOf(route string) string {
	root, _, _ := strings.Cut(route, "/{")
	return root
}
