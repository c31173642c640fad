package store

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/btree"
	"go.etcd.io/bbolt"
)

// Item is an object in a table: a pointer to an immutable struct.
type Item interface {
	Key() string      // the id, or the parent's key, a slash and the own id or name
	Order() string    // sort key of the objects of one parent: the order in which they were added
	Refers() []string // ids of the objects that it refers to
	Unique() string   // value that is unique in the table; empty if there is none
	Label() string    // short text by which people recognize it; empty if there is none
	Created() time.Time
}

// Table contains all objects of one kind, sorted by key. Reads of an object or
// page take logarithmic time.
type Table[T Item] struct {
	name    string
	store   *Store
	rows    *btree.BTreeG[row[T]]
	uniques map[string]string // from unique value to key
	past    []version[T]      // oldest first

	transient bool // neither on disk nor in snapshots; a transaction changes no other table then
}

type row[T Item] struct {
	key   string
	value T

	changed uint64 // version of the store that stored it
}

// version is a past state of a table.
type version[T Item] struct {
	rows  *btree.BTreeG[row[T]]
	until time.Time // when the next state replaced it
}

// anyTable is the interface of a table, independent of the type of its objects.
type anyTable interface {
	freeze() any
	restore(*Tx, any)
	forget()
	load(rows *bbolt.Bucket) error
	read(rows *bbolt.Bucket) (frozen any, err error)
	appendTo(all []Change, frozen any) []Change
	isTransient() bool
}

// TableOf is the name of a table of objects.
type TableOf[T Item] string

// Open creates the table in a store.
func (name TableOf[T]) Open(store *Store) { newTable[T](store, string(name)) }

// OpenTransient creates a table whose objects are neither on disk nor in snapshots.
func (name TableOf[T]) OpenTransient(store *Store) { newTable[T](store, string(name)).transient = true }

func (t *Table[T]) isTransient() bool { return t.transient }

// In returns the table in a store. It is nil if there is no store.
func (name TableOf[T]) In(store *Store) *Table[T] {
	if store == nil {
		return nil
	}
	return newTable[T](store, string(name))
}

const btreeDegree = 32

func newTable[T Item](store *Store, name string) *Table[T] {
	if existing, ok := store.tables[name]; ok {
		return existing.(*Table[T])
	}
	t := &Table[T]{
		name:    name,
		store:   store,
		rows:    newRows[T](),
		uniques: map[string]string{},
	}
	store.tables[name] = t
	return t
}

func newRows[T Item]() *btree.BTreeG[row[T]] {
	return btree.NewG(btreeDegree, func(a, b row[T]) bool { return a.key < b.key })
}

// Get returns the object with the given key.
func (t *Table[T]) Get(key string) (T, bool) {
	return t.Find(key, Present)
}

// Find returns the object with the given key at a time.
func (t *Table[T]) Find(key string, asOf time.Time) (value T, ok bool) {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	found, ok := t.at(asOf).Get(row[T]{key: key})
	return found.value, ok
}

// All returns all objects, oldest first.
func (t *Table[T]) All() []T {
	return t.Page("", math.MaxInt, true, Present)
}

// Holder returns the key of the object with this unique value.
func (t *Table[T]) Holder(unique string) (key string, ok bool) {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	key, ok = t.uniques[unique]
	return key, ok
}

// Page returns up to limit objects next to the key before, without the object
// with that key: older objects newest first or, with oldestFirst, newer objects
// oldest first. An empty key starts at the end or, with oldestFirst, at the
// beginning. asOf is a time in the past, or zero for the current state.
func (t *Table[T]) Page(before string, limit int, oldestFirst bool, asOf time.Time) []T {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	var found []T
	collect := func(r row[T]) bool {
		if r.key != before {
			found = append(found, r.value)
		}
		return len(found) < limit
	}
	rows, pivot := t.at(asOf), row[T]{key: before}
	switch {
	case oldestFirst:
		rows.AscendGreaterOrEqual(pivot, collect)
	case before == "":
		rows.Descend(collect)
	default:
		rows.DescendLessOrEqual(pivot, collect)
	}
	return found
}

// Under returns all objects of a parent, in the order in which they were added.
func (t *Table[T]) Under(parent string, asOf time.Time) []T {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	found := []T{}
	prefix := parent + "/"
	t.at(asOf).AscendGreaterOrEqual(row[T]{key: prefix}, func(r row[T]) bool {
		if !strings.HasPrefix(r.key, prefix) {
			return false
		}
		found = append(found, r.value)
		return true
	})
	slices.SortStableFunc(found, func(a, b T) int { return strings.Compare(a.Order(), b.Order()) })
	return found
}

// Present as a time means the current state of a table.
var Present time.Time

// at returns the rows at a time in the past. The caller must hold the store's
// mutex.
func (t *Table[T]) at(asOf time.Time) *btree.BTreeG[row[T]] {
	if !asOf.IsZero() {
		for _, former := range t.past {
			if former.until.After(asOf) {
				return former.rows
			}
		}
	}
	return t.rows
}

// Put stores an object in a transaction.
func (t *Table[T]) Put(tx *Tx, value T) {
	tx.changes = append(tx.changes, change{t.name, value.Key(), t.watched(value.Key()), value, func() {
		t.remember()
		t.insert(row[T]{key: value.Key(), value: value, changed: t.store.version})
	}})
}

// Remove deletes an object in a transaction.
func (t *Table[T]) Remove(tx *Tx, key string) {
	tx.changes = append(tx.changes, change{t.name, key, t.watched(key), nil, func() {
		t.remember()
		if old, ok := t.rows.Delete(row[T]{key: key}); ok {
			t.forgetIndexes(old.value)
			t.store.noteRemoval(key)
		}
	}})
}

// watched returns the object with a key if somebody watches and it exists. The caller is
// the writer.
func (t *Table[T]) watched(key string) any {
	if t.store.watchers == nil {
		return nil
	}
	if old, ok := t.rows.Get(row[T]{key: key}); ok {
		return old.value
	}
	return nil
}

func (t *Table[T]) insert(r row[T]) {
	old, replaced := t.rows.Get(r)
	if replaced {
		t.forgetIndexes(old.value)
	}
	t.rows.ReplaceOrInsert(r)
	t.store.count(r.value.Refers(), 1)
	if unique := r.value.Unique(); unique != "" {
		t.uniques[unique] = r.key
	}
}

func (t *Table[T]) forgetIndexes(value T) {
	t.store.count(value.Refers(), -1)
	delete(t.uniques, value.Unique())
}

// remember keeps the state before a change for lags and drops states that are
// too old.
func (t *Table[T]) remember() {
	if t.store.keep == 0 {
		return
	}
	now := t.store.clock()
	for len(t.past) > 0 && now.Sub(t.past[0].until) > t.store.keep {
		t.past = t.past[1:]
	}
	t.past = append(t.past, version[T]{rows: t.rows.Clone(), until: now})
}

func (t *Table[T]) forget() {
	t.past = nil
}

func (t *Table[T]) freeze() any {
	return t.rows.Clone()
}

// restore prepares the changes that lead back to a frozen state.
func (t *Table[T]) restore(tx *Tx, frozen any) {
	then := frozen.(*btree.BTreeG[row[T]])
	t.rows.Ascend(func(r row[T]) bool {
		if !then.Has(r) {
			t.Remove(tx, r.key)
		}
		return true
	})
	then.Ascend(func(r row[T]) bool {
		if current, ok := t.rows.Get(r); !ok || any(current.value) != any(r.value) {
			t.Put(tx, r.value)
		}
		return true
	})
}

// appendTo appends the objects of a frozen state.
func (t *Table[T]) appendTo(all []Change, frozen any) []Change {
	frozen.(*btree.BTreeG[row[T]]).Ascend(func(r row[T]) bool {
		all = append(all, Change{Table: t.name, Key: r.key, Value: r.value})
		return true
	})
	return all
}
