package crud

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Filter is an optional argument that narrows a list down. An object must match
// all filters that are set.
type Filter[T any] struct {
	// Name and Description are those of the argument.
	Name, Description string
	// Text returns the condition for a text, or an error if the text is
	// invalid.
	Text func(string) (func(*T) bool, error)
	// Map returns the condition for a map, or an error. It is set instead of Text.
	Map func(map[string]string) (func(*T) bool, error)
}

// ObjectFilters returns the filters of objects with a description and metadata,
// followed by own, the filters of one kind.
func ObjectFilters[T any, P interface {
	*T
	Described() *api.Object
}](own ...Filter[T]) []Filter[T] {
	return append([]Filter[T]{
		TextFilter(
			"description_regex",
			"Returns objects whose description matches this regular expression in RE2 syntax, such as `^prod-` or `(?i)bastion`. "+
				"A missing description is treated as an empty string.",
			attribute.ParseExpression,
			func(expression *regexp.Regexp, o *T) bool {
				return expression.MatchString(P(o).Described().Description)
			},
		),
		TextFilter("metadata", "Returns objects whose metadata contains this text, as the service stores it: case and whitespace count.",
			anyText, func(part string, o *T) bool { return strings.Contains(P(o).Described().Metadata, part) }),
	}, own...)
}

// TextFilter returns a filter with a text argument. read parses the text once
// for a whole list, and match applies the result to each object.
func TextFilter[T, V any](name, description string, read func(string) (V, error), match func(V, *T) bool) Filter[T] {
	return Filter[T]{Name: name, Description: description, Text: func(text string) (func(*T) bool, error) {
		value, err := read(text)
		if err != nil {
			return nil, err
		}
		return func(object *T) bool { return match(value, object) }, nil
	}}
}

// EqualFilter returns a filter for objects with a field that equals the text.
func EqualFilter[T any](name, description string, field func(*T) string) Filter[T] {
	return TextFilter(name, description, notEmpty, func(text string, object *T) bool { return field(object) == text })
}

// AmongFilter returns a filter for objects with a list that has the text, by the
// rules of a format.
func AmongFilter[T any](name, description string, format attribute.Format, list func(*T) []string) Filter[T] {
	return TextFilter(name, description, Checked(format.Check), func(text string, object *T) bool { return has(format, list(object), text) })
}

// has reports whether a list has a text, by the rules of a format.
func has(format attribute.Format, list []string, text string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return one == text || format.Same(one, text) })
}

// BeforeFilter returns a filter for objects with a field that is a time before
// the given time.
func BeforeFilter[T any](name, description string, field func(*T) string) Filter[T] {
	return TextFilter(name, description, attribute.ParseTime, func(limit time.Time, object *T) bool {
		at, err := attribute.ParseTime(field(object))
		return err == nil && at.Before(limit)
	})
}

// Checked returns a read function for TextFilter. It returns the text
// unchanged, with the error of a rule.
func Checked(rule func(string) error) func(string) (string, error) {
	return func(text string) (string, error) { return text, rule(text) }
}

func anyText(text string) (string, error) { return text, nil }

func notEmpty(text string) (string, error) {
	if text == "" {
		return "", fmt.Errorf("must not be empty")
	}
	return text, nil
}

// validators returns the validators of the argument. They report the errors of
// Text.
func (f Filter[T]) validators() []validator.String {
	return []validator.String{attribute.Check(f.Name, func(text string) error {
		_, err := f.Text(text)
		return err
	})}
}

// listArguments returns the arguments of a list: the parents and the filters.
// text and texts return the attribute for a string and for a map of strings,
// because data sources and list resources have types of their own.
func listArguments[A, M, T any](
	k *Kind[M, T], text func(string, []validator.String) A, texts func(string, []validator.Map) A,
) map[string]A {
	arguments := map[string]A{}
	for _, key := range k.Keys {
		if key.Parent {
			arguments[key.Name] = text(
				key.Description+" Fails if it does not exist. If unset, returns the "+k.Plural()+" of the whole "+
					"account.", []validator.String{attribute.AnyID},
			)
		}
	}
	for _, filter := range k.Reading.Filters {
		if filter.Map != nil {
			arguments[filter.Name] = texts(filter.Description, []validator.Map{attribute.NoNulls})
		} else {
			arguments[filter.Name] = text(filter.Description, filter.validators())
		}
	}
	return arguments
}

// condition combines all filters of a configuration into one condition.
func (s *base[M, T]) condition(ctx context.Context, config tfsdk.Config) (func(*T) bool, diag.Diagnostics) {
	var diags diag.Diagnostics
	var conditions []func(*T) bool
	add := func(at path.Path, condition func(*T) bool, err error) {
		if err != nil {
			diags.AddAttributeError(at, "Invalid filter", at.String()+" "+err.Error()+".")
			return
		}
		conditions = append(conditions, condition)
	}
	for _, filter := range s.kind.Reading.Filters {
		at := path.Root(filter.Name)
		if filter.Map != nil {
			var given types.Map
			if diags.Append(config.GetAttribute(ctx, at, &given)...); attribute.IsKnown(given) {
				condition, err := filter.Map(attribute.StringMap(given))
				add(at, condition, err)
			}
			continue
		}
		var given types.String
		if diags.Append(config.GetAttribute(ctx, at, &given)...); attribute.IsKnown(given) {
			condition, err := filter.Text(given.ValueString())
			add(at, condition, err)
		}
	}
	return func(object *T) bool {
		for _, condition := range conditions {
			if !condition(object) {
				return false
			}
		}
		return true
	}, diags
}

// scope returns a model with the parent that a list's configuration names.
func (s *base[M, T]) scope(ctx context.Context, config tfsdk.Config) (M, diag.Diagnostics) {
	var model M
	var diags diag.Diagnostics
	for _, key := range s.kind.Keys {
		if key.Parent {
			diags.Append(config.GetAttribute(ctx, path.Root(key.Name), key.Of(&model))...)
		}
	}
	return model, diags
}
