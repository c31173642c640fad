package contract

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// compileSchemas compiles the schemas of a document. It panics if one is invalid.
func compileSchemas(doc *openapi3.T) map[string]*jsonschema.Schema {
	compiled, err := compileAll(doc)
	if err != nil {
		panic(fmt.Sprintf("testserver: compile the schemas of openapi.yaml: %v", err))
	}
	return compiled
}

func compileAll(doc *openapi3.T) (map[string]*jsonschema.Schema, error) {
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	const address = "openapi:contract"
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(address, tree); err != nil {
		return nil, err
	}
	compiled := map[string]*jsonschema.Schema{}
	for name := range doc.Components.Schemas {
		reference := "#/components/schemas/" + name
		if compiled[reference], err = compiler.Compile(address + reference); err != nil {
			return nil, err
		}
	}
	return compiled, nil
}

// CheckBody validates a JSON body against the schema with the given reference.
func (d *Document) CheckBody(reference string, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return errors.New("body: invalid JSON")
	}
	if broken, ok := errors.AsType[*jsonschema.ValidationError](d.schemas()[reference].Validate(value)); ok {
		return fmt.Errorf("body: %s", failedKeyword(broken))
	}
	return nil
}

// failedKeyword describes the innermost violations: the location, and the
// violated keyword or the field names.
func failedKeyword(err *jsonschema.ValidationError) string {
	if len(err.Causes) > 0 {
		var causes []string
		for _, cause := range err.Causes {
			causes = append(causes, failedKeyword(cause))
		}
		return strings.Join(causes, "; ")
	}
	where := "/" + strings.Join(err.InstanceLocation, "/")
	switch broken := err.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("%s: missing %s", where, strings.Join(broken.Missing, ", "))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("%s: unknown field %s", where, strings.Join(broken.Properties, ", "))
	default:
		return fmt.Sprintf("%s: %s", where, strings.Join(err.ErrorKind.KeywordPath(), "/"))
	}
}
