package attribute

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Optional returns the state of an optional string after the service's answer.
// The service does not distinguish an empty string from an unset one, but a
// configuration does: if the service returns an empty one and the known value is empty
// or null, the known value is kept. For collections, see EmptyByDefault.
func Optional(known types.String, answer string) types.String {
	if answer != "" {
		return types.StringValue(answer)
	}
	if known.ValueString() == "" && !known.IsUnknown() {
		return known
	}
	return types.StringNull()
}

// ListOf returns a list of strings.
func ListOf(texts []string) types.List {
	return types.ListValueMust(types.StringType, values(texts))
}

// MapOf returns a map of strings.
func MapOf(texts map[string]string) types.Map {
	elements := make(map[string]attr.Value, len(texts))
	for key, text := range texts {
		elements[key] = types.StringValue(text)
	}
	return types.MapValueMust(types.StringType, elements)
}

// StringMap returns the elements of a wholly known map of strings.
func StringMap(m types.Map) map[string]string {
	texts := make(map[string]string, len(m.Elements()))
	for key, element := range m.Elements() {
		if text, ok := element.(types.String); ok {
			texts[key] = text.ValueString()
		}
	}
	return texts
}

// Strings returns the elements of a wholly known list of strings, or nil
// if it is null.
func Strings(list types.List) []string {
	var texts []string
	for _, element := range list.Elements() {
		if text, ok := element.(interface{ ValueString() string }); ok {
			texts = append(texts, text.ValueString())
		}
	}
	return texts
}

func values(texts []string) []attr.Value {
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = types.StringValue(text)
	}
	return elements
}
