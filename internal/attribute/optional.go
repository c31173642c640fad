package attribute

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The service does not tell an empty value from one that was never set, while a
// configuration does. So an empty answer keeps what the user wrote, as long as
// that was empty too; anything else is the service's to say.

// Optional returns the state of an optional string after the service's answer.
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
// service's answer.
func OptionalSet(known types.Set, answer []string) types.Set {
	if len(answer) > 0 {
		return SetOf(answer)
	}
	if Known(known) && len(known.Elements()) == 0 {
		return known
	}
	return types.SetNull(types.StringType)
}

// SetOf returns a set of strings, in the order in which Terraform keeps one. A
// text that occurs twice is in it once.
func SetOf(texts []string) types.Set {
	distinct := Distinct(texts)
	slices.Sort(distinct)
	return types.SetValueMust(types.StringType, values(distinct))
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

// StringMap returns the elements of a map of strings that is known as a whole.
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

// Strings returns the elements of a list or set of strings that is known as a
// whole; nil for one that is null.
func Strings(collection interface{ Elements() []attr.Value }) []string {
	var texts []string
	for _, element := range collection.Elements() {
		if text, ok := element.(types.String); ok {
			texts = append(texts, text.ValueString())
		}
	}
	return texts
}

// SortedStrings returns the elements of a set of strings that is known as a
// whole, sorted; never nil.
func SortedStrings(set types.Set) []string {
	texts := append([]string{}, Strings(set)...)
	slices.Sort(texts)
	return texts
}

// ChangedSet returns the new elements of a set of strings for an update, nil
// where they are the same. A set that is left out is an empty one to the
// service.
func ChangedSet(plan, state types.Set) *[]string {
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
