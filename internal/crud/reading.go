package crud

import (
	"iter"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

// Reading describes the data sources and the list resource of a kind, as far as
// they do not follow from the resource.
type Reading[M, T any] struct {
	// Description is the description of the data source of one object.
	Description string
	// Plural is the type of the data source of many objects, without the
	// provider's prefix; "" if the service has no list.
	Plural string
	// Nouns is the plural of Noun.
	Nouns string
	// ResourceOnly are the attributes that the service does not answer.
	ResourceOnly []string
	// Words are descriptions by attribute path, such as inbound.expressions, that
	// replace the resource's if those are about configuring the attribute.
	Words map[string]string
	// Derived are attributes that only the data sources have.
	Derived []Derived[M]
	// Filters are the arguments that narrow a list down.
	Filters []Filter[T]
	// Name returns what a person recognizes an object by; the import id by default.
	Name func(*T) string
	// Compare orders objects; by import id by default.
	Compare func(a, b *M) int
	// Lookup is another way than the keys to find one object; optional.
	Lookup *Lookup[T]
}

// Derived is an attribute of data sources that the provider computes.
type Derived[M any] struct {
	Name   string
	Schema schema.Attribute
	Of     func(object *M, now time.Time) attr.Value
}

// Lookup finds one object by a text, such as a host name.
type Lookup[T any] struct {
	// Name and Description are those of the attribute.
	Name, Description string
	// Check says what is wrong with a text.
	Check func(string) error
	// Find returns the object. The error says why there is none, and names similar
	// objects.
	Find func(text string, now time.Time, objects iter.Seq[*T]) (*T, error)
}

// ObjectWords returns the descriptions of the attributes of Object, with those of
// one kind, for Reading.
func ObjectWords(noun string, own map[string]string) map[string]string {
	words := map[string]string{
		"description": "Human-readable description of the " + noun + ". Null if unset.",
		"metadata":    "Arbitrary user-defined metadata, usually JSON that can be decoded with `jsondecode`. Null if unset.",
	}
	maps.Copy(words, own)
	return words
}
