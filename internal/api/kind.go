package api

import (
	"fmt"
	"strings"
)

// A Kind names a kind of objects. All texts, types and paths that depend on the
// kind follow from it.
type Kind struct {
	// Noun is its name in the singular, such as "TLS certificate".
	Noun string
	// Prefix begins the ids of its objects in the API documentation, such as
	// cert_. It is "" if the objects have no id of their own. Ids are opaque: use
	// the prefix in messages only.
	Prefix string
	// Path is the documented path of the collection, or of the module: it then
	// names the parents. It is "" for objects that this client does not manage.
	Path string
	// ListField is the field that contains the objects in the response of a list. It
	// is "" for a module.
	ListField string
	// StatesLimits reports whether the contract states the maximum lengths of description
	// and metadata.
	StatesLimits bool
	// Secret reports whether a response can contain a secret that this client did not
	// send, so that errors hide what may be one.
	Secret bool
}

// UserKind names users, which own SSH credentials and API keys and which this client does
// not manage.
var UserKind = newKind(Kind{Noun: "user", Prefix: "usr_"})

// kinds are all kinds by the prefix of their ids.
var kinds = map[string]*Kind{}

// newKind returns a kind. It panics at start-up if another one has the same
// prefix.
func newKind(k Kind) *Kind {
	if k.Prefix == "" {
		return &k
	}
	if other := kinds[k.Prefix]; other != nil {
		panic(fmt.Sprintf("the IDs of %s and of %s begin with %s", other.Plural(), k.Plural(), k.Prefix))
	}
	kinds[k.Prefix] = &k
	return &k
}

// KindOf returns the kind of object that an id seems to belong to, by its
// prefix. It returns nil for other prefixes.
func KindOf(id string) *Kind { return kinds[IDPrefix(id)] }

// IDPrefix returns the prefix of an id with its underscore, and "" if the id
// has none.
func IDPrefix(id string) string { return id[:strings.IndexByte(id, '_')+1] }

// Example returns an id for descriptions and messages.
func (k *Kind) Example() string { return k.Prefix + "2abc" }

// Module reports whether the kind is a part of its parent that is set with PUT.
func (k *Kind) Module() bool { return k.ListField == "" }

// member is the field of the parent that contains a module.
func (k *Kind) member() string { return k.Path[strings.LastIndexByte(k.Path, '/')+1:] }

// Plural returns the noun in the plural, such as "edge policies".
func (k *Kind) Plural() string {
	if stem, ok := strings.CutSuffix(k.Noun, "y"); ok && !strings.HasSuffix(stem, "e") { // but API keys
		return stem + "ies"
	}
	if strings.HasSuffix(k.Noun, "s") {
		return k.Noun + "es"
	}
	return k.Noun + "s"
}
