package testserver

import (
	"sync"
	"time"
)

// Store holds every object of a server, in memory and, if [OpenStore] made it, in a file too.
//
// Objects are immutable: a change stores a new one under the same key. One writer at a time prepares its changes, makes
// them safe on disk, and only then lets readers see them.
type Store struct {
	writing sync.Mutex   // held by the writer, so that what it found still holds when it commits
	mutex   sync.RWMutex // guards what the tables hold, and the fields below

	tables map[string]anyTable
	refs   map[string]int // how many objects refer to the object with this id
	keep   time.Duration  // how long past states of tables are kept for stale lists
	newest time.Time      // no object was made later than this by an earlier run
	clock  func() time.Time

	disk *disk // nil: memory only
}

func newStore() *Store {
	return &Store{tables: map[string]anyTable{}, refs: map[string]int{}, clock: time.Now}
}

// change is one object stored or deleted.
type change struct {
	table string
	key   string
	value any // nil: deleted
	apply func()
}

// tx collects the changes of one writer. What it reads is the state before.
type tx struct {
	store   *Store
	changes []change
}

// update lets work prepare changes, and makes all of them or, if work or the disk fails, none.
func (s *Store) update(work func(*tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	tx := &tx{store: s}
	if err := work(tx); err != nil {
		return err
	}
	if s.disk != nil && len(tx.changes) > 0 {
		if err := s.disk.commit(tx.changes); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, change := range tx.changes {
		change.apply()
	}
	return nil
}

// referred reports whether any object refers to the one with this id.
func (s *Store) referred(id string) bool {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.refs[id] > 0
}

// count adds to the number of references from what an object refers to.
func (s *Store) count(ids []string, by int) {
	for _, id := range ids {
		if s.refs[id] += by; s.refs[id] == 0 {
			delete(s.refs, id)
		}
	}
}

// keepPast makes stale lists possible that lag behind by d.
func (s *Store) keepPast(d time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.keep = d
	if d == 0 {
		for _, table := range s.tables {
			table.forget()
		}
	}
}

// snapshot is the state of all tables at one moment. Taking one costs next to nothing: tables copy on write.
type snapshot map[string]any

func (s *Store) snapshot() snapshot {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := snapshot{}
	for name, table := range s.tables {
		all[name] = table.freeze()
	}
	return all
}

// restore goes back to a snapshot, on disk too.
func (s *Store) restore(all snapshot) error {
	return s.update(func(tx *tx) error {
		for name, frozen := range all {
			s.tables[name].restore(tx, frozen)
		}
		return nil
	})
}
