package acctest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// Kind is one kind of object that Terraform manages, for tests and examples.
// Everything except the sample follows from the provider's description.
type Kind struct {
	crud.Description
	Sample
}

// Kinds contains every kind of object that Terraform manages, parents and
// other objects that a kind refers to before it.
var Kinds = inOrder()

func inOrder() []Kind {
	var all []Kind
	done := map[*api.Kind]bool{}
	var add func(described crud.Description)
	add = func(described crud.Description) {
		if done[described.Kind] {
			return
		}
		done[described.Kind] = true
		for _, other := range provider.Kinds() {
			if described.RefersTo(other.Kind) {
				add(other)
			}
		}
		sample := samples[described.Type]
		if sample.Body == nil {
			sample.Body = func(t testing.TB, _ *Env) map[string]any { return textsOf(t, described) }
		}
		all = append(all, Kind{described, sample})
	}
	for _, described := range provider.Kinds() {
		add(described)
	}
	return all
}

// textsOf returns a request body with a text for each string that can be set.
func textsOf(t testing.TB, described crud.Description) map[string]any {
	t.Helper()
	body := map[string]any{}
	for _, attribute := range NewProtocol(t).Schema.ResourceSchemas[described.Type].Block.Attributes {
		isKey := slices.ContainsFunc(described.Keys, func(key crud.Key[any]) bool { return key.Name == attribute.Name })
		if !attribute.Required && !attribute.Optional || isKey {
			continue
		}
		switch {
		case attribute.Type.Is(tftypes.String):
			body[attribute.Name] = "Made by hand"
		case attribute.Type.Is(tftypes.Bool):
			body[attribute.Name] = false
		}
	}
	return body
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

// KindAt returns the kind and the keys of the object at a path. It returns a
// zero Kind if Terraform does not manage this kind of object.
func KindAt(path string) (Kind, map[string]string) {
	for _, kind := range Kinds {
		if keys, ok := kind.match(path); ok {
			return kind, keys
		}
	}
	return Kind{}, nil
}

func (k Kind) match(path string) (map[string]string, bool) {
	wanted, found := strings.Split(k.ObjectPath(), "/"), strings.Split(path, "/")
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

// Keys returns the names of the identity keys, in the order of the import id.
func (k Kind) Keys() []string {
	names := make([]string, len(k.Description.Keys))
	for i, key := range k.Description.Keys {
		names[i] = key.Name
	}
	return names
}

// Example returns the import id in the documentation.
func (k Kind) Example() string { return k.ImportID(k.ExampleKeys()) }

// ExampleKeys returns the keys of the import id in the documentation.
func (k Kind) ExampleKeys() map[string]string {
	unique := []string{"3YNt0gWyXbJ2sKmP9vQfLhRcTde", "3YNt1aBcDeFgHiJkLmNoPqRsTuV"}
	keys := map[string]string{}
	for i, key := range k.Description.Keys {
		keys[key.Name] = key.Example
		if key.Kind != nil {
			keys[key.Name] = key.Kind.Prefix + unique[i]
		}
	}
	return keys
}

// IsSecret reports whether an argument is a secret that the service never returns, in
// either form.
func (k Kind) IsSecret(argument string) bool {
	return slices.Contains(k.ResourceOnly, strings.TrimSuffix(argument, "_wo")+"_wo")
}

// HasParent reports whether the objects belong to a parent.
func (k Kind) HasParent() bool { return len(k.Description.Parents) > 0 }

// Parents creates the parents of an object and returns their keys.
func (k Kind) Parents(t testing.TB, w *Env) map[string]string {
	t.Helper()
	keys := map[string]string{}
	for _, key := range k.Description.Parents {
		parent := KindOf(t, crud.Type(key.Kind))
		names := parent.Keys()
		keys[key.Name] = parent.CreateIn(t, w, keys)[names[len(names)-1]]
	}
	return keys
}

// ImportID returns the import id of the object with the given keys.
func (k Kind) ImportID(keys map[string]string) string {
	var parts []string
	for _, name := range k.Keys() {
		parts = append(parts, keys[name])
	}
	return strings.Join(parts, "/")
}

// At returns the path of the object with the given keys.
func (k Kind) At(keys map[string]string) string { return fill(k.ObjectPath(), keys) }

// ListPath returns the path of the collection that contains the object with the
// given keys.
func (k Kind) ListPath(keys map[string]string) string {
	return fill(k.ObjectPath()[:strings.LastIndex(k.ObjectPath(), "/")], keys)
}

// ParentPath returns the path of the parent of the object with the given keys,
// or an empty string if the kind has no parent.
func (k Kind) ParentPath(keys map[string]string) string {
	end := strings.LastIndex(k.ObjectPath(), "}")
	if !k.Module() {
		end = strings.LastIndex(k.ObjectPath()[:end], "}")
	}
	return fill(k.ObjectPath()[:end+1], keys)
}

func fill(path string, keys map[string]string) string {
	for name, value := range keys {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	return path
}

// Create creates an object out of band in new parents and returns its keys.
func (k Kind) Create(t testing.TB, w *Env) map[string]string {
	t.Helper()
	return k.CreateIn(t, w, k.Parents(t, w))
}

// Configuration returns the arguments of a resource as Terraform generates them
// for an existing object, and the keys of that object. The object is deleted
// again, but its parents still exist.
func (k Kind) Configuration(t testing.TB, w *Env) (keys map[string]string, arguments map[string]tftypes.Value) {
	t.Helper()
	body := k.Body(t, w)
	keys = k.createIn(t, w, k.Parents(t, w), body)
	p := w.Protocol(t)
	state, _ := p.Import(k.Type, k.ImportID(keys), nil)
	arguments = maps.Clone(p.Attributes(p.Generated(k.Type, state)))
	for name, value := range body {
		if text, ok := value.(string); ok && strings.HasPrefix(name, "private_key_pem") {
			arguments[name] = Text(text) // the service never returns it
		}
	}
	maps.Copy(arguments, k.Settings)
	w.ForceDelete(k.At(keys))
	return keys, arguments
}

// CreateIn creates an object in the given parents and returns its keys.
func (k Kind) CreateIn(t testing.TB, w *Env, parents map[string]string) map[string]string {
	t.Helper()
	return k.createIn(t, w, parents, k.Body(t, w))
}

func (k Kind) createIn(t testing.TB, w *Env, parents map[string]string, arguments map[string]any) map[string]string {
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
