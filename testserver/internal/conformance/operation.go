package conformance

import (
	"net/http"

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
	if missing.name = "the service offers the operation"; run.isMissing(missing) {
		run.absent[method+" "+route] = true
		return
	}
	if run.isModule(route) && method == http.MethodGet {
		set := testCase{method: http.MethodPut, path: path, route: route, body: run.Sample(route, http.MethodPut)}
		_, _ = run.exchange(set) // the parent may not have set it
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
		run.fields(good, content)
	}
	if method == http.MethodGet {
		run.query(good, operation)
	}
	good.body = content()
	run.send(good)
}
