package crud

// This file keeps a promise: an ID of the wrong kind is noticed before the
// service refuses it.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// A Reference is an attribute that names other objects.
type Reference[M any] struct {
	// Attribute is its name in the schema, and Field its name in the request, if that
	// differs.
	Attribute, Field string
	// To are the kinds of the objects.
	To []*api.Kind
	// Value is the attribute of these objects that it contains. Defaults to id.
	Value string
	// Of returns the values of a model. The values of some references are in
	// another attribute, too, such as one that the service sets.
	Of func(M) []string
	// Hint is what else to do if the service rejects a value; optional.
	Hint string
}

// ID returns the validators of the id of an object of one of the kinds: one for
// its form, one that warns if it is a name, and one that warns if it has the prefix
// of another kind.
func ID(kinds ...*api.Kind) []validator.String {
	return []validator.String{
		attribute.AnyID,
		attribute.NoName,
		attribute.Unusual("an ID of the right kind", func(id string) error { return checkPrefix(id, kinds) }),
	}
}

// checkPrefix returns an error if an id begins with the prefix of another kind
// of object than the expected ones, or with one that is spelled nearly like
// theirs.
func checkPrefix(id string, expected []*api.Kind) error {
	prefix, nouns := api.IDPrefix(id), make([]string, len(expected))
	prefixes := make([]string, len(expected))
	for i, kind := range expected {
		prefixes[i], nouns[i] = kind.Prefix, WithArticle(kind.Noun)
	}
	if found := api.KindOf(id); found != nil && !slices.Contains(expected, found) {
		return fmt.Errorf(
			"begins with %s, the prefix of %s; expected the ID of %s", prefix, WithArticle(found.Noun), attribute.Alternatives(nouns),
		)
	}
	if meant := attribute.OneEditFrom(prefix, prefixes...); prefix != "" && meant != "" {
		return fmt.Errorf("begins with %s; the IDs of %s usually begin with %s", prefix, expected[slices.Index(prefixes, meant)].Plural(), meant)
	}
	return nil
}

// lookup says how to find the value of a key or a reference that the service
// rejected, or "" if a field of a request is neither.
func (k *Definition) lookup(field string) string {
	for i, key := range k.Keys {
		if key.Name != field || key.Kind == nil || key.Kind == k.Kind {
			continue
		}
		text := find("id", key.Kind)
		if i > 0 {
			within := k.Keys[i-1]
			text = fmt.Sprintf(
				"The %s may belong to another %s: set %s = %s.NAME.%s. ", key.Kind.Noun, within.Kind.Noun, within.Name, Type(key.Kind), within.Name,
			) + text
		}
		return text
	}
	for _, reference := range k.References {
		if cmp.Or(reference.Field, reference.Attribute) == field {
			return strings.TrimSpace(reference.Hint + " " + find(cmp.Or(reference.Value, "id"), reference.To...))
		}
	}
	return ""
}

// find says how to find a value of objects of one of the kinds.
func find(value string, kinds ...*api.Kind) string {
	var sources, unmanaged []string
	for _, kind := range kinds {
		if kind.Path == "" {
			unmanaged = append(unmanaged, kind.Plural())
		} else {
			sources = append(sources, typeOfMany(kind))
		}
	}
	if value == "id" {
		value = "ID"
	}
	var places []string
	if len(sources) > 0 {
		places = append(places, "with the data source "+attribute.Alternatives(sources))
	}
	if len(unmanaged) > 0 {
		places = append(places, "in the service (the provider does not manage "+attribute.Alternatives(unmanaged)+")")
	}
	return fmt.Sprintf("If the %s is wrong, find the right one %s.", value, strings.Join(places, ", or "))
}

// refersTo reports whether objects of the kind can refer to those of another.
func (k *Definition) refersTo(kind *api.Kind) bool {
	return slices.ContainsFunc(k.References, func(r Reference[any]) bool { return slices.Contains(r.To, kind) })
}

// users returns the objects of the kind that refer to an object of another.
// named reports whether a value names that object. Objects in a list that
// cannot be read are missing.
func (k *Definition) users(ctx context.Context, provider *Provider, kind *api.Kind, named func(value string) bool) (users []string) {
	s := base{kind: k, provider: provider}
	for item, err := range s.matching(ctx, provider.Client, nil, &diag.Diagnostics{}) {
		if err != nil {
			break
		}
		uses := func(r Reference[any]) bool {
			return slices.Contains(r.To, kind) && slices.ContainsFunc(r.Of(item.Model), named)
		}
		if slices.ContainsFunc(k.References, uses) {
			user := s.named(item.Model)
			if name := k.Reading.Name; name != nil {
				user += " (" + name(item.Object) + ")"
			}
			users = append(users, user)
		}
	}
	return users
}

// isUsed reports whether objects of another kind can refer to those of this
// one, so that the service refuses to delete them.
func (s *base) isUsed() bool {
	return slices.ContainsFunc(s.provider.Kinds, func(k *Definition) bool { return k.refersTo(s.kind.Kind) })
}

// users returns the objects that refer to the object of a state.
func (s *base) users(ctx context.Context, state any) (users []string) {
	named := func(value string) bool {
		if s.kind.NamedBy != nil {
			return s.kind.NamedBy(state, value)
		}
		return value == s.kind.Keys[len(s.kind.Keys)-1].Of(state).ValueString()
	}
	for _, kind := range s.provider.Kinds {
		if kind.refersTo(s.kind.Kind) {
			users = append(users, kind.users(ctx, s.provider, s.kind.Kind, named)...)
		}
	}
	slices.Sort(users)
	return users
}
