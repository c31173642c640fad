package attribute

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
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

// OptionalSet returns the state of an optional set of strings after the
// service's answer. It has the type of the known set.
func OptionalSet(known types.Set, answer []string) types.Set {
	return setOf(elementType(known), answer)
}

// elementType returns the type of the elements of a set of strings; plain
// strings for the zero value. The result of a read is compared with the known
// value, so it needs the same type.
func elementType(set types.Set) basetypes.StringTypable {
	if of, ok := set.ElementType(context.Background()).(basetypes.StringTypable); ok {
		return of
	}
	return types.StringType
}

// SetOf returns a set of strings, sorted as Terraform sorts sets, without
// duplicates.
func SetOf(texts []string) types.Set { return setOf(types.StringType, texts) }

func setOf(of basetypes.StringTypable, texts []string) types.Set {
	distinct := Distinct(texts)
	slices.Sort(distinct)
	elements := make([]attr.Value, len(distinct))
	for i, text := range distinct {
		elements[i], _ = of.ValueFromString(context.Background(), types.StringValue(text)) // no type here can fail
	}
	return types.SetValueMust(of, elements)
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

// Distinct returns the texts in order, each once.
func Distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
}

// Strings returns the elements of a wholly known list or set of strings, or nil
// if it is null.
func Strings(collection interface{ Elements() []attr.Value }) []string {
	var texts []string
	for _, element := range collection.Elements() {
		if text, ok := element.(interface{ ValueString() string }); ok {
			texts = append(texts, text.ValueString())
		}
	}
	return texts
}

// SortedStrings returns the sorted elements of a wholly known set of strings.
// The result is never nil.
func SortedStrings(set types.Set) []string {
	texts := append([]string{}, Strings(set)...)
	slices.Sort(texts)
	return texts
}

// changedSet returns the planned elements of a set of strings for an update, or
// nil if they do not change. A null set is treated as an empty one.
func changedSet(plan, state types.Set) *[]string {
	now, before := Strings(plan), Strings(state)
	slices.Sort(now)
	slices.Sort(before)
	if slices.Equal(now, before) {
		return nil
	}
	if now == nil {
		now = []string{}
	}
	return &now
}

func values(texts []string) []attr.Value {
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = types.StringValue(text)
	}
	return elements
}
