package acctest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A Kind is one kind of object that Terraform manages, as far as tests and
// examples must know it. The table Kinds has a row for each; everything else
// follows from the provider's schemas.
type Kind struct {
	// Type is the resource type.
	Type string
	// Plural is the type of the data source of many; Type with an s if unset.
	Plural string
	// Path is the address at the service. Its placeholders are the identity keys,
	// in the order of the import id. A path that ends in a placeholder is that of
	// a collection; any other is that of a module.
	Path string
	// Example is an import id for the documentation.
	Example string
	// Parents creates what an object needs to be in, and returns the keys of it;
	// nil for a kind without a parent.
	Parents func(w *World) map[string]string
	// Body returns a request body with all arguments set. Keys and certificates in
	// it are fresh each time.
	Body func(t testing.TB, w *World) map[string]any
	// NaturalKey reports that the service refuses a second object that is the
	// same. Modules always have one: their path.
	NaturalKey bool
	// HasSettings reports that the resource has arguments that the service does
	// not know, which the first apply after an import writes into the state.
	HasSettings bool
	// ImportNote is a sentence for the import example; optional.
	ImportNote string
}

// KindOf returns the kind of a resource type.
func KindOf(t testing.TB, resource string) Kind {
	t.Helper()
	for _, kind := range Kinds {
		if kind.Type == resource {
			return kind
		}
	}
	t.Fatalf("the table of kinds has no %s", resource)
	return Kind{}
}

// KindAt returns the kind of what is at a path, and its keys; a zero Kind if it is
// none that Terraform manages.
func KindAt(path string) (Kind, map[string]string) {
	for _, kind := range Kinds {
		if keys, ok := kind.match(path); ok {
			return kind, keys
		}
	}
	return Kind{}, nil
}

func (k Kind) match(path string) (map[string]string, bool) {
	wanted, found := strings.Split(k.Path, "/"), strings.Split(path, "/")
	if len(wanted) != len(found) {
		return nil, false
	}
	keys := map[string]string{}
	for i, segment := range wanted {
		if name, ok := placeholder(segment); ok {
			keys[name] = found[i]
		} else if segment != found[i] {
			return nil, false
		}
	}
	return keys, true
}

func placeholder(segment string) (name string, ok bool) {
	if !strings.HasPrefix(segment, "{") {
		return "", false
	}
	return strings.Trim(segment, "{}"), true
}

// DataSources is the type of the data source of many.
func (k Kind) DataSources() string { return cmp.Or(k.Plural, k.Type+"s") }

// Module reports whether the kind is a part of its parent, set with PUT.
func (k Kind) Module() bool { return !strings.HasSuffix(k.Path, "}") }

// Unique reports whether the service cannot hold the same object twice.
func (k Kind) Unique() bool { return k.NaturalKey || k.Module() }

// Keys are the names of the identity keys, in the order of the import id.
func (k Kind) Keys() []string {
	var names []string
	for segment := range strings.SplitSeq(k.Path, "/") {
		if name, ok := placeholder(segment); ok {
			names = append(names, name)
		}
	}
	return names
}

// ExampleKeys are the keys of the import id in the documentation.
func (k Kind) ExampleKeys() map[string]string {
	keys := map[string]string{}
	for i, part := range strings.Split(k.Example, "/") {
		keys[k.Keys()[i]] = part
	}
	return keys
}

// ImportID is the import id of the object with some keys.
func (k Kind) ImportID(keys map[string]string) string {
	var parts []string
	for _, name := range k.Keys() {
		parts = append(parts, keys[name])
	}
	return strings.Join(parts, "/")
}

// At is the path of the object with some keys.
func (k Kind) At(keys map[string]string) string { return fill(k.Path, keys) }

// ListPath is the path of the list that the object with some keys is in.
func (k Kind) ListPath(keys map[string]string) string {
	return fill(k.Path[:strings.LastIndex(k.Path, "/")], keys)
}

// ParentPath is the path of what the object with some keys is in; "" if there is
// no such thing.
func (k Kind) ParentPath(keys map[string]string) string {
	end := strings.LastIndex(k.Path, "}")
	if !k.Module() {
		end = strings.LastIndex(k.Path[:end], "}")
	}
	return fill(k.Path[:end+1], keys)
}

func fill(path string, keys map[string]string) string {
	for name, value := range keys {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	return path
}

// Create creates an object behind Terraform's back, in fresh parents, and returns
// its keys.
func (k Kind) Create(t testing.TB, w *World) map[string]string {
	t.Helper()
	var parents map[string]string
	if k.Parents != nil {
		parents = k.Parents(w)
	}
	return k.CreateIn(t, w, parents)
}

// Configuration returns the arguments of a resource, as Terraform generates them for
// an object, and the keys that the object had. It does not exist any more, but its
// parents do.
func (k Kind) Configuration(t testing.TB, w *World) (keys map[string]string, arguments map[string]tftypes.Value) {
	t.Helper()
	var parents map[string]string
	if k.Parents != nil {
		parents = k.Parents(w)
	}
	body := k.Body(t, w)
	keys = k.createIn(t, w, parents, body)
	p := w.Protocol(t)
	state, _ := p.Import(k.Type, k.ImportID(keys), nil)
	arguments = maps.Clone(p.Attributes(p.Generated(k.Type, state)))
	for name, value := range body {
		if text, ok := value.(string); ok && strings.HasPrefix(name, "private_key_pem") {
			arguments[name] = Text(text) // which the service does not answer
		}
	}
	w.ForceDelete(k.At(keys))
	return keys, arguments
}

// CreateIn creates an object in given parents and returns its keys.
func (k Kind) CreateIn(t testing.TB, w *World, parents map[string]string) map[string]string {
	t.Helper()
	return k.createIn(t, w, parents, k.Body(t, w))
}

func (k Kind) createIn(t testing.TB, w *World, parents map[string]string, arguments map[string]any) map[string]string {
	t.Helper()
	body, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, name := range k.Keys() {
		keys[name] = parents[name]
	}
	if k.Module() {
		w.Put(k.At(keys), string(body))
		return keys
	}
	names := k.Keys()
	keys[names[len(names)-1]] = w.Create(k.ListPath(keys), string(body))
	return keys
}

// Paths returns the paths of everything at the service that Terraform manages.
func (w *World) Paths() []string {
	var all []string
	for _, kind := range Kinds {
		for _, found := range w.expand("", strings.Split(kind.Path, "/")[1:]) {
			if !kind.Module() || w.Exists(found) {
				all = append(all, found)
			}
		}
	}
	return all
}

// expand replaces the placeholders of a path by all that is in the lists.
func (w *World) expand(prefix string, segments []string) []string {
	for i, segment := range segments {
		name, ok := placeholder(segment)
		if !ok {
			prefix += "/" + segment
			continue
		}
		var all []string
		for _, object := range w.children(prefix) {
			// The last key may be something else than an id.
			id := object["id"]
			if i == len(segments)-1 && object[name] != nil {
				id = object[name]
			}
			all = append(all, w.expand(prefix+"/"+fmt.Sprint(id), segments[i+1:])...)
		}
		return all
	}
	return []string{prefix}
}

// children returns the objects of a collection: from its list, or, if there is
// none, from the answer of its parent.
func (w *World) children(list string) []map[string]any {
	if w.Exists(list) {
		return w.List(list)
	}
	parent, name := path.Split(list)
	members, _ := w.Get(strings.TrimSuffix(parent, "/"))[name].([]any)
	all := make([]map[string]any, len(members))
	for i, member := range members {
		all[i], _ = member.(map[string]any)
	}
	return all
}
