// Package contract checks requests and responses against an OpenAPI document. It
// uses body and problem, and takes values instead of calls, so that it judges the
// engine without depending on it. Rules that the document does not state must
// stay out.
package contract

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Document is the API contract.
type Document struct {
	*openapi3.T
	schemas func() map[string]*jsonschema.Schema // by reference
}

// New parses an OpenAPI 3.1 document in YAML. It panics if the document
// is invalid, because it is part of the program.
func New(text []byte) *Document {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err == nil {
		err = doc.Validate(loader.Context)
	}
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
	input := d.validationInput(x, item)
	var refusal error
	if !x.Incomplete {
		refusal = d.checkRequest(x, input)
	}
	var found []error
	switch {
	case refusal != nil && x.Status < http.StatusBadRequest:
		found = x.violations("the request violates the contract but was accepted", refusal)
	case refusal != nil && strict:
		found = x.violations("the request violates the contract", refusal)
	}
	return append(found, x.violations("the response violates the contract", d.checkAnswer(x, input))...)
}

// violations returns no error if err is nil.
func (x *Exchange) violations(what string, err error) []error {
	if err == nil {
		return nil
	}
	return []error{fmt.Errorf("%s %s, status %d: %s: %w", x.Request.Method, x.Request.URL.Path, x.Status, what, err)}
}

// validationInput returns the input for the validator, without the bodies.
func (d *Document) validationInput(x *Exchange, item *openapi3.PathItem) *openapi3filter.RequestValidationInput {
	return &openapi3filter.RequestValidationInput{
		Request:    x.Request.Clone(context.Background()),
		PathParams: x.Parameters,
		Route: &routers.Route{
			Spec: d.T, Path: x.Route, PathItem: item, Method: x.Request.Method,
			Operation: item.GetOperation(x.Request.Method),
		},
		Options: &openapi3filter.Options{
			AuthenticationFunc:    checkBearer,
			IncludeResponseStatus: true,
			SkipSettingDefaults:   true,
			ExcludeRequestBody:    true,
			ExcludeResponseBody:   true,
		},
	}
}

var errNoBearer = errors.New("missing Authorization: Bearer header")

// checkBearer returns an error if a request has no API key. It does not check
// whether the key is known, because the document cannot express that.
func checkBearer(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	header := input.RequestValidationInput.Request.Header.Get("Authorization")
	if scheme, key, _ := strings.Cut(header, " "); !strings.EqualFold(scheme, "Bearer") || key == "" {
		return errNoBearer
	}
	return nil
}

const jsonType = "application/json"

func (d *Document) checkRequest(x *Exchange, input *openapi3filter.RequestValidationInput) error {
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		return withoutValues(err)
	}
	wanted := input.Route.Operation.RequestBody
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

func (d *Document) checkAnswer(x *Exchange, input *openapi3filter.RequestValidationInput) error {
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: x.Status, Header: x.Header, Options: input.Options,
	}
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		return withoutValues(err)
	}
	promised := input.Route.Operation.Responses.Status(x.Status).Value.Content[jsonType]
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

// withoutValues returns an error of the validator without the values of the
// request or response.
func withoutValues(err error) error {
	var request *openapi3filter.RequestError
	var answer *openapi3filter.ResponseError
	switch {
	case errors.Is(err, errNoBearer):
		return errNoBearer
	case errors.As(err, &request) && request.Parameter != nil:
		return fmt.Errorf("parameter %s", request.Parameter.Name)
	case errors.As(err, &answer):
		return errors.New(answer.Reason)
	}
	return errors.New("could not be parsed")
}
