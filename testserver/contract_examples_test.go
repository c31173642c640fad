package testserver

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/conformance"
)

// TestContract_examples checks that each object in a request or response has a valid
// example: what the conformance tests send, and what the server answers. With -update, it
// adds the missing ones to openapi.yaml: shorten keys, and choose better words.
func TestContract_examples(t *testing.T) {
	now := newClock()
	s := New(WithClock(now.now), WithBaseURL("https://api.example.com"))
	run := newConformance(s, s, func(c *conformance.Config) { c.Mark = "example" })
	text := string(OpenAPI)
	check := func(ref string, value any) {
		name := strings.TrimPrefix(ref, "#/components/schemas/")
		example := document().Components.Schemas[name].Value.Example
		switch head := "\n    " + name + ":\n"; {
		case strings.HasSuffix(name, "List"): // its elements have one
		case example != nil:
			if err := apiContract().CheckBody(ref, body.Marshal(example)); err != nil {
				t.Errorf("the example of %s is invalid: %v", name, err)
			}
		case !*update || strings.Count(text, head) != 1:
			t.Errorf("%s has no example: run this test with -args -update", name)
		case !strings.Contains(text, head+"      example: "):
			text = strings.Replace(text, head, head+"      example: "+asJSON(value)+"\n", 1)
		}
	}
	for _, route := range slices.Sorted(maps.Keys(document().Paths.Map())) {
		for method, operation := range document().Paths.Value(route).Operations() {
			sent := run.Sample(route, method)
			if operation.RequestBody != nil {
				check(operation.RequestBody.Value.Content[mediaType].Schema.Ref, sent)
			}
			for _, status := range []int{http.StatusOK, http.StatusCreated} {
				path, err := run.Path(route)
				if err != nil {
					t.Fatal(err)
				}
				if document().Paths.Value(route).Put != nil {
					s.Do(http.MethodPut, path, asJSON(run.Sample(route, http.MethodPut)))
				}
				if response := operation.Responses.Status(status); response != nil {
					_, answer := s.Do(method, path, asJSON(sent))
					check(response.Value.Content[mediaType].Schema.Ref, answer)
				}
			}
		}
	}
	for name, schema := range document().Components.Schemas {
		all := openapi3.Schemas{name: schema}
		maps.Copy(all, schema.Value.Properties)
		for member, of := range all {
			v := of.Value
			isOpen := v.AdditionalProperties.Has != nil || v.AdditionalProperties.Schema != nil
			if v.Default != nil || v.Type.Includes("object") && len(v.Properties)+len(v.OneOf)+len(v.AllOf) == 0 && !isOpen {
				t.Errorf("%s, %s: generators need additionalProperties, and take a default for a member that is required", name, member)
			}
		}
	}
	if text != string(OpenAPI) {
		if err := os.WriteFile("openapi.yaml", []byte(text), 0o644); err != nil { //nolint:gosec // the contract is public
			t.Fatal(err)
		}
	}
}
