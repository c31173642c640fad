package crud

import (
	"cmp"
	"iter"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

// A Reading describes what reads the objects of a kind without managing them:
// its data sources, and its list. The attributes follow from the resource; here
// is what does not.
type Reading[D, T any] struct {
	// Description is what the data source of one object says of itself.
	Description string
	// Plural is the type of the data source of many, without the provider's
	// prefix; "" where the service has no list.
	Plural string
	// Nouns is what diagnostics and descriptions call many objects.
	Nouns string
	// Whole is what a list is all of: the account, where it is left out.
	Whole string
	// ResourceOnly names the attributes that the service does not answer.
	ResourceOnly []string
	// Words describe attributes, by their path, such as inbound.expressions,
	// where what the resource says of them is about configuring them.
	Words map[string]string
	// Derived are attributes that data sources have beyond the resource's.
	Derived []Derived[D]
	// Filters narrow a list down.
	Filters []Filter[T]
	// Name is what a person recognises an object by among others.
	Name func(*T) string
	// Compare orders objects, the same way each time.
	Compare func(a, b *D) int
	// Lookup, where set, is another way than the keys to name one object.
	Lookup *Lookup[T]
}

func (r Reading[D, T]) whole() string { return cmp.Or(r.Whole, "the account") }

// Derived is an attribute of data sources that the provider finds itself.
type Derived[D any] struct {
	Name   string
	Schema schema.Attribute
	Of     func(object *D, now time.Time) attr.Value
}

// A Lookup finds one object among all by a text, such as a host name.
type Lookup[T any] struct {
	// Name and Description are those of the attribute.
	Name, Description string
	// Check says what is wrong with a text.
	Check func(string) error
	// Find returns the object. An error says why there is none, and which objects
	// come near.
	Find func(text string, now time.Time, objects iter.Seq[*T]) (*T, error)
}

// ObjectWords describes the attributes of Object together with those of one
// kind, for Reading.
func ObjectWords(noun string, own map[string]string) map[string]string {
	words := map[string]string{
		"description": "What the " + noun + " is for, in words for people. Null where it says nothing.",
		"metadata":    "Data for programs to read, commonly a JSON document, which jsondecode reads. Null where there is none.",
	}
	maps.Copy(words, own)
	return words
}
