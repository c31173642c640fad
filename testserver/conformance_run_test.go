package testserver

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// conformance sends variants of every request that the document describes.
type conformance struct {
	handler  http.Handler // server under test
	server   *Server      // server behind handler, to prepare objects
	samples  *samples
	tree     map[string]any
	once     bool // stop at the first failure, and skip slow variants
	count    int
	failures []string
	variants map[string]int             // by route
	members  map[string]map[string]bool // members of request bodies, by route
	clients  map[string]int             // accepted requests with members of responses or of the path, as public clients send, by route
}

func newConformance(t testing.TB, s *Server, handler http.Handler) *conformance {
	t.Helper()
	return &conformance{handler: handler, server: s, samples: newSamples(t, s), tree: schemaTree(t),
		variants: map[string]int{}, members: map[string]map[string]bool{}, clients: map[string]int{}}
}

// testCase is a request and its expected response.
type testCase struct {
	name         string
	method, path string
	body         any // a string is sent unchanged; nil means no body
	change       func(*http.Request)
	status       int
	field        string // expected details.field
	allow        string // expected Allow header
	route        string
	kept         string // response field that must not change, or everyField
}

const everyField = "every field"

func (run *conformance) failed(format string, arguments ...any) {
	run.failures = append(run.failures, fmt.Sprintf(format, arguments...))
}

// all sends the variants of every operation.
func (run *conformance) all() {
	paths := document().Paths.Map()
	for _, route := range slices.Sorted(maps.Keys(paths)) {
		run.methods(route, paths[route])
		for method, operation := range paths[route].Operations() {
			run.operation(method, route, operation)
			if run.once && len(run.failures) > 0 {
				return
			}
		}
	}
}

func (run *conformance) operation(method, route string, operation *openapi3.Operation) {
	body := func() any { return nil }
	var input *shape
	if operation.RequestBody != nil {
		reference := operation.RequestBody.Value.Content[mediaType].Schema.Ref
		input = shapeOf(run.tree, map[string]any{"$ref": reference})
		body = func() any { return run.samples.object(input) }
	}
	path := run.path(route)
	good := testCase{name: "valid", method: method, route: route, path: path, body: body(), status: success(operation)}
	run.access(good)
	run.pathParameters(good)
	if operation.RequestBody != nil {
		run.bodies(good, body)
		run.fields(good, input, body)
	}
	if method == http.MethodGet {
		run.query(good, operation)
	}
	good.body = body()
	run.send(good)
}

// fields sends the variants of a request body.
func (run *conformance) fields(good testCase, input *shape, body func() any) {
	companions := map[string]any{}
	if run.members[good.route] == nil {
		run.members[good.route] = map[string]bool{}
	}
	variants := &fieldVariants{create: good.method == http.MethodPost, samples: run.samples}
	variants.with = func(name string, value any) {
		if companions[name] = value; name == "" {
			clear(companions)
		}
	}
	variants.add = func(what string, where place, value any, failedKeyword string) {
		if run.once && where.String() == "key_size" && failedKeyword == "" {
			return // generating RSA keys is slow
		}
		full := body()
		for name, value := range companions {
			full = place{name}.set(full, clone(value))
		}
		v := good
		v.name, v.body = where.String()+" "+what, where.set(full, value)
		if what == "missing" {
			run.members[good.route][where.String()] = true
		}
		if failedKeyword != "" {
			v.status, v.field = http.StatusBadRequest, failedKeyword
		}
		if len(where) == 1 && v.method == http.MethodPatch && v.status == http.StatusOK && (what == "null" || what == "missing") && where[0] != "backends" {
			v.kept = where.String()
		}
		run.send(v)
	}
	variants.object(nil, input)
	for name := range document().Paths.Value(good.route).GetOperation(good.method).Responses.Status(good.status).Value.Content[mediaType].Schema.Value.Properties {
		if input.fields[name] == nil {
			variants.add("null, which only responses contain", place{name}, nil, "")
			run.clients[good.route]++
		}
	}
	for i, segment := range strings.Split(good.route, "/") {
		if name, isParameter := parameterOf(segment); isParameter {
			variants.add("as in the path", place{name}, strings.Split(good.path, "/")[i], "")
			variants.add("other than in the path", place{name}, "other", name)
			run.clients[good.route]++
		}
	}
}

// path replaces the parameters of a route with ids of existing objects. Each
// call creates new objects, so that operations do not depend on each other.
func (run *conformance) path(route string) string {
	s := run.server
	edge := s.CreateHTTPSEdge()
	subscription := s.CreateEventSubscription("domain_created.v0")
	path := strings.NewReplacer("{edge_id}", edge, "{subscription_id}", subscription, "{type}", "domain_created.v0").Replace(route)
	collection, _, found := strings.Cut(path, "/{id}")
	if !found {
		return path
	}
	schema := document().Paths.Value(strings.Split(route, "/{id}")[0]).Post.RequestBody.Value.Content[mediaType].Schema.Ref
	body := run.samples.object(shapeOf(run.tree, map[string]any{"$ref": schema}))
	return strings.Replace(path, "{id}", s.Create(collection, asJSON(body)), 1)
}

func success(operation *openapi3.Operation) int {
	for _, status := range []int{200, 201, 204} {
		if operation.Responses.Status(status) != nil {
			return status
		}
	}
	return 0
}

// send sends a variant and checks the response.
func (run *conformance) send(v testCase) {
	run.count++
	run.variants[v.route]++
	text, isText := v.body.(string)
	if v.body != nil && !isText {
		text = asJSON(v.body)
	}
	r := httptest.NewRequest(v.method, "http://localhost"+v.path, strings.NewReader(text))
	r.Header.Set("Authorization", "Bearer "+run.server.AdminKey)
	r.Header.Set("Service-Version", "2")
	if text != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if v.change != nil {
		v.change(r)
	}
	var before map[string]any
	if v.kept != "" {
		before = run.server.Get(v.path)
	}
	recorder := httptest.NewRecorder()
	run.handler.ServeHTTP(recorder, r)
	response := recorder.Result()
	raw, _ := io.ReadAll(response.Body)
	got := result{status: response.StatusCode, header: response.Header, raw: string(raw), body: decodeAnswer(raw)}
	if problem := v.check(got, before); problem != "" {
		run.failed("%s %s, %s: %s; sent %s; answered %d %s", v.method, v.route, v.name, problem, cut(text), got.status, cut(got.raw))
	}
}

// check describes what is wrong with a response. It returns an empty string if
// the response is correct.
func (v testCase) check(got result, before map[string]any) string {
	switch {
	case got.status != v.status:
		return fmt.Sprintf("the status must be %d", v.status)
	case got.field() != v.field:
		return fmt.Sprintf("details.field must be %q", v.field)
	case got.header.Get("Allow") != v.allow:
		return fmt.Sprintf("Allow must be %q", v.allow)
	case got.header.Get("Tunnel-Operation-Id") == "":
		return "there is no Tunnel-Operation-Id"
	case v.status == http.StatusNoContent:
		return ""
	case v.kept == everyField && asJSON(got.body) != asJSON(before):
		return "nothing must change"
	case v.kept != "" && v.kept != everyField && form(got.body, v.kept) != form(before, v.kept):
		return v.kept + " must stay as it was"
	}
	schema := "#/components/schemas/Error"
	if v.status < http.StatusBadRequest {
		schema = document().Paths.Value(v.route).GetOperation(v.method).Responses.Status(v.status).Value.Content[mediaType].Schema.Ref
		sent, _ := v.body.(map[string]any)
		for _, name := range []string{"description", "metadata", "enabled", "match", "match_type", "body"} {
			if value := sent[name]; value != nil && value != "" && form(got.body, name) != asJSON(value) {
				return name + " must be what was sent"
			}
		}
	}
	if err := apiContract().CheckBody(schema, []byte(got.raw)); err != nil {
		return err.Error()
	}
	return ""
}
