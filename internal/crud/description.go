package crud

import (
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A Description is what docs and tests need to know of a kind.
type Description struct {
	*api.Kind
	// Type is the resource type, and TypeOfMany that of the data source of many
	// objects.
	Type, TypeOfMany string
	// Subcategory is the group of its pages in the docs.
	Subcategory string
	// Keys identify an object, in the order of the import id.
	Keys []Key[any]
	// Parents are the keys that are ids of parents.
	Parents []Key[any]
	// References are the attributes that name other objects.
	References []Reference[any]
	// RefusesDuplicates reports whether the service refuses a second object that
	// equals an existing one.
	RefusesDuplicates bool
	// ResourceOnly are the attributes of the resource that the service does not
	// return.
	ResourceOnly []string
}

// Describe returns the description of a kind.
func (k *Definition) Describe() Description {
	d := Description{
		Kind: k.Kind, Type: Type(k.Kind), TypeOfMany: typeOfMany(k.Kind), Subcategory: k.Subcategory,
		RefusesDuplicates: k.refusesDuplicates(), ResourceOnly: k.Reading.ResourceOnly, Keys: k.Keys, References: k.References,
	}
	for _, key := range k.Keys {
		if key.Kind != nil && key.Kind != k.Kind {
			d.Parents = append(d.Parents, key)
		}
	}
	return d
}

// ObjectPath returns the path of an object. Its parameters are the keys.
func (d Description) ObjectPath() string {
	if d.Module() {
		return d.Path
	}
	return d.Path + "/{" + d.Keys[len(d.Keys)-1].Name + "}"
}

// RefersTo reports whether an object names objects of another kind, in its path
// or in an attribute.
func (d Description) RefersTo(other *api.Kind) bool {
	return slices.ContainsFunc(d.Parents, func(key Key[any]) bool { return key.Kind == other }) ||
		slices.ContainsFunc(d.References, func(r Reference[any]) bool { return slices.Contains(r.To, other) })
}
