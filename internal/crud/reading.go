package crud

import (
	"fmt"
	"iter"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Reading describes the data sources and the list resource of a kind, as far as
// this does not follow from the resource.
type Reading[M, T any] struct {
	// Description is the description of the data source of one object.
	Description string
	// ResourceOnly lists the attributes that the service does not return.
	ResourceOnly []string
	// Descriptions holds descriptions by attribute path, such as
	// inbound.expressions. They replace those of the resource if these are about
	// configuring the attribute.
	Descriptions map[string]string
	// Derived are attributes that only the data sources have.
	Derived []Derived[M]
	// Filters are the arguments that narrow a list down.
	Filters []Filter
	// Name returns a name that people recognize an object by. Defaults to the
	// import id.
	Name func(T) string
	// Lookup finds one object without its keys; optional.
	Lookup *Lookup[T]
}

// Derived is an attribute of data sources that the provider computes.
type Derived[M any] struct {
	Name   string
	Schema schema.Attribute
	Of     func(object M, now time.Time) attr.Value
}

// Lookup finds one object by a text, such as a host name.
type Lookup[T any] struct {
	// Name and Description are those of the attribute.
	Name, Description string
	// Check returns an error if a text is invalid.
	Check func(string) error
	// Find returns the object. If there is none, the error says why, and names
	// similar objects.
	Find func(text string, now time.Time, objects iter.Seq[T]) (T, error)
}

// EqualLookup finds the object with a field that is the same as the text. The
// field is unique, so the list is read only up to the object.
func EqualLookup[T any](name, description string, kind *api.Kind, same func(a, b string) bool, field func(*T) string) *Lookup[*T] {
	return &Lookup[*T]{
		Name: name, Description: description,
		Check: func(text string) error {
			_, err := notEmpty(text)
			return err
		},
		Find: func(text string, _ time.Time, objects iter.Seq[*T]) (*T, error) {
			var others []string
			for object := range objects {
				if same(field(object), text) {
					return object, nil
				}
				others = append(others, field(object))
			}
			return nil, noneIs(kind, "is", text, others)
		},
	}
}

// AmongLookup finds the only object with a list that has the text, by the rules of
// a format.
func AmongLookup[T any, P interface {
	*T
	Common() *api.Identified
}](name, description string, kind *api.Kind, format attribute.Format, list func(*T) []string) *Lookup[*T] {
	return &Lookup[*T]{
		Name: name, Description: description, Check: format.Check,
		Find: func(text string, _ time.Time, objects iter.Seq[*T]) (*T, error) {
			var found *T
			var ids, others []string
			for object := range objects {
				if has(format, list(object), text) {
					found = object
					ids = append(ids, P(object).Common().ID)
				}
				others = append(others, list(object)...)
			}
			switch len(ids) {
			case 0:
				return nil, noneIs(kind, "has", text, others)
			case 1:
				return found, nil
			}
			return nil, fmt.Errorf("%d %s have %s: %s. To read one of them, set id", len(ids), kind.Plural(), attribute.Quote(text), Enumerate(ids))
		},
	}
}

// NoneExist returns the error of a lookup in an account without objects of a kind.
func NoneExist(kind *api.Kind) error {
	return fmt.Errorf("the account of the API key has no %s. Create one with a resource of the type %s, or use the API key of the account "+
		"that has it", kind.Plural(), Type(kind))
}

// noneIs returns the error of a lookup that finds nothing. It names what others are
// or have.
func noneIs(kind *api.Kind, verb, text string, others []string) error {
	if len(others) == 0 && verb == "is" {
		return NoneExist(kind)
	}
	existing := ""
	if len(others) > 0 {
		existing = ". Existing: " + Enumerate(others)
	}
	return fmt.Errorf("none of the %s in the account %s %s%s", kind.Plural(), verb, attribute.Quote(text), existing)
}
