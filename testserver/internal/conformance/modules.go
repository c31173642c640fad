package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

// moduleStory is what happens to a module: it is set, replaced and deleted, and its
// parent shows it.
func (run *Run) moduleStory(route string) {
	item := run.config.Document.Paths.Value(route)
	if item.Put == nil || item.Get == nil || run.absent["GET "+route] {
		return
	}
	v := testCase{name: "replaces the whole module", method: http.MethodPut, route: route, status: http.StatusOK}
	v.input = run.input(route, http.MethodPut)
	var err error
	if v.path, err = run.Path(route); err != nil {
		run.judged(v, nil, err)
		return
	}
	for _, field := range []string{"inbound", "outbound"} {
		for _, value := range hardValues[field] {
			if v.input.fields[field] != nil {
				one := v
				one.mayRefuse = true // the API documentation does not show these values
				one.name, one.body = field+" "+cut(asJSON(value)), map[string]any{field: clone(value)}
				run.send(one)
			}
		}
	}
	if v.body = run.object(v.input); run.lack != nil {
		run.judged(v, nil, run.lack)
		run.lack = nil
		return
	}
	full := v
	full.name = "all fields"
	run.send(full)
	run.parentShows(full, true)
	least := map[string]any{"enabled": false}
	for _, name := range v.input.required {
		least[name] = run.field(name, v.input.fields[name])
	}
	v.body = least
	run.send(v)
	if run.absent["DELETE "+route] {
		return
	}
	gone := testCase{name: "a set module", method: http.MethodDelete, route: route, path: v.path, status: http.StatusNoContent}
	d, got, err := run.attempt(gone)
	run.judged(gone, d, err)
	if err == nil && got.status < http.StatusMultipleChoices {
		run.parentShows(gone, false)
		gone.name = "again"
		if got, err = run.exchange(gone); err != nil {
			run.judged(gone, nil, err)
			return
		}
		run.holds(gone, got.status == http.StatusNoContent, otherwise(statuses(http.StatusNoContent, got.status)))
	}
}

// parentShows checks that the parent of a module shows it, or that it shows none.
func (run *Run) parentShows(v testCase, isSet bool) {
	cutRoute, cutPath := strings.LastIndex(v.route, "/"), strings.LastIndex(v.path, "/")
	parent, name := v.route[:cutRoute], v.route[cutRoute+1:]
	item := run.config.Document.Paths.Value(parent)
	if item == nil || item.Get == nil {
		return
	}
	v.name += ", as its parent shows it"
	its, err := run.read(v.path[:cutPath], parent)
	var module map[string]any
	if err == nil && isSet {
		module, err = run.read(v.path, v.route)
	}
	var d *difference
	switch shown, _ := its[name].(map[string]any); {
	case isSet && run.common(name, module, its[name]) != same:
		d = otherwise(fmt.Sprintf("%s of the parent as the module, %s", name, cut(asJSON(module))), cut(asJSON(its[name])))
	case !isSet && shown["enabled"] != nil:
		d = otherwise("no "+name+" in the parent of a deleted module", cut(asJSON(its[name])))
	}
	run.judged(v, d, err)
}
