package store

import "sort"

// A reader that knows the state at one version asks for what changed after it, so
// that it can follow a large account without reading all of it again.

// removal is the removal of an object.
type removal struct {
	version uint64
	key     string
}

// maxRemoved is the number of removals that a store remembers.
const maxRemoved = 10_000

func (s *Store) noteRemoval(key string) {
	s.removed = append(s.removed, removal{s.version, key})
	if len(s.removed) >= 2*maxRemoved {
		s.removed = append([]removal{}, s.removed[maxRemoved:]...)
	}
}

// Version returns the number of the last change. Each change of an object gets the
// next number.
func (s *Store) Version() uint64 {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.version
}

// RemovedAfter returns the keys of the objects that were removed after a version,
// oldest first. Some may exist again. It reports false if the store does not
// remember all of them.
func (s *Store) RemovedAfter(version uint64) (keys []string, ok bool) {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	if version > s.version || len(s.removed) >= maxRemoved && version < s.removed[0].version {
		return nil, false
	}
	first := sort.Search(len(s.removed), func(i int) bool { return s.removed[i].version > version })
	for _, removal := range s.removed[first:] {
		keys = append(keys, removal.key)
	}
	return keys, true
}

// Changed is an object with the version of the store that stored it.
type Changed[T Item] struct {
	Value   T
	Version uint64
}

// ChangedAfter returns the objects that were stored after a version, sorted by key.
func (t *Table[T]) ChangedAfter(version uint64) []Changed[T] {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	var found []Changed[T]
	t.rows.Ascend(func(r row[T]) bool {
		if r.changed > version {
			found = append(found, Changed[T]{r.value, r.changed})
		}
		return true
	})
	return found
}
