package engine

import (
	"slices"
)

// Kind describes a kind of object for an overview of an account.
type Kind struct {
	Noun   string   `json:"noun"`
	Path   string   `json:"path"`
	Field  string   `json:"-"`                // of the list that holds the objects; empty if there is no list
	Prefix string   `json:"prefix,omitempty"` // id prefix
	Parent string   `json:"parent,omitempty"` // path of the kind whose objects hold those of this kind
	Refers []string `json:"refers,omitempty"` // paths of the kinds that objects refer to
	Serves bool     `json:"serves,omitempty"` // other objects use objects of this kind by a value, not by an id
}

// Summary is an object in an overview of an account.
type Summary struct {
	Key     string   `json:"key"`     // the id, or the parent's key, a slash and the own id or name
	Kind    string   `json:"kind"`    // path of the kind
	Version uint64   `json:"version"` // of the store that stored it
	Label   string   `json:"label,omitempty"`
	Refers  []string `json:"refers,omitempty"`  // ids of the objects that it refers to
	Modules []string `json:"modules,omitempty"` // names of the modules that are set
	Item    any      `json:"-"`                 // the object as stored, for its modules
}

// Kind describes the collection.
func (k Collection[T]) Kind() Kind {
	kind := Kind{Noun: k.Noun, Path: k.Path, Field: k.Field, Prefix: k.Prefix, Refers: k.Refers, Serves: k.Users != nil}
	if k.Parent != nil {
		kind.Parent = k.Parent.path()
	}
	return kind
}

// ChangedAfter returns the objects that were stored after a version of the store.
func (k Collection[T]) ChangedAfter(version uint64) []Summary {
	var all []Summary
	for _, changed := range k.Table.ChangedAfter(version) {
		value := changed.Value
		refers := value.Refers()
		if k.Uses != nil {
			refers = slices.Concat(refers, k.Uses(value))
		}
		all = append(all, Summary{
			Key: value.Key(), Kind: k.Path, Version: changed.Version, Label: value.Label(), Refers: refers, Item: value,
		})
	}
	return all
}

// NoteOn adds the name of the module to the summary of an owner that has it.
func (m Module[P, M]) NoteOn(owner *Summary) {
	if value, ok := owner.Item.(P); ok && owner.Kind == m.Owner.Path && *m.Place(value) != nil {
		owner.Modules = append(owner.Modules, m.Name)
	}
}
