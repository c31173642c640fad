package attribute

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The order and repetitions of the elements of a list of a Type have no meaning. No
// attribute is a set: with a set of n elements, Terraform and its plugin framework
// compare n*n pairs, so that 3,000 elements take minutes. What is here takes linear
// time.

// An ElementFormat is a format in which elements with different texts can be the same.
type ElementFormat interface {
	Format
	// Meaning returns a text that is equal for texts with the same meaning.
	Meaning(text string) string
}

// TextType is the type of the elements of an unordered list of texts, such as IDs.
type TextType = Type[text]

type text struct{}

func (text) Name() string { return "text" }

func (text) Check(string) error { return nil }

func (text) Same(a, b string) bool { return a == b }

// Fill returns the state of an unordered list for the service's response. Known elements
// stay as they are. New ones, sorted, take the places of elements that are gone, and then
// the end.
func (t Type[F]) Fill(known types.List, answer []string) types.List {
	before := Strings(known)
	was, is := t.meanings(before), t.meanings(answer)
	added := slices.DeleteFunc(t.Distinct(answer), func(text string) bool { return was[meaning[F](text)] })
	var texts []string
	for _, text := range before {
		switch {
		case is[meaning[F](text)]:
			texts = append(texts, text)
		case len(added) > 0:
			texts, added = append(texts, added[0]), added[1:]
		}
	}
	return t.listOf(append(texts, added...))
}

func (t Type[F]) listOf(texts []string) types.List {
	elements := make([]attr.Value, len(texts))
	for i, text := range texts {
		elements[i] = Value[F]{types.StringValue(text)}
	}
	return types.ListValueMust(t, elements)
}

// Distinct returns texts for a request: sorted, and one for each meaning. The result is
// never nil.
func (Type[F]) Distinct(texts []string) []string {
	sorted := append([]string{}, texts...)
	slices.Sort(sorted)
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(sorted, func(text string) bool {
		means := meaning[F](text)
		again := seen[means]
		seen[means] = true
		return again
	})
}

// SameElements reports whether two lists are wholly known and have elements with the same
// meanings.
func (t Type[F]) SameElements(a, b types.List) bool {
	return isWhollyKnown(a) && isWhollyKnown(b) && maps.Equal(t.meanings(Strings(a)), t.meanings(Strings(b)))
}

func isWhollyKnown(list types.List) bool {
	return IsKnown(list) && !slices.ContainsFunc(list.Elements(), attr.Value.IsUnknown)
}

func (Type[F]) meanings(texts []string) map[string]bool {
	all := make(map[string]bool, len(texts))
	for _, text := range texts {
		all[meaning[F](text)] = true
	}
	return all
}

func meaning[F Format](text string) string {
	var format F
	if of, ok := any(format).(ElementFormat); ok {
		return of.Meaning(text)
	}
	return text
}

// KeepElements is KeepSame for an unordered list of values of this type.
func (Type[F]) KeepElements() planmodifier.List { return keepElements[F]{} }

type keepElements[F Format] struct{ keepSame[F] }

func (keepElements[F]) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if (Type[F]{}).SameElements(req.PlanValue, req.StateValue) {
		resp.PlanValue = req.StateValue
	}
}
