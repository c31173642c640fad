package testserver

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// OpenAPI is the API contract as an OpenAPI 3.1 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// document parses OpenAPI once.
var document = sync.OnceValue(func() *openapi3.T {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(OpenAPI)
	if err == nil {
		err = doc.Validate(loader.Context)
	}
	if err != nil {
		panicf("read openapi.yaml: %v", err) // the document is embedded, so an error is a bug
	}
	return doc
})

// checkContract validates a request and its response against the document and
// reports violations.
func (s *Server) checkContract(c *call, a *answer) {
	item := document().Paths.Value(c.endpoint.pattern)
	if item == nil || item.GetOperation(c.request.Method) == nil {
		s.report(c, a, "the response violates the contract", checkBody("#/components/schemas/Error", a.body))
		return
	}
	input := c.validationInput(item)
	var refusal error
	if c.bodyErr == nil { // otherwise the connection failed, and what the client meant to send is unknown
		refusal = checkRequest(c, input)
	}
	switch {
	case refusal != nil && a.status < http.StatusBadRequest:
		s.report(c, a, "the request violates the contract but was accepted", refusal)
	case refusal != nil && s.strict:
		s.report(c, a, "the request violates the contract", refusal)
	}
	s.report(c, a, "the response violates the contract", checkAnswer(a, input))
}

// report reports a violation. what and err must not contain values of the
// request or response, because they can be secrets.
func (s *Server) report(c *call, a *answer, what string, err error) {
	if err != nil {
		s.violation(fmt.Errorf("%s %s, status %d: %s: %w", c.request.Method, c.request.URL.Path, a.status, what, err))
	}
}

// validationInput returns the input for the validator, without the bodies.
func (c *call) validationInput(item *openapi3.PathItem) *openapi3filter.RequestValidationInput {
	return &openapi3filter.RequestValidationInput{
		Request:    c.request.Clone(context.Background()),
		PathParams: c.values,
		Route: &routers.Route{
			Spec: document(), Path: c.endpoint.pattern, PathItem: item, Method: c.request.Method,
			Operation: item.GetOperation(c.request.Method),
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

func checkRequest(c *call, input *openapi3filter.RequestValidationInput) error {
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		return withoutValues(err)
	}
	wanted := input.Route.Operation.RequestBody
	if wanted == nil {
		return nil
	}
	if c.quirk != nil && len(c.body) == 0 {
		return nil // see the quirk for empty bodies
	}
	if len(c.body) == 0 {
		return errors.New("body: missing")
	}
	if err := c.jsonContent(); err != nil {
		return err
	}
	body := c.body
	if values, err := parseBody(body); err == nil && c.dropIgnored(values) == nil {
		body = marshal(values)
	}
	return checkBody(wanted.Value.Content[jsonType].Schema.Ref, body)
}

func checkAnswer(a *answer, input *openapi3filter.RequestValidationInput) error {
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: a.status, Header: a.header, Options: input.Options,
	}
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		return withoutValues(err)
	}
	promised := input.Route.Operation.Responses.Status(a.status).Value.Content[jsonType]
	switch {
	case promised == nil && len(a.body) > 0:
		return errors.New("body: expected no body")
	case promised == nil:
		return nil
	case a.header.Get("Content-Type") != jsonType:
		return errors.New("Content-Type: expected " + jsonType)
	}
	return checkBody(promised.Schema.Ref, a.body)
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
