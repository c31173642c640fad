package acctest

import (
	"fmt"
	"path"
	"strings"
)

// Paths returns the paths of all objects on the server that Terraform can manage.
func (w *Env) Paths() []string {
	var all []string
	for _, kind := range Kinds {
		for _, found := range w.expand("", strings.Split(kind.ObjectPath(), "/")[1:]) {
			if !kind.Module() || w.Exists(found) {
				all = append(all, found)
			}
		}
	}
	return all
}

// expand replaces the placeholders of a path with the ids of all existing objects.
func (w *Env) expand(prefix string, segments []string) []string {
	for i, segment := range segments {
		name, ok := placeholder(segment)
		if !ok {
			prefix += "/" + segment
			continue
		}
		var all []string
		for _, object := range w.children(prefix) {
			// The last key can be another field than the id.
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

// children returns the objects of a collection. If the collection has no list,
// it returns them from the response of the parent.
func (w *Env) children(list string) []map[string]any {
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
