package testserver

import (
	"sync"
	"time"
)

// objectStore holds all objects of a server in memory. If it was opened with
// openStore, it also keeps them in a file.
//
// Objects are immutable: a change stores a new object under the same key. One
// writer at a time prepares changes, writes them to disk, and then makes them
// visible to readers.
type objectStore struct {
	writing sync.Mutex   // held by the writer, so that its checks still hold when it commits
	mutex   sync.RWMutex // guards the content of the tables and the fields below

	tables map[string]anyTable
	refs   map[string]int // number of references to the object with this id
	keep   time.Duration  // how long past states of tables are kept for lags
	loaded time.Time      // latest creation time of the objects that an earlier server stored

	clock func() time.Time // time of changes
	disk  *disk            // nil if the store is in memory only
}

func newStore() *objectStore {
	return &objectStore{tables: map[string]anyTable{}, refs: map[string]int{}, clock: time.Now}
}

// newest returns the latest creation time of the objects that an earlier server
// stored. It is zero if there are none.
func (s *objectStore) newest() time.Time {
	return s.loaded
}

// useClock sets the clock for the times of changes.
func (s *objectStore) useClock(now func() time.Time) {
	s.clock = now
}

// change stores or deletes one object.
type change struct {
	table string
	key   string
	value any // nil deletes the object
	apply func()
}

// tx collects the changes of one writer. Reads during the transaction return
// the state before it.
type tx struct {
	store   *objectStore
	changes []change
}

// update runs work and applies the changes that it prepares. If work or the
// disk fails, it applies none.
func (s *objectStore) update(work func(*tx) error) error {
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

// referred reports whether any object refers to the object with this id.
func (s *objectStore) referred(id string) bool {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.refs[id] > 0
}

// count adds by to the reference counts of ids.
func (s *objectStore) count(ids []string, by int) {
	for _, id := range ids {
		if s.refs[id] += by; s.refs[id] == 0 {
			delete(s.refs, id)
		}
	}
}

// keepPast makes the tables keep their states of the last d for lags. If d is
// 0, it drops the past states.
func (s *objectStore) keepPast(d time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.keep = d
	if d == 0 {
		for _, table := range s.tables {
			table.forget()
		}
	}
}

// snapshot is the state of all tables at one time. A snapshot is cheap, because
// tables are copied on write.
type snapshot map[string]any

func (s *objectStore) snapshot() snapshot {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := snapshot{}
	for name, table := range s.tables {
		all[name] = table.freeze()
	}
	return all
}

// restore restores a snapshot, also on disk.
func (s *objectStore) restore(all snapshot) error {
	return s.update(func(tx *tx) error {
		for name, frozen := range all {
			s.tables[name].restore(tx, frozen)
		}
		return nil
	})
}
