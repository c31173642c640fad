package testserver

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
)

// contractDocument is the API contract.
type contractDocument struct {
	*openapi3.T
	schemas func() map[string]*jsonschema.Schema // by reference
}

// parseDocument parses an OpenAPI 3.1 document in YAML. It panics if the document
// is invalid, because it is part of the program.
func parseDocument(text []byte) *contractDocument {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err == nil {
		err = doc.Validate(loader.Context)
	}
	if err != nil {
		panic(fmt.Sprintf("testserver: read openapi.yaml: %v", err))
	}
	return &contractDocument{doc, sync.OnceValue(func() map[string]*jsonschema.Schema { return compileSchemas(doc) })}
}

// response returns the schema of a response with a JSON body.
func (d *contractDocument) response(route, method string, status int) *openapi3.SchemaRef {
	return d.Paths.Value(route).GetOperation(method).Responses.Status(status).Value.Content[jsonType].Schema
}

// dropIgnored removes members that public clients send although they set
// nothing: fields of the response that are null, and ids of the path. It
// returns an error if such an id differs from the path.
func (d *contractDocument) dropIgnored(route, method string, path map[string]string, members map[string]any) error {
	for name, id := range path {
		if given := members[name]; given != nil && given != id {
			return invalid(name, "%s differs from the %s in the path", name, name)
		}
		delete(members, name)
	}
	operation := d.Paths.Value(route).GetOperation(method)
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

// exchange is a request and its response.
type exchange struct {
	request *http.Request
	route   string            // empty for an unknown path
	path    map[string]string // path parameters by name
	body    []byte
	cut     bool // the connection failed while the body arrived, so what the client meant to send is unknown
	noBody  bool // a body may be missing, see the quirk for empty bodies

	status int
	header http.Header
	answer []byte // body of the response
}

// check validates a request and its response. It returns an error for a response
// that the document does not allow, and for a success of a request that it does
// not allow; with strict, for every such request. The errors contain no values
// of the request or response, because they can be secrets.
func (d *contractDocument) check(x *exchange, strict bool) []error {
	item := d.Paths.Value(x.route)
	if item == nil || item.GetOperation(x.request.Method) == nil {
		return x.violations("the response violates the contract", d.checkBody("#/components/schemas/Error", x.answer))
	}
	input := d.validationInput(x, item)
	var refusal error
	if !x.cut {
		refusal = d.checkRequest(x, input)
	}
	var found []error
	switch {
	case refusal != nil && x.status < http.StatusBadRequest:
		found = x.violations("the request violates the contract but was accepted", refusal)
	case refusal != nil && strict:
		found = x.violations("the request violates the contract", refusal)
	}
	return append(found, x.violations("the response violates the contract", d.checkAnswer(x, input))...)
}

// violations returns no error if err is nil.
func (x *exchange) violations(what string, err error) []error {
	if err == nil {
		return nil
	}
	return []error{fmt.Errorf("%s %s, status %d: %s: %w", x.request.Method, x.request.URL.Path, x.status, what, err)}
}

// validationInput returns the input for the validator, without the bodies.
func (d *contractDocument) validationInput(x *exchange, item *openapi3.PathItem) *openapi3filter.RequestValidationInput {
	return &openapi3filter.RequestValidationInput{
		Request:    x.request.Clone(context.Background()),
		PathParams: x.path,
		Route: &routers.Route{
			Spec: d.T, Path: x.route, PathItem: item, Method: x.request.Method,
			Operation: item.GetOperation(x.request.Method),
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

func (d *contractDocument) checkRequest(x *exchange, input *openapi3filter.RequestValidationInput) error {
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		return withoutValues(err)
	}
	wanted := input.Route.Operation.RequestBody
	if wanted == nil {
		return nil
	}
	if len(x.body) == 0 && x.noBody {
		return nil
	}
	if len(x.body) == 0 {
		return errors.New("body: missing")
	}
	if err := checkContentType(x.request.Header); err != nil {
		return err
	}
	content := x.body
	if members, err := parseBody(content); err == nil && d.dropIgnored(x.route, x.request.Method, x.path, members) == nil {
		content = marshal(members)
	}
	return d.checkBody(wanted.Value.Content[jsonType].Schema.Ref, content)
}

func (d *contractDocument) checkAnswer(x *exchange, input *openapi3filter.RequestValidationInput) error {
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: x.status, Header: x.header, Options: input.Options,
	}
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		return withoutValues(err)
	}
	promised := input.Route.Operation.Responses.Status(x.status).Value.Content[jsonType]
	switch {
	case promised == nil && len(x.answer) > 0:
		return errors.New("body: expected no body")
	case promised == nil:
		return nil
	case x.header.Get("Content-Type") != jsonType:
		return errors.New("Content-Type: expected " + jsonType)
	}
	return d.checkBody(promised.Schema.Ref, x.answer)
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
