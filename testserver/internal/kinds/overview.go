package kinds

import (
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Overview is what an account holds, or what changed in it after a version.
type Overview struct {
	Version uint64           `json:"version"`
	Whole   bool             `json:"whole"`   // all objects, not only those that changed
	Removed []string         `json:"removed"` // keys; apply them before the objects
	Objects []engine.Summary `json:"objects"`
	Kinds   []engine.Kind    `json:"kinds"`
}

// Changes returns the objects in a store that changed after a version. If the store
// does not remember all removals, and for version 0, it returns all objects.
func Changes(all *store.Store, after uint64) Overview {
	s := NewService(all)
	found := Overview{Version: all.Version(), Removed: []string{}, Objects: []engine.Summary{}}
	removed, complete := all.RemovedAfter(after)
	if found.Whole = after == 0 || !complete; found.Whole {
		after, removed = 0, nil
	}
	found.Removed = append(found.Removed, removed...)
	serving := map[string]bool{} // paths of the kinds that others use by a value
	served := len(removed) > 0   // whether such an object changed
	kinds := append(slices.Clip(objects), objectsIn(tunnelTable, tunnels))
	for _, kind := range kinds {
		described := kind.of(s).Kind()
		found.Kinds = append(found.Kinds, described)
		serving[described.Path] = described.Serves
		served = served || described.Serves && len(kind.of(s).ChangedAfter(after)) > 0
	}
	for i, kind := range kinds {
		since := after
		if served && slices.ContainsFunc(found.Kinds[i].Refers, func(path string) bool { return serving[path] }) {
			since = 0 // what they use may have changed without them
		}
		found.Objects = append(found.Objects, kind.of(s).ChangedAfter(since)...)
	}
	modules := s.modules()
	for i := range found.Objects {
		for _, module := range modules {
			module.NoteOn(&found.Objects[i])
		}
	}
	return found
}
