package conformance

import (
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation sends the variants of an operation.
func (run *Run) operation(method, route string, operation *openapi3.Operation) {
	content := func() any { return nil }
	input := run.input(route, method)
	if input != nil {
		content = func() any {
			members := run.object(input)
			if method == http.MethodPatch { // other texts than the object has
				members = withText(members, run.next(run.config.Mark+" %d"))
			}
			return members
		}
	}
	good := testCase{name: "valid", method: method, route: route, status: success(operation), input: input}
	path, err := run.Path(route)
	if err != nil {
		good.name = "all"
		run.notTried(good, true, err.Error())
		return
	}
	good.path = path
	missing := good
	if missing.name = noOperation; run.isMissing(missing) {
		run.absent[method+" "+route] = true
		return
	}
	if run.isModule(route) && method == http.MethodGet {
		_ = run.write(http.MethodPut, path, route, run.Sample(route, http.MethodPut, true)) // the parent may not have set it
	}
	good.body = content()
	if input != nil {
		run.withoutRefused(good, content)
		good.body = content()
	}
	run.access(good)
	run.pathParameters(good)
	if input != nil {
		run.bodies(good, content)
		run.fields(good, input, content)
	}
	if method == http.MethodGet {
		run.query(good, operation)
	}
	good.body = content()
	run.send(good)
}

// fields sends the variants of a request body.
func (run *Run) fields(good testCase, input *shape, content func() any) {
	type companion struct {
		where place
		value any
	}
	var companions []companion
	variants := &fieldVariants{create: good.method == http.MethodPost, run: run}
	variants.with = func(where place, value any) func() {
		before := companions
		if len(where) > 0 {
			companions = append(slices.Clone(companions), companion{where, value})
		}
		return func() { companions = before }
	}
	variants.add = func(what string, where place, value any, failedKeyword string) {
		full := content()
		for _, other := range companions {
			full, _ = other.where.set(full, clone(other.value))
		}
		v := good
		full, ok := where.set(full, value)
		v.name, v.body, v.mayRefuse = where.String()+" "+what, full, !run.isStated(good, what, where)
		if !ok {
			run.notTried(v, true, "the service has no object that the field could refer to")
			return
		}
		if failedKeyword != "" {
			v.status, v.field = http.StatusBadRequest, failedKeyword
		}
		kept := what == "null" || what == "missing"
		if len(where) == 1 && v.method == http.MethodPatch && v.status == http.StatusOK && kept && where[0] != "backends" {
			v.kept = where.String()
		}
		run.send(v)
	}
	variants.object(nil, input)
	for name := range run.responseSchema(good).Value.Properties {
		if input.fields[name] == nil && !run.leftOut[good.method+" "+good.route][name] {
			variants.add("null, which only responses contain", place{name}, nil, "")
		}
	}
	for i, segment := range strings.Split(good.route, "/") {
		if name, isParameter := parameterOf(segment); isParameter {
			variants.add("as in the path", place{name}, strings.Split(good.path, "/")[i], "")
			variants.add("other than in the path", place{name}, "other", name)
		}
	}
}
