package testserver

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// OpenAPI is the contract as an OpenAPI 3.1 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte

// document is OpenAPI, read once.
var document = sync.OnceValue(func() *openapi3.T {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(OpenAPI)
	if err == nil {
		err = doc.Validate(loader.Context)
	}
	if err != nil {
		panicf("read openapi.yaml: %v", err) // it is a part of this package
	}
	return doc
})

// checkContract holds a request and its answer against the document, and reports what breaks it.
func (s *Server) checkContract(c *call, a *answer) {
	input := c.validationInput()
	if input == nil {
		s.report(c, a, checkError(a))
		return
	}
	refusal := openapi3filter.ValidateRequest(context.Background(), input)
	switch {
	case refusal != nil && a.status < http.StatusBadRequest:
		s.report(c, a, fmt.Errorf("the request breaks the contract, but was accepted: %s", blame(refusal)))
	case refusal != nil && s.strict:
		s.report(c, a, fmt.Errorf("the request breaks the contract: %s", blame(refusal)))
	}
	if a.status == http.StatusMethodNotAllowed {
		s.report(c, a, checkError(a))
		return
	}
	output := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: a.status, Header: a.header, Options: input.Options,
	}
	output.SetBodyBytes(a.body)
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		s.report(c, a, fmt.Errorf("the answer breaks the contract: %s", blame(err)))
	}
}

func (s *Server) report(c *call, a *answer, err error) {
	if err != nil {
		s.violation(fmt.Errorf("%s %s, status %d: %w", c.request.Method, c.request.URL.Path, a.status, err))
	}
}

// validationInput is the request as the validator wants it; nil if the document does not have its path and method.
func (c *call) validationInput() *openapi3filter.RequestValidationInput {
	doc := document()
	item := doc.Paths.Value(c.endpoint.pattern)
	if item == nil || item.GetOperation(c.request.Method) == nil {
		return nil
	}
	body, _ := c.readBody() // a body that cannot be read is refused anyway
	request := c.request.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(body))
	return &openapi3filter.RequestValidationInput{
		Request:    request,
		PathParams: c.values,
		Route: &routers.Route{
			Spec: doc, Path: c.endpoint.pattern, PathItem: item, Method: c.request.Method,
			Operation: item.GetOperation(c.request.Method),
		},
		Options: &openapi3filter.Options{
			AuthenticationFunc:    checkBearer,
			IncludeResponseStatus: true,
			SkipSettingDefaults:   true,
		},
	}
}

// checkBearer tells whether a request has a key at all; whether it is known, the document cannot say.
func checkBearer(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	header := input.RequestValidationInput.Request.Header.Get("Authorization")
	if scheme, key, _ := strings.Cut(header, " "); !strings.EqualFold(scheme, "Bearer") || key == "" {
		return errors.New("there is no Authorization: Bearer")
	}
	return nil
}

// checkError holds the answer to a request that no operation of the document covers against the form of errors.
func checkError(a *answer) error {
	var body any
	if len(a.body) > 0 {
		body = decodeTree(a.body)
	}
	schema := document().Components.Schemas["Error"].Value
	if err := schema.VisitJSON(body, openapi3.EnableJSONSchema2020()); err != nil {
		return fmt.Errorf("the answer breaks the contract: %s", blame(err))
	}
	return nil
}

// blame says what is wrong and where, without any value of the request or answer: it might be a secret.
func blame(err error) string {
	place := ""
	var request *openapi3filter.RequestError
	if errors.As(err, &request) && request.Parameter != nil {
		place = fmt.Sprintf("parameter %s: ", request.Parameter.Name)
	}
	var schema *jsonschema.ValidationError
	if errors.As(err, &schema) {
		return place + blameSchema(schema)
	}
	var legacy *openapi3.SchemaError
	if errors.As(err, &legacy) {
		return fmt.Sprintf("%s/%s: %s", place, strings.Join(legacy.JSONPointer(), "/"), legacy.SchemaField)
	}
	var answer *openapi3filter.ResponseError
	if errors.As(err, &answer) {
		return place + answer.Reason
	}
	if request != nil && request.Reason != "" {
		return place + request.Reason
	}
	var security *openapi3filter.SecurityRequirementsError
	if errors.As(err, &security) {
		return "there is no Authorization: Bearer"
	}
	return place + "it cannot be read"
}

// blameSchema gives the innermost violations: where, and the keyword of the schema.
func blameSchema(err *jsonschema.ValidationError) string {
	if len(err.Causes) > 0 {
		var causes []string
		for _, cause := range err.Causes {
			causes = append(causes, blameSchema(cause))
		}
		return strings.Join(causes, "; ")
	}
	where := "/" + strings.Join(err.InstanceLocation, "/")
	switch broken := err.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("%s: %s is missing", where, strings.Join(broken.Missing, ", "))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("%s: %s is unknown", where, strings.Join(broken.Properties, ", "))
	default:
		return fmt.Sprintf("%s: %s", where, strings.Join(err.ErrorKind.KeywordPath(), "/"))
	}
}
