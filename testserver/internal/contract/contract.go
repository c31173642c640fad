// Package contract checks requests and responses against an OpenAPI document. It
// uses body and problem, and takes values instead of calls, so that it judges the
// engine without depending on it. Rules that the document does not state must
// stay out.
package contract

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Document is the API contract.
type Document struct {
	*openapi3.T
	schemas func() map[string]*jsonschema.Schema // by reference
}

// New parses an OpenAPI 3.1 document in YAML. It panics if that fails, because the
// document is part of the program. A test validates it, which takes longer.
func New(text []byte) *Document {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		panic(fmt.Sprintf("testserver: read openapi.yaml: %v", err))
	}
	return &Document{doc, sync.OnceValue(func() map[string]*jsonschema.Schema { return compileSchemas(doc) })}
}

// operation returns an operation. It panics if the document lacks it, because the
// server then has a route that nobody described.
func (d *Document) operation(route, method string) *openapi3.Operation {
	if item := d.Paths.Value(route); item != nil && item.GetOperation(method) != nil {
		return item.GetOperation(method)
	}
	panic(fmt.Sprintf("testserver: openapi.yaml has no %s %s. "+
		"To write it, run: go test ./testserver -run TestContract_collections -args -update", method, route))
}

// Response returns the schema of a response with a JSON body.
func (d *Document) Response(route, method string, status int) *openapi3.SchemaRef {
	return d.operation(route, method).Responses.Status(status).Value.Content[jsonType].Schema
}

// DropIgnored removes members that public clients send although they set
// nothing: fields of the response that are null, and ids of the path. It
// returns an error if such an id differs from the path.
func (d *Document) DropIgnored(route, method string, path map[string]string, members map[string]any) error {
	for name, id := range path {
		if given := members[name]; given != nil && given != id {
			return problem.Invalid(name, "%s differs from the %s in the path", name, name)
		}
		delete(members, name)
	}
	operation := d.operation(route, method)
	sent := operation.RequestBody.Value.Content[jsonType].Schema.Value.Properties
	for _, status := range []int{http.StatusOK, http.StatusCreated} {
		response := operation.Responses.Status(status)
		if response == nil {
			continue
		}
		for name := range response.Value.Content[jsonType].Schema.Value.Properties {
			if value, given := members[name]; given && value == nil && sent[name] == nil {
				delete(members, name)
			}
		}
	}
	return nil
}

// Exchange is a request and its response.
type Exchange struct {
	Request    *http.Request
	Route      string            // empty for an unknown path
	Parameters map[string]string // path parameters by name
	Body       []byte
	Incomplete bool // the connection failed while the body arrived, so what the client meant to send is unknown

	Status int
	Header http.Header
	Answer []byte // body of the response
}

// Check validates a request and its response. It returns an error for a response
// that the document does not allow, and for a success of a request that it does
// not allow; with strict, for every such request. The errors contain no values
// of the request or response, because they can be secrets.
func (d *Document) Check(x *Exchange, strict bool) []error {
	item := d.Paths.Value(x.Route)
	if item == nil || item.GetOperation(x.Request.Method) == nil {
		return x.violations("the response violates the contract", d.CheckBody("#/components/schemas/Error", x.Answer))
	}
	operation := item.GetOperation(x.Request.Method)
	var refusal error
	if !x.Incomplete {
		refusal = d.checkRequest(x, operation, item.Parameters)
	}
	var found []error
	switch {
	case refusal != nil && x.Status < http.StatusBadRequest:
		found = x.violations("the request violates the contract but was accepted", refusal)
	case refusal != nil && strict:
		found = x.violations("the request violates the contract", refusal)
	}
	return append(found, x.violations("the response violates the contract", d.checkAnswer(x, operation))...)
}

// violations returns no error if err is nil.
func (x *Exchange) violations(what string, err error) []error {
	if err == nil {
		return nil
	}
	return []error{fmt.Errorf("%s %s, status %d: %s: %w", x.Request.Method, x.Request.URL.Path, x.Status, what, err)}
}

const jsonType = "application/json"

// checkRequest checks that a request has a key, which the document cannot know, and what
// the document says of its parameters and its body.
func (d *Document) checkRequest(x *Exchange, operation *openapi3.Operation, ofPath openapi3.Parameters) error {
	scheme, key, _ := strings.Cut(x.Request.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || key == "" {
		return errors.New("missing Authorization: Bearer header")
	}
	query := x.Request.URL.Query()
	for _, parameter := range slices.Concat(ofPath, operation.Parameters) {
		text, given := x.Parameters[parameter.Value.Name]
		switch parameter.Value.In {
		case openapi3.ParameterInHeader:
			text = x.Request.Header.Get(parameter.Value.Name)
			given = text != ""
		case openapi3.ParameterInQuery:
			text, given = query.Get(parameter.Value.Name), query.Has(parameter.Value.Name)
		}
		if !given && parameter.Value.Required || given && !permits(parameter.Value.Schema, text) {
			return fmt.Errorf("parameter %s", parameter.Value.Name)
		}
	}
	wanted := operation.RequestBody
	if wanted == nil {
		return nil
	}
	if len(x.Body) == 0 {
		return errors.New("body: missing")
	}
	if err := body.CheckContentType(x.Request.Header); err != nil {
		return err
	}
	content := x.Body
	if members, err := body.Parse(content); err == nil && d.DropIgnored(x.Route, x.Request.Method, x.Parameters, members) == nil {
		content = body.Marshal(members)
	}
	return d.CheckBody(wanted.Value.Content[jsonType].Schema.Ref, content)
}

// permits reports whether a schema permits a text.
func permits(schema *openapi3.SchemaRef, text string) bool {
	var value any = text
	if schema.Value.Type.Is("integer") {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return false
		}
		value = number
	}
	return schema.Value.VisitJSON(value) == nil
}

func (d *Document) checkAnswer(x *Exchange, operation *openapi3.Operation) error {
	response := operation.Responses.Status(x.Status)
	if response == nil {
		return errors.New("status is not supported")
	}
	for name, header := range response.Value.Headers {
		if text := x.Header.Get(name); text == "" && header.Value.Required || text != "" && !permits(header.Value.Schema, text) {
			return fmt.Errorf("header %s", name)
		}
	}
	promised := response.Value.Content[jsonType]
	switch {
	case promised == nil && len(x.Answer) > 0:
		return errors.New("body: expected no body")
	case promised == nil:
		return nil
	case x.Header.Get("Content-Type") != jsonType:
		return errors.New("Content-Type: expected " + jsonType)
	}
	return d.CheckBody(promised.Schema.Ref, x.Answer)
}
