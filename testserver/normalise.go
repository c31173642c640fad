package testserver

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// normalRule is one way in which a service may return something other than what
// was sent. The same stored value gives the same response each time, as if the
// service had stored the changed value.
type normalRule struct {
	name   string
	types  []string                                      // names of schemas in openapi.yaml; nil means all optional fields
	change func(value any, in map[string]any) any        // changes a value of these types in the object in; value can be missing
	patch  func(a *answer, members, sent map[string]any) // changes the response to a PATCH
	empty  bool                                          // a PATCH ignores empty values
}

// missing is the value of a field that a response does not contain.
type missing struct{}

// NormalRules returns the names of all rules for [WithNormalRules].
func NormalRules() []string {
	var names []string
	for i := range normalRules {
		names = append(names, normalRules[i].name)
	}
	return names
}

// SetNormaliser makes the server change values in its responses by the rules
// that the seed selects, about a third of all. The README lists the rules.
func (s *Server) SetNormaliser(seed uint64) {
	var chosen []*normalRule
	for i := range normalRules {
		if drawn(normalRules[i].name, seed, 3) {
			chosen = append(chosen, &normalRules[i])
		}
	}
	s.normal.Store(&chosen)
}

// SetNormalRules makes the server change values in its responses by the rules
// with these names. Without names, it changes nothing. An unknown name fails
// the test, or panics if the server was created with [New].
func (s *Server) SetNormalRules(names ...string) {
	var chosen []*normalRule
	for _, name := range names {
		i := slices.Index(NormalRules(), name)
		if i < 0 {
			s.fail("unknown rule %q", name)
			return
		}
		chosen = append(chosen, &normalRules[i])
	}
	s.normal.Store(&chosen)
}

// drawn reports whether a seed selects a name, with a probability of 1/n.
func drawn(name string, seed uint64, n int) bool {
	hash := fnv.New64()
	_, _ = hash.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, hash.Sum64())).IntN(n) == 0
}

// rules returns the active rules for a call.
func (c *call) rules() []*normalRule {
	active := c.server.normal.Load()
	if active == nil || c.direct {
		return nil
	}
	return *active
}

// keepsEmpty reports whether empty values in the request are ignored.
func (c *call) keepsEmpty() bool {
	return c.request.Method == http.MethodPatch && slices.ContainsFunc(c.rules(), func(r *normalRule) bool { return r.empty })
}

// normalise changes the values in a successful response.
func (c *call) normalise(a *answer) {
	rules := c.rules()
	if len(rules) == 0 || a.status >= http.StatusBadRequest || len(a.body) == 0 {
		return
	}
	operation := document().Paths.Value(c.endpoint.pattern).GetOperation(c.request.Method)
	schema := operation.Responses.Status(a.status).Value.Content[jsonType].Schema
	tree := normaliser(rules).value(schema, decodeTree(a.body), nil)
	a.body = marshal(tree)
	members, _ := tree.(map[string]any)
	if c.request.Method != http.MethodPatch || members == nil {
		return
	}
	sent, _ := parseBody(c.body) // the request was accepted, so the body is valid or empty
	for _, rule := range rules {
		if rule.patch != nil && a.body != nil {
			rule.patch(a, members, sent)
		}
	}
}

type normaliser []*normalRule

const schemaPrefix = "#/components/schemas/"

// value changes a value of a schema and everything in it. in is the object that
// contains it.
func (n normaliser) value(schema *openapi3.SchemaRef, value any, in map[string]any) any {
	for _, choice := range schema.Value.OneOf {
		if choice.Ref != "" && value != nil {
			schema = choice
		}
	}
	switch value := value.(type) {
	case map[string]any:
		n.members(schema.Value, value)
	case []any:
		for i := range value {
			if schema.Value.Items != nil {
				value[i] = n.value(schema.Value.Items, value[i], in)
			}
		}
	}
	name := strings.TrimPrefix(schema.Ref, schemaPrefix)
	for _, rule := range n {
		if rule.change != nil && (rule.types == nil || slices.Contains(rule.types, name)) {
			value = rule.change(value, in)
		}
	}
	return value
}

// members changes the members of an object. A field that is absent can get a
// value.
func (n normaliser) members(schema *openapi3.Schema, members map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		value, present := members[name]
		if !present {
			value = missing{}
		}
		if value = n.value(schema.Properties[name], value, members); value != (missing{}) {
			members[name] = value
		}
	}
}
