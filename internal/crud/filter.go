package crud

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Filter is an optional argument that narrows a list down. An object must match
// all filters that are set.
type Filter struct {
	// Name and Description are those of the argument.
	Name, Description string
	// Text returns the condition for a text, or an error if the text is
	// invalid.
	Text func(string) (func(object any) bool, error)
	// Map returns the condition for a map, or an error. It is set instead of Text.
	Map func(map[string]string) (func(object any) bool, error)
}

// ObjectFilters returns the filters of objects with a description and metadata,
// followed by own, the filters of one kind.
func ObjectFilters[T any, P interface {
	*T
	Described() *api.Object
}](own ...Filter) []Filter {
	return append([]Filter{
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
func TextFilter[T, V any](name, description string, read func(string) (V, error), match func(V, *T) bool) Filter {
	return Filter{Name: name, Description: description, Text: func(text string) (func(any) bool, error) {
		value, err := read(text)
		if err != nil {
			return nil, err
		}
		return func(object any) bool { return match(value, as[*T](object)) }, nil
	}}
}

// MapFilter returns a filter with an argument that is a map of strings.
func MapFilter[T any](name, description string, condition func(map[string]string) (func(*T) bool, error)) Filter {
	return Filter{Name: name, Description: description, Map: func(entries map[string]string) (func(any) bool, error) {
		matches, err := condition(entries)
		return func(object any) bool { return matches(as[*T](object)) }, err
	}}
}

// EqualFilter returns a filter for objects with a field that equals the text.
func EqualFilter[T any](name, description string, field func(*T) string) Filter {
	return TextFilter(name, description, notEmpty, func(text string, object *T) bool { return field(object) == text })
}

// AmongFilter returns a filter for objects with a list that has the text, by the
// rules of a format.
func AmongFilter[T any](name, description string, format attribute.Format, list func(*T) []string) Filter {
	return TextFilter(name, description, Checked(format.Check), func(text string, object *T) bool { return has(format, list(object), text) })
}

// has reports whether a list has a text, by the rules of a format.
func has(format attribute.Format, list []string, text string) bool {
	return slices.ContainsFunc(list, func(one string) bool { return one == text || format.Same(one, text) })
}

// BeforeFilter returns a filter for objects with a field that is a time before
// the given time.
func BeforeFilter[T any](name, description string, field func(*T) string) Filter {
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
func (f Filter) validators() []validator.String {
	return []validator.String{attribute.Check(f.Name, func(text string) error {
		_, err := f.Text(text)
		return err
	})}
}

// listArguments returns the arguments of a list: the parents and the filters.
// text and texts return the attribute for a string and for a map of strings,
// because data sources and list resources have types of their own.
func listArguments[A any](
	k *Definition, text func(string, []validator.String) A, texts func(string, []validator.Map) A,
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

// arguments are the values of the configuration of a list or a data source, by name. All
// are known: Terraform reads nothing before.
type arguments map[string]tftypes.Value

func argumentsOf(config tfsdk.Config) arguments {
	var given arguments
	if config.Raw.As((*map[string]tftypes.Value)(&given)) != nil {
		return nil // as for an empty block
	}
	return given
}

// text returns an argument, and false if it is not set.
func (a arguments) text(name string) (text string, set bool) {
	var value *string
	if a[name].As(&value) != nil || value == nil {
		return "", false
	}
	return *value, true
}

// labels returns an argument that is a map, nil if it is not set.
func (a arguments) labels(name string) map[string]string {
	var elements arguments
	if a[name].As((*map[string]tftypes.Value)(&elements)) != nil || a[name].IsNull() {
		return nil
	}
	labels := make(map[string]string, len(elements))
	for key := range elements {
		labels[key], _ = elements.text(key)
	}
	return labels
}

// modelOf returns a model with the keys that arguments set.
func (s *base) modelOf(given arguments) any {
	model := s.kind.newModel()
	for _, key := range s.kind.Keys {
		if id, ok := given.text(key.Name); ok {
			*key.Of(model) = types.StringValue(id)
		}
	}
	return model
}

// condition combines all filters that are set.
func (s *base) condition(given arguments, diags *diag.Diagnostics) func(any) bool {
	var conditions []func(any) bool
	for _, filter := range s.kind.Reading.Filters {
		var condition func(any) bool
		var err error
		if labels := given.labels(filter.Name); filter.Map != nil && labels != nil {
			condition, err = filter.Map(labels)
		} else if text, ok := given.text(filter.Name); filter.Text != nil && ok {
			condition, err = filter.Text(text)
		}
		if err != nil {
			diags.AddAttributeError(path.Root(filter.Name), "Invalid filter", filter.Name+" "+err.Error()+".")
		} else if condition != nil {
			conditions = append(conditions, condition)
		}
	}
	return func(object any) bool {
		return !slices.ContainsFunc(conditions, func(matches func(any) bool) bool { return !matches(object) })
	}
}

// matching iterates over the objects that the arguments of a list ask for, with all
// attributes of their models. An error ends it, and nothing comes of invalid arguments.
func (s *base) matching(
	ctx context.Context, client *api.Client, given arguments, diags *diag.Diagnostics,
) iter.Seq2[item, error] {
	scope, matches := s.modelOf(given), s.condition(given, diags)
	return func(yield func(item, error) bool) {
		if diags.HasError() {
			return
		}
		for item, err := range s.kind.Operations.List(ctx, client, scope) {
			if err == nil && !matches(item.Object) {
				continue
			}
			if err == nil {
				s.kind.Fill(s.provider, item.Object, item.Model)
			}
			if !yield(item, err) {
				return
			}
		}
	}
}
