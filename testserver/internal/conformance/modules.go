package conformance

import (
	"net/http"
)

// moduleStory is what happens to a module: it is set, and replaced.
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
	least := map[string]any{"enabled": false}
	for _, name := range v.input.required {
		least[name] = run.field(name, v.input.fields[name])
	}
	v.body = least
	run.send(v)
}
