package function

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// policyOf converts the argument policy, with the rules of one direction. known
// is false if a part of it is unknown.
func policyOf(value attr.Value, direction string) (p policy.Policy, known bool, err error) {
	const want = "policy must be a resource or data source of type tunnel_tls_edge_policy or tunnel_tcp_edge_policy, or an object with " +
		"inbound or outbound"
	if value != nil && value.IsUnknown() {
		return p, false, nil
	}
	members := membersOf(value)
	if members == nil {
		return p, false, fmt.Errorf("%s; found %s", want, kindOf(value))
	}
	if members["inbound"] == nil && members["outbound"] == nil {
		return p, false, fmt.Errorf("%s; found an object with neither", want)
	}
	r := &reader{known: true}
	if enabled := members["enabled"]; enabled != nil && !enabled.IsNull() {
		r.known = !enabled.IsUnknown()
		b, ok := enabled.(types.Bool)
		if !ok {
			return p, false, fmt.Errorf("policy.enabled must be a boolean; found %s", kindOf(enabled))
		}
		p.Disabled = !b.ValueBool()
	}
	at := "policy." + direction
	for i, element := range r.list(at, members[direction]) {
		rule := r.rule(fmt.Sprintf("%s[%d]", at, i), element)
		if direction == "outbound" {
			p.Outbound = append(p.Outbound, rule)
		} else {
			p.Inbound = append(p.Inbound, rule)
		}
	}
	return p, r.known, r.err
}

// A reader converts parts of a policy. It keeps the first error.
type reader struct {
	known bool
	err   error
}

func (r *reader) fail(at, want string, found attr.Value) {
	if r.err == nil {
		r.err = fmt.Errorf("%s must be %s; found %s", at, want, kindOf(found))
	}
}

func (r *reader) rule(at string, value attr.Value) policy.Rule {
	members := r.object(at, value, "name", "expressions", "actions")
	rule := policy.Rule{Name: r.text(at+".name", members["name"])}
	for _, required := range []string{"expressions", "actions"} {
		if v := members[required]; members != nil && (v == nil || v.IsNull()) {
			r.fail(at+"."+required, "set", v)
		}
	}
	for i, element := range r.list(at+".expressions", members["expressions"]) {
		here := fmt.Sprintf("%s.expressions[%d]", at, i)
		if element.IsNull() {
			r.fail(here, "a string", element)
		}
		text := r.text(here, element)
		if err := attribute.CheckCEL(text); err != nil && attribute.IsKnown(element) && r.err == nil {
			r.err = fmt.Errorf("%s %w", here, err)
		}
		rule.Expressions = append(rule.Expressions, text)
	}
	for i, element := range r.list(at+".actions", members["actions"]) {
		here := fmt.Sprintf("%s.actions[%d]", at, i)
		action := r.object(here, element, "type", "config")
		if kind := action["type"]; action != nil && (kind == nil || kind.IsNull()) {
			r.fail(here+".type", "set", kind)
		}
		rule.Actions = append(
			rule.Actions,
			policy.Action{Type: r.text(here+".type", action["type"]), Config: attribute.FileText(r.text(here+".config", action["config"]))},
		)
	}
	return rule
}

// object returns the members of an object. Other members than the allowed ones
// are an error, because they are misspelled.
func (r *reader) object(at string, value attr.Value, allowed ...string) map[string]attr.Value {
	if value.IsUnknown() {
		r.known = false
		return nil
	}
	members := membersOf(value)
	if members == nil {
		r.fail(at, "an object", value)
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(allowed, name) && r.err == nil {
			r.err = fmt.Errorf("%s has the unknown attribute %s. Expected %s", at, quote.Bare(name), attribute.Alternatives(allowed))
		}
	}
	return members
}

func (r *reader) text(at string, value attr.Value) string {
	if value == nil || value.IsNull() {
		return ""
	}
	if value.IsUnknown() {
		r.known = false
		return ""
	}
	text, ok := value.(types.String)
	if !ok {
		want := "a string"
		if membersOf(value) != nil {
			want += ", such as jsonencode returns"
		}
		r.fail(at, want, value)
	}
	return text.ValueString()
}

func (r *reader) list(at string, value attr.Value) []attr.Value {
	if value == nil || value.IsNull() {
		return nil
	}
	if value.IsUnknown() {
		r.known = false
		return nil
	}
	elements, ok := elementsOf(value)
	if !ok {
		r.fail(at, "a list", value)
	}
	return elements
}

// membersOf returns the members of an object or map, or nil for other values.
func membersOf(value attr.Value) map[string]attr.Value {
	switch value := value.(type) {
	case types.Object:
		if attribute.IsKnown(value) {
			return value.Attributes()
		}
	case types.Map:
		if attribute.IsKnown(value) {
			return value.Elements()
		}
	}
	return nil
}

func elementsOf(value attr.Value) ([]attr.Value, bool) {
	switch value := value.(type) {
	case types.List:
		return value.Elements(), true
	case types.Tuple:
		return value.Elements(), true
	case types.Set:
		return value.Elements(), true
	}
	return nil, false
}

// plain converts a value to a Go value. known is false if a part of it is
// unknown.
func plain(value attr.Value) (converted any, known bool) {
	if value == nil || value.IsNull() {
		return nil, true
	}
	if value.IsUnknown() {
		return nil, false
	}
	known = true
	add := func(part attr.Value) any {
		converted, partKnown := plain(part)
		known = known && partKnown
		return converted
	}
	if members := membersOf(value); members != nil {
		object := make(map[string]any, len(members))
		for name, member := range members {
			object[name] = add(member)
		}
		return object, known
	}
	if elements, ok := elementsOf(value); ok {
		list := make([]any, len(elements))
		for i, element := range elements {
			list[i] = add(element)
		}
		return list, known
	}
	switch value := value.(type) {
	case types.String:
		return value.ValueString(), true
	case types.Bool:
		return value.ValueBool(), true
	case types.Number:
		if n, accuracy := value.ValueBigFloat().Int64(); accuracy == big.Exact {
			return n, true
		}
		n, _ := value.ValueBigFloat().Float64()
		return n, true
	}
	return nil, true
}

// kindOf returns what a value is, for error messages.
func kindOf(value attr.Value) string {
	if value == nil || value.IsNull() {
		return "null"
	}
	if membersOf(value) != nil {
		return "an object"
	}
	if _, ok := elementsOf(value); ok {
		return "a list"
	}
	switch value.(type) {
	case types.String:
		return "a string"
	case types.Bool:
		return "a boolean"
	}
	return "a number"
}
