// Package conformance derives valid and invalid requests from an OpenAPI document,
// for every route and field, sends them to a service, and compares each response with
// what the document says. It is a user of the contract: it knows a base URL and keys,
// and makes all objects that it needs through the API. The test server must stay out.
package conformance

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/contract"
)

// Config says which service a run is for.
type Config struct {
	Document    *contract.Document
	Base        string // base URL without a trailing slash
	Transport   http.RoundTripper
	Key         string
	ReadOnlyKey string // empty if there is none
	Mark        string // text in every object that the run makes
	// Throwaway allows requests that could change or leave objects without the mark,
	// if the service does not behave as documented.
	Throwaway bool
	Only      func(route string) bool // nil means all routes
	Progress  func(done, of int)      // called after each operation
}

// Run sends variants of every request that the document describes.
type Run struct {
	Results  []Result
	Requests int    // requests that were sent
	Current  Result // what the last of them tests; without a rule if it only prepares or looks
	Unclear  int    // creations that may have been processed

	config     Config
	ctx        context.Context
	chain, key string   // of the certificate in requests
	count      int      // of generated values
	named      []string // the address and keys, each with the name of a variable
	schemas    schemas
	objects    map[string][]string // ids of shared objects, by path
	ownerID    string
	made       []string // paths of objects that exist
	lack       error    // why the next variant cannot be sent
	stopped    error    // why the run ended early
	failures   int      // requests in a row without a response
	errors     int      // responses in a row with a 5xx status

	ids     map[string]int   // how often a POST has returned an object, by path
	members map[string]shape // what the document says of a member anywhere, by name
	absent  map[string]bool  // whether the service lacks a kind, by path of the collection
	lacking map[string]error // why a shared object could not be made, by path
	leftOut map[string]bool  // members that the service refuses, by path of the collection and name
	general map[string]bool  // the rules of every response
	causes  map[string]int   // the results that do not agree, by cause
	deletes map[string]bool  // whether a DELETE deletes, by the last part of the path of the collection
}

// New returns a run that has sent nothing yet.
func New(ctx context.Context, config Config) *Run {
	run := &Run{
		config: config, ctx: ctx, named: []string{config.Base, "$TUNNEL_BASE_URL", config.Key, "$TUNNEL_API_KEY"},
		schemas: decoded[schemas](body.Marshal(config.Document.Components.Schemas)), objects: map[string][]string{}, ids: map[string]int{},
		members: map[string]shape{}, absent: map[string]bool{}, lacking: map[string]error{}, leftOut: map[string]bool{},
		general: map[string]bool{}, causes: map[string]int{}, deletes: map[string]bool{},
	}
	if config.ReadOnlyKey != "" {
		run.named = append(run.named, config.ReadOnlyKey, "$TUNNEL_READ_ONLY_API_KEY")
	}
	run.chain, run.key = newCertificate()
	for name := range run.schemas {
		run.define(run.schemas.shape(name))
	}
	return run
}

// define remembers the members of a schema, at any depth.
func (run *Run) define(s *shape) {
	for name, field := range s.Fields {
		known := run.members[name]
		known.WriteOnly = known.WriteOnly || field.WriteOnly
		known.NullClears = known.NullClears || field.NullClears
		known.ShownAs = cmp.Or(known.ShownAs, field.ShownAs)
		run.members[name] = known
		run.define(field)
	}
	if s.Items != nil {
		run.define(s.Items)
	}
}

// testCase is a request and its expected response.
type testCase struct {
	name         string
	method, path string
	body         any // a string is sent unchanged; nil means no body
	change       func(*http.Request)
	status       int
	field        string // expected details.field
	route        string
	kept         string // response field that must not change
	input        *shape // of the body; nil without a body
	mayRefuse    bool   // the API documentation does not say that this value is accepted
}

const mediaType = "application/json"

// All sends the variants of every operation. It returns why it ended early, or nil.
func (run *Run) All() error {
	type step struct {
		method, route string
		do            func()
	}
	var operations, stories []step
	paths := run.config.Document.Paths.Map()
	for _, route := range slices.Sorted(maps.Keys(paths)) {
		item := paths[route]
		if run.config.Only != nil && !run.config.Only(route) {
			continue
		}
		all := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(all)) {
			operations = append(operations, step{method, route, func() { run.operation(method, route, all[method]) }})
		}
		if item.Post != nil {
			stories = append(stories, step{http.MethodPost, route, func() { run.story(route) }})
		}
	}
	all := slices.Concat(operations, stories)
	for i, o := range all {
		switch {
		case run.stopped != nil:
			run.notTried(testCase{name: "all", method: o.method, route: o.route}, true, run.stopped.Error())
			continue
		case run.isAbsent(o.route):
			continue
		}
		o.do()
		if run.config.Progress != nil {
			run.config.Progress(i+1, len(all))
		}
	}
	run.reportGeneral()
	return run.stopped
}

// input returns the shape of a request body, or nil if there is none.
func (run *Run) input(route, method string) *shape {
	operation := run.config.Document.Paths.Value(route).GetOperation(method)
	if operation == nil || operation.RequestBody == nil {
		return nil
	}
	s := run.schemas.shape(operation.RequestBody.Value.Content[mediaType].Schema.Ref)
	maps.DeleteFunc(s.Fields, func(name string, _ *shape) bool { return run.lacks(route, name) })
	return s
}

// Sample returns a valid request body with all fields. It is nil if the operation has no
// body.
func (run *Run) Sample(route, method string) map[string]any {
	if input := run.input(route, method); input != nil {
		return run.object(input)
	}
	return nil
}

func success(operation *openapi3.Operation) int {
	for _, status := range []int{200, 201, 204} {
		if operation.Responses.Status(status) != nil {
			return status
		}
	}
	return 0
}

func asJSON(value any) string {
	return string(body.Marshal(value))
}
