// Package store holds objects in tables, in memory and optionally in a file. It
// uses no other package of the test server. Requests, JSON forms of responses and
// kinds of objects must stay out: a kind brings the name of its table.
package store

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// Store holds all objects of a server in memory. If it was opened with
// openStore, it also keeps them in a file.
//
// Objects are immutable: a change stores a new object under the same key. One
// writer at a time prepares changes, writes them to disk, and then makes them
// visible to readers.
type Store struct {
	writing sync.Mutex   // held by the writer, so that its checks still hold when it commits
	mutex   sync.RWMutex // guards the content of the tables and the fields below

	tables map[string]anyTable
	refs   map[string]int // number of references to the object with this id
	keep   time.Duration  // how long past states of tables are kept for lags
	loaded time.Time      // latest creation time of the objects that an earlier server stored

	version uint64    // number of the last change; 1 is the state that was loaded from disk
	removed []removal // the last removals, oldest first, at most 2*maxRemoved

	clock    func() time.Time // time of changes
	watchers []*func([]Change)
	disk     *disk // nil if the store is in memory only
	batch    bool  // changes wait in pending; see Batch
	pending  []change
	saved    map[string]*Saved
}

// New returns an empty store in memory, without tables.
func New() *Store {
	return &Store{tables: map[string]anyTable{}, refs: map[string]int{}, saved: map[string]*Saved{}, clock: time.Now, version: 1}
}

// Newest returns the latest creation time of the objects that an earlier server
// stored. It is zero if there are none.
func (s *Store) Newest() time.Time {
	return s.loaded
}

// UseClock sets the clock for the times of changes.
func (s *Store) UseClock(now func() time.Time) {
	s.clock = now
}

// Change is an object that was stored or deleted.
type Change struct {
	Table, Key string
	Old, Value any // immutable objects; nil before a creation, and after a deletion
}

// Watch calls watch with all objects and then, until stop is called, with the changes of
// each transaction, in their order.
func (s *Store) Watch(watch func([]Change)) (stop func()) {
	s.writing.Lock()
	defer s.writing.Unlock()
	var all []Change
	for _, table := range s.tables {
		all = table.appendTo(all, table.freeze())
	}
	watch(all)
	s.watchers = append(s.watchers, &watch)
	return func() {
		s.writing.Lock()
		defer s.writing.Unlock()
		s.watchers = slices.DeleteFunc(s.watchers, func(w *func([]Change)) bool { return w == &watch })
	}
}

// change stores or deletes one object.
type change struct {
	table string
	key   string
	old   any // nil also if nobody watches
	value any // nil deletes the object
	apply func()
}

// Tx collects the changes of one writer. Reads during the transaction return
// the state before it.
type Tx struct {
	store   *Store
	changes []change
}

// Update runs work and applies the changes that it prepares. If work or the
// disk fails, it applies none.
func (s *Store) Update(work func(*Tx) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	tx := &Tx{store: s}
	if err := work(tx); err != nil {
		return err
	}
	if err := s.commit(tx.changes); err != nil {
		return err
	}
	s.apply(tx.changes)
	if s.watchers != nil {
		s.tell(tx.changes)
	}
	return nil
}

// commit writes changes to the file, unless the end of a batch does.
func (s *Store) commit(changes []change) error {
	switch {
	case s.disk == nil || len(changes) == 0 || s.tables[changes[0].table].isTransient():
		return nil
	case s.batch:
		s.pending = append(s.pending, changes...)
		return nil
	}
	return s.disk.commit(changes)
}

// Batch runs work, whose changes are in the file only after its end, all at once.
func (s *Store) Batch(work func() error) error {
	s.writing.Lock()
	s.batch = true
	s.writing.Unlock()
	err := work()
	s.writing.Lock()
	defer s.writing.Unlock()
	pending := s.pending
	s.batch, s.pending = false, nil
	return errors.Join(err, s.commit(pending))
}

func (s *Store) apply(changes []change) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, change := range changes {
		s.version++
		change.apply()
	}
}

// tell tells the watchers what has changed.
func (s *Store) tell(changes []change) {
	told := make([]Change, len(changes))
	for i, c := range changes {
		told[i] = Change{c.table, c.key, c.old, c.value}
	}
	for _, watch := range s.watchers {
		(*watch)(told)
	}
}

// Referred reports whether any object refers to the object with this id.
func (s *Store) Referred(id string) bool {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return s.refs[id] > 0
}

// count adds by to the reference counts of ids.
func (s *Store) count(ids []string, by int) {
	for _, id := range ids {
		if s.refs[id] += by; s.refs[id] == 0 {
			delete(s.refs, id)
		}
	}
}

// KeepPast makes the tables keep their states of the last d for lags. If d is
// 0, it drops the past states.
func (s *Store) KeepPast(d time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.keep = d
	if d == 0 {
		for _, table := range s.tables {
			table.forget()
		}
	}
}
