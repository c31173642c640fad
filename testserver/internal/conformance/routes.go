package conformance

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation sends the variants of an operation.
func (run *Run) operation(method, route string, operation *openapi3.Operation) {
	good := testCase{name: "all", method: method, route: route, status: success(operation), input: run.input(route, method)}
	content := func() any { return nil }
	if good.input != nil {
		content = func() any {
			members := run.object(good.input)
			if method == http.MethodPatch { // other texts than the object has
				members = withText(members, run.next(run.config.Mark+" %d"))
			}
			return members
		}
	}
	var err error
	if good.path, err = run.Path(route); err != nil {
		run.notTried(good, true, err.Error())
		return
	}
	if good.name = "the service offers the operation"; run.isMissing(good) {
		run.absent[method+" "+route] = true
		return
	}
	if good.name = "valid"; run.isModule(route) && method == http.MethodGet {
		set := testCase{method: http.MethodPut, path: good.path, route: route, body: run.Sample(route, http.MethodPut)}
		_, _ = run.exchange(set) // the parent may not have set it
	}
	if good.input != nil {
		run.withoutRefused(good, content)
	}
	good.body = content()
	run.access(good)
	run.pathParameters(good)
	if good.input != nil {
		run.bodies(good, content)
		run.fields(good, content)
	}
	if method == http.MethodGet {
		run.query(good, operation)
	}
	good.body = content()
	run.send(good)
}

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

// variant sends a request that differs from a good one.
func (run *Run) variant(v testCase, name string, status int, field string, change func(*http.Request)) {
	v.name, v.status, v.field, v.change = name, status, field, change
	run.send(v)
}

// withHeader returns a change of a request that sets a header, or removes it.
func withHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Del(name); value != "" {
			r.Header.Set(name, value)
		}
	}
}

// withQuery returns a change of a request that sets its query.
func withQuery(query string) func(*http.Request) {
	return func(r *http.Request) { r.URL.RawQuery = query }
}

// access sends requests with different headers and with an unknown query
// parameter.
func (run *Run) access(good testCase) {
	const key, version = "Authorization", "Service-Version"
	run.variant(good, "no key", 401, "", withHeader(key, ""))
	run.variant(good, "not Bearer", 401, "", withHeader(key, "Basic "+run.config.Key))
	run.variant(good, "unknown key", 401, "", withHeader(key, "Bearer unknown"))
	run.variant(good, "no version", 400, version, withHeader(version, ""))
	run.variant(good, "old version", 400, version, withHeader(version, "1"))
	run.variant(good, "unknown query parameter", 400, "x_unknown", withQuery("x_unknown=1"))
	v := good
	v.name = "read-only key"
	if v.method != http.MethodGet {
		v.status = http.StatusForbidden
	}
	switch {
	case v.method == http.MethodGet && run.isModule(v.route):
	case run.config.ReadOnlyKey == "":
		run.notTried(v, false, "there is no read-only key")
	default:
		run.variant(v, v.name, v.status, "", withHeader(key, "Bearer "+run.config.ReadOnlyKey))
	}
}

// isModule reports whether a route is that of a module, which may not be set.
func (run *Run) isModule(route string) bool {
	return !strings.HasSuffix(route, "}") && run.config.Document.Paths.Value(route).Put != nil
}

// parameters returns the parameters of a route, by their place in the path.
func parameters(route string) map[int]string {
	all := map[int]string{}
	for i, segment := range strings.Split(route, "/") {
		if name, isParameter := strings.CutPrefix(segment, "{"); isParameter {
			all[i] = strings.TrimSuffix(name, "}")
		}
	}
	return all
}

// pathParameters sends requests with invalid and unknown ids.
func (run *Run) pathParameters(good testCase) {
	for i, name := range parameters(good.route) {
		with := func(value string) testCase {
			changed, v := strings.Split(good.path, "/"), good
			changed[i] = value
			v.path = strings.Join(changed, "/")
			return v
		}
		for _, bad := range []string{"a%2Fb", "a%20b", "..", "%00", "a%2Cb", "%C3%BC"} {
			run.variant(with(bad), name+" "+bad, http.StatusBadRequest, name, nil)
		}
		run.variant(with("unknown.v0"), name+" unknown", http.StatusNotFound, "", nil)
	}
}

// bodies sends request bodies that are invalid as a whole.
func (run *Run) bodies(good testCase, body func() any) {
	mark, marked := run.config.Mark, ""
	if good.input.Fields["metadata"] != nil {
		marked = `"metadata":` + asJSON(mark) + ","
	}
	for _, test := range []struct{ name, body, field string }{
		{"empty body", "", ""},
		{"not JSON", mark, ""},
		{"half an object", "{" + marked + `"a":`, ""},
		{"list", "[{" + strings.TrimSuffix(marked, ",") + "}]", ""},
		{"null body", "null", ""},
		{"two objects", "{" + strings.TrimSuffix(marked, ",") + "} {}", ""},
		{"not UTF-8", "{\"metadata\":\"" + mark + "\xff\"}", ""},
		{"duplicate key", "{" + marked + `"twice":1,"twice":2}`, "twice"},
		{"too deep", "{" + marked + `"deep":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}", "deep"},
	} {
		good.body = test.body
		run.variant(good, test.name, http.StatusBadRequest, test.field, withHeader("Content-Type", mediaType))
	}
	good.body = `{"metadata":"` + mark + strings.Repeat("x", 1<<20-14-len(mark)) + `"}`
	run.variant(good, "1 MiB and a byte", http.StatusRequestEntityTooLarge, "", nil)
	good.body = body()
	run.variant(good, "no Content-Type", http.StatusUnsupportedMediaType, "", withHeader("Content-Type", ""))
	run.variant(good, "form", http.StatusUnsupportedMediaType, "", withHeader("Content-Type", "application/x-www-form-urlencoded"))
	run.variant(good, "Content-Type with a charset", good.status, "", withHeader("Content-Type", "application/json; charset=utf-8"))
}

// query sends list requests with valid and invalid query parameters.
func (run *Run) query(good testCase, operation *openapi3.Operation) {
	for _, parameter := range operation.Parameters {
		name, s := parameter.Value.Name, parameter.Value.Schema.Value
		accepted, refused := []string{"1", "100"}, []string{"0", "101", "1.5", "ten", "", "1&limit=1"}
		if s.Pattern != "" {
			id := strings.TrimSuffix(strings.TrimPrefix(s.Pattern, "^"), "[A-Za-z0-9_.-]*$")
			accepted, refused = []string{id, id + "unknown"}, []string{"op_unknown", "", id + "a%2Fb", id + "%20"}
		}
		for _, value := range accepted {
			run.variant(good, name+"="+value, http.StatusOK, "", withQuery(name+"="+value))
		}
		for _, value := range refused {
			run.variant(good, name+"="+value, http.StatusBadRequest, name, withQuery(name+"="+value))
		}
	}
}
