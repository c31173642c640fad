// Package conformance derives valid and invalid requests from an OpenAPI document,
// for every route and field, sends them to a service, and compares each response with
// what the document says. It is a user of the contract: it knows a base URL and keys,
// and makes all objects that it needs through the API. The test server must stay out.
package conformance

import (
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
	Progress  func(Progress)          // called after each operation
}

// Progress says how far a run is.
type Progress struct {
	Operations, Of, Requests, Differences int
}

// Run sends variants of every request that the document describes.
type Run struct {
	Results  []Result
	Requests int // requests that were sent
	Unclear  int // creations that may have been processed

	config     Config
	ctx        context.Context
	chain, key string // of the certificate in requests
	count      int    // of generated values
	tree       map[string]any
	objects    map[string][]string // ids of shared objects, by path
	ownerID    string
	made       []string // paths of objects that exist
	lack       error    // why the next variant cannot be sent
	stopped    error    // why the run ended early
	creates    bool     // the service has created an object
	failures   int      // requests in a row without a response
	errors     int      // responses in a row with a 5xx status
	cleaning   bool

	ids        map[string]int             // how often a POST has returned an object, by path
	names      map[string]bool            // members that the document defines anywhere
	writeOnly  map[string]bool            // those of them that no response needs to show
	nullClears map[string]bool            // those that null clears in an update; the document does not say so of others
	otherNames map[string]string          // those that responses show under another name
	absent     map[string]bool            // whether the service lacks a kind, by path of the collection
	lacking    map[string]error           // why a shared object could not be made, by path
	leftOut    map[string]map[string]bool // members that the service refuses, by method and route
	removed    map[string]bool            // paths that a DELETE has accepted
	differing  map[string]int             // the results that differ, by subject or rule
}

// New returns a run that has sent nothing yet.
func New(ctx context.Context, config Config) *Run {
	run := &Run{
		config: config, ctx: ctx, tree: schemaTree(config.Document), objects: map[string][]string{},
		differing: map[string]int{}, ids: map[string]int{},
		removed: map[string]bool{}, names: map[string]bool{},
		writeOnly: map[string]bool{}, nullClears: map[string]bool{}, otherNames: map[string]string{},
		lacking: map[string]error{}, leftOut: map[string]map[string]bool{}, absent: map[string]bool{},
	}
	run.chain, run.key = newCertificate()
	run.namesIn(run.tree["components"])
	return run
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
		if item.Put != nil {
			stories = append(stories, step{http.MethodPut, route, func() { run.moduleStory(route) }})
		} else if item.Post != nil {
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
			run.config.Progress(Progress{i + 1, len(all), run.Requests, len(run.differing)})
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
	s := shapeOf(run.tree, map[string]any{"$ref": operation.RequestBody.Value.Content[mediaType].Schema.Ref})
	for name := range run.leftOut[method+" "+route] {
		delete(s.fields, name)
	}
	return s
}

// Sample returns a valid request body with all fields, or with the required ones. It
// is nil if the operation has no body.
func (run *Run) Sample(route, method string, all bool) map[string]any {
	input := run.input(route, method)
	if input == nil {
		return nil
	}
	members := run.object(input)
	for name := range members {
		if !all && !slices.Contains(input.required, name) {
			delete(members, name)
		}
	}
	return members
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

// namesIn collects the members that a document defines anywhere, those of them that no
// response needs to show, those that null clears in an update, and those that responses
// show under another name.
func (run *Run) namesIn(tree any) {
	switch tree := tree.(type) {
	case map[string]any:
		properties, _ := tree["properties"].(map[string]any)
		for name, property := range properties {
			run.names[name] = true
			of, _ := property.(map[string]any)
			run.writeOnly[name] = run.writeOnly[name] || of["writeOnly"] == true
			run.nullClears[name] = run.nullClears[name] || of["x-null-clears"] == true
			if other, there := of["x-shown-as"].(string); there {
				run.otherNames[name] = other
			}
		}
		for _, value := range tree {
			run.namesIn(value)
		}
	case []any:
		for _, value := range tree {
			run.namesIn(value)
		}
	}
}
