package variation

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// normalRule is one way in which a service may return something other than what
// was sent. The same stored value gives the same response each time, as if the
// service had stored the changed value.
type normalRule struct {
	name   string
	types  []string                                          // names of schemas in openapi.yaml; nil means all optional fields
	change func(value any, in map[string]any) any            // changes a value of these types in the object in; value can be missing
	patch  func(r *patchReply, members, sent map[string]any) // changes the response to a PATCH
	empty  bool                                              // a PATCH ignores empty values
}

// patchReply is the response to a PATCH.
type patchReply struct {
	body      []byte // nil if there is none
	noContent bool   // the status is 204
}

// missing is the value of a field that a response does not contain.
type missing struct{}

// Rules are the active rules of a normalizer.
type Rules []*normalRule

// Names returns the names of all rules.
func Names() []string {
	var names []string
	for i := range normalRules {
		names = append(names, normalRules[i].name)
	}
	return names
}

// Draw returns the rules that a seed selects, about a third of all.
func Draw(seed uint64) Rules {
	var chosen Rules
	for i := range normalRules {
		if Drawn(normalRules[i].name, seed, 3) {
			chosen = append(chosen, &normalRules[i])
		}
	}
	return chosen
}

// Names returns the names of the rules.
func (rs Rules) Names() []string {
	var names []string
	for _, rule := range rs {
		names = append(names, rule.name)
	}
	return names
}

// Named returns the rules with these names.
func Named(names ...string) (Rules, error) {
	var chosen Rules
	for _, name := range names {
		i := slices.Index(Names(), name)
		if i < 0 {
			return nil, fmt.Errorf("unknown rule %q", name)
		}
		chosen = append(chosen, &normalRules[i])
	}
	return chosen, nil
}

// Drawn reports whether a seed selects a name, with a probability of 1/n.
func Drawn(name string, seed uint64, n int) bool {
	hash := fnv.New64()
	_, _ = hash.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, hash.Sum64())).IntN(n) == 0
}

// Identifies reports whether a member identifies an object in a response, so
// that every form of the response has it.
func Identifies(member string) bool {
	return slices.Contains([]string{"id", "type", "uri"}, member)
}

// KeepEmpty reports whether a PATCH ignores empty values.
func (rs Rules) KeepEmpty() bool {
	return slices.ContainsFunc(rs, func(r *normalRule) bool { return r.empty })
}

// Change returns the tree of a successful response with the given schema after
// all rules. It can change tree.
func (rs Rules) Change(schema *openapi3.SchemaRef, tree any) any {
	return rs.value(schema, tree, nil)
}

// Patched returns the body of the response to a PATCH that would return members.
// sent are the members of the request. The body is nil if there is none, and the
// status is 204 if noContent is true.
func (rs Rules) Patched(members, sent map[string]any) (content []byte, noContent bool) {
	reply := patchReply{body: body.Marshal(members)}
	for _, rule := range rs {
		if rule.patch != nil && reply.body != nil {
			rule.patch(&reply, members, sent)
		}
	}
	return reply.body, reply.noContent
}

const schemaPrefix = "#/components/schemas/"

// value changes a value of a schema and everything in it. in is the object that
// contains it.
func (rs Rules) value(schema *openapi3.SchemaRef, value any, in map[string]any) any {
	for _, choice := range schema.Value.OneOf {
		if choice.Ref != "" && value != nil {
			schema = choice
		}
	}
	switch value := value.(type) {
	case map[string]any:
		rs.members(schema.Value, value)
	case []any:
		for i := range value {
			if schema.Value.Items != nil {
				value[i] = rs.value(schema.Value.Items, value[i], in)
			}
		}
	}
	name := strings.TrimPrefix(schema.Ref, schemaPrefix)
	for _, rule := range rs {
		if rule.change != nil && (rule.types == nil || slices.Contains(rule.types, name)) {
			value = rule.change(value, in)
		}
	}
	return value
}

// members changes the members of an object. A field that is absent can get a
// value.
func (rs Rules) members(schema *openapi3.Schema, members map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		value, present := members[name]
		if !present {
			value = missing{}
		}
		if value = rs.value(schema.Properties[name], value, members); value != (missing{}) {
			members[name] = value
		}
	}
}
