package behavior

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// acts are the choices and the changed values of one response.
type acts struct {
	api    *engine.API
	on     map[string]bool
	values []*definition // in the order of their rules
	random *rand.Rand
}

// Has reports whether a behavior is on.
func (a *acts) Has(name string) bool { return a.on[name] }

// missing is the value of a field that a response does not contain.
type missing struct{}

// Change changes the values in a response. The same stored value gives the same response
// each time, as if the service had stored the changed value.
func (a *acts) Change(c *engine.Call, response *engine.Answer) {
	if len(a.values) == 0 || response.Status >= http.StatusBadRequest || len(response.Body) == 0 {
		return
	}
	schema := a.api.Contract.Response(c.Endpoint.Pattern, c.Request.Method, response.Status)
	tree := change(a.values, schema, body.Decode(response.Body), nil)
	response.Body = body.Marshal(tree)
	members, _ := tree.(map[string]any)
	if c.Request.Method != http.MethodPatch || members == nil {
		return
	}
	for _, rule := range a.values {
		if rule.patch != nil && len(response.Body) > 0 {
			response.Body = rule.patch(members)
		}
	}
}

const schemaPrefix = "#/components/schemas/"

// change changes a value of a schema and everything in it. in is the object that
// contains it.
func change(values []*definition, schema *openapi3.SchemaRef, value any, in map[string]any) any {
	for _, choice := range schema.Value.OneOf {
		if choice.Ref != "" && value != nil {
			schema = choice
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(schema.Value.Properties)) {
			member, present := value[name]
			if !present {
				member = missing{} // can get a value
			}
			if member = change(values, schema.Value.Properties[name], member, value); member != (missing{}) {
				value[name] = member
			}
		}
	case []any:
		for i := range value {
			if schema.Value.Items != nil {
				value[i] = change(values, schema.Value.Items, value[i], in)
			}
		}
	}
	name := strings.TrimPrefix(schema.Ref, schemaPrefix)
	for _, rule := range values {
		if rule.change != nil && (rule.types == nil || slices.Contains(rule.types, name)) {
			value = rule.change(value, in)
		}
	}
	return value
}

// identity returns the members that identify an object.
func identity(members map[string]any) map[string]any {
	part := map[string]any{}
	for name, value := range members {
		if name == "id" || name == "type" || name == "uri" {
			part[name] = value
		}
	}
	return part
}
