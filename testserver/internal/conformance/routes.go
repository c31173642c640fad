package conformance

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

var pathParameter = regexp.MustCompile(`\{(\w+)\}`)

func replaceParameters(route, value string) string {
	return pathParameter.ReplaceAllString(route, value)
}

// access sends requests with different headers and with an unknown query
// parameter.
func (run *Run) access(good testCase) {
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) {
			if r.Header.Del(name); value != "" {
				r.Header.Set(name, value)
			}
		}
	}
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		status int
		field  string
	}{
		{"no key", header("Authorization", ""), 401, ""},
		{"not Bearer", header("Authorization", "Basic "+run.config.Key), 401, ""},
		{"unknown key", header("Authorization", "Bearer unknown"), 401, ""},
		{"no version", header("Service-Version", ""), 400, "Service-Version"},
		{"old version", header("Service-Version", "1"), 400, "Service-Version"},
		{"unknown query parameter", func(r *http.Request) { r.URL.RawQuery = "x_unknown=1" }, 400, "x_unknown"},
	} {
		v := good
		v.name, v.change, v.status, v.field = test.name, test.change, test.status, test.field
		run.send(v)
	}
	v := good
	v.name, v.change = "read-only key", header("Authorization", "Bearer "+run.config.ReadOnlyKey)
	if v.method != http.MethodGet {
		v.status = http.StatusForbidden
	} else if run.isModule(v.route) {
		return
	}
	if run.config.ReadOnlyKey == "" {
		run.notTried(v, false, "there is no read-only key")
		return
	}
	run.send(v)
}

// isModule reports whether a route is that of a module, which may not be set.
func (run *Run) isModule(route string) bool {
	return !strings.HasSuffix(route, "}") && run.config.Document.Paths.Value(route).Put != nil
}

// pathParameters sends requests with invalid and unknown ids.
func (run *Run) pathParameters(good testCase) {
	real := strings.Split(good.path, "/")
	for i, segment := range strings.Split(good.route, "/") {
		name, isParameter := parameterOf(segment)
		if !isParameter {
			continue
		}
		put := func(value string) string {
			changed := slices.Clone(real)
			changed[i] = value
			return strings.Join(changed, "/")
		}
		for _, bad := range []string{"a%2Fb", "a%20b", "..", "%00", "a%2Cb", "%C3%BC"} {
			v := good
			v.name, v.path, v.status, v.field = name+" "+bad, put(bad), http.StatusBadRequest, name
			run.send(v)
		}
		v := good
		v.name, v.path, v.status = name+" unknown", put("unknown.v0"), http.StatusNotFound
		run.send(v)
	}
}

// bodies sends request bodies that are invalid as a whole.
func (run *Run) bodies(good testCase, body func() any) {
	marked := ""
	if good.input.fields["metadata"] != nil {
		marked = `"metadata":` + asJSON(run.config.Mark) + ","
	}
	for _, test := range []struct {
		name, body  string
		contentType string
		status      int
		field       string
	}{
		{"empty body", "", mediaType, 400, ""},
		{"white space", " \n", mediaType, 400, ""},
		{"not JSON", run.config.Mark, mediaType, 400, ""},
		{"half an object", "{" + marked + `"a":`, mediaType, 400, ""},
		{"trailing comma", "{" + marked + `"a":1,}`, mediaType, 400, ""},
		{"list", "[{" + strings.TrimSuffix(marked, ",") + "}]", mediaType, 400, ""},
		{"null body", "null", mediaType, 400, ""},
		{"text", asJSON(run.config.Mark), mediaType, 400, ""},
		{"two objects", "{" + strings.TrimSuffix(marked, ",") + "} {}", mediaType, 400, ""},
		{"not UTF-8", "{\"metadata\":\"" + run.config.Mark + "\xff\"}", mediaType, 400, ""},
		{"duplicate key", "{" + marked + `"twice":1,"twice":2}`, mediaType, 400, "twice"},
		{"too deep", "{" + marked + `"deep":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}", mediaType, 400, "deep"},
		{"no Content-Type", asJSON(body()), "", 415, ""},
		{"form", asJSON(body()), "application/x-www-form-urlencoded", 415, ""},
		{"1 MiB and a byte", `{"metadata":"` + run.config.Mark + strings.Repeat("x", 1<<20-14-len(run.config.Mark)) + `"}`, mediaType, 413, ""},
	} {
		v := good
		v.name, v.body, v.status, v.field = test.name, test.body, test.status, test.field
		v.change = func(r *http.Request) {
			if r.Header.Del("Content-Type"); test.contentType != "" {
				r.Header.Set("Content-Type", test.contentType)
			}
		}
		run.send(v)
	}
	v := good
	v.name, v.body = "Content-Type with a charset", body()
	v.change = func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8") }
	run.send(v)
}

// query sends list requests with valid and invalid query parameters.
func (run *Run) query(good testCase, operation *openapi3.Operation) {
	for _, parameter := range operation.Parameters {
		name, s := parameter.Value.Name, parameter.Value.Schema.Value
		accepted, refused := []string{"1", "100"}, []string{"0", "101", "-1", "1.5", "ten", "", "1e1", "1&limit=1"}
		if s.Pattern != "" {
			id := strings.TrimSuffix(strings.TrimPrefix(s.Pattern, "^"), "[A-Za-z0-9_.-]*$")
			accepted, refused = []string{id, id + "unknown"}, []string{"op_unknown", "", id + "a%2Fb", id + "%20"}
		}
		for status, values := range map[int][]string{200: accepted, 400: refused} {
			for _, value := range values {
				v := good
				v.name, v.status = name+"="+value, status
				v.change = func(r *http.Request) { r.URL.RawQuery = name + "=" + value }
				if status == http.StatusBadRequest {
					v.field = name
				}
				run.send(v)
			}
		}
	}
}
