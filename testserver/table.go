package testserver

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/btree"
)

// item is an object in a table: a pointer to an immutable struct.
type item interface {
	key() string      // the id, or the parent's key, a slash and the own id or name
	order() string    // sort key of the objects of one parent: the order in which they were added
	refers() []string // ids of the objects that it refers to
	unique() string   // value that is unique in the table; empty if there is none
	created() time.Time
}

// table contains all objects of one kind, sorted by key. Reads of an object or
// page take logarithmic time.
type table[T item] struct {
	name    string
	store   *objectStore
	rows    *btree.BTreeG[row[T]]
	uniques map[string]string // from unique value to key
	past    []version[T]      // oldest first
}

type row[T item] struct {
	key   string
	value T
	born  time.Time // when this process first stored it; zero if it was loaded from disk
}

// version is a past state of a table.
type version[T item] struct {
	rows  *btree.BTreeG[row[T]]
	until time.Time // when the next state replaced it
}

// anyTable is the interface of a table, independent of the type of its objects.
type anyTable interface {
	freeze() any
	restore(*tx, any)
	forget()
	load(value []byte) error
}

// tableOf is the name of a table of objects.
type tableOf[T item] string

// open creates the table in a store.
func (name tableOf[T]) open(store *objectStore) { newTable[T](store, string(name)) }

// in returns the table in a store. It is nil if there is no store.
func (name tableOf[T]) in(store *objectStore) *table[T] {
	if store == nil {
		return nil
	}
	return newTable[T](store, string(name))
}

const btreeDegree = 32

func newTable[T item](store *objectStore, name string) *table[T] {
	if existing, ok := store.tables[name]; ok {
		return existing.(*table[T])
	}
	t := &table[T]{
		name:    name,
		store:   store,
		rows:    newRows[T](),
		uniques: map[string]string{},
	}
	store.tables[name] = t
	return t
}

func newRows[T item]() *btree.BTreeG[row[T]] {
	return btree.NewG(btreeDegree, func(a, b row[T]) bool { return a.key < b.key })
}

// get returns the object with the given key.
func (t *table[T]) get(key string) (T, bool) {
	value, _, ok := t.find(key, present)
	return value, ok
}

// find returns the object with the given key at a time, and when this process
// first stored it. The time is zero if the object was loaded from disk.
func (t *table[T]) find(key string, asOf time.Time) (value T, born time.Time, ok bool) {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	found, ok := t.at(asOf).Get(row[T]{key: key})
	return found.value, found.born, ok
}

// all returns all objects, oldest first.
func (t *table[T]) all() []T {
	return t.page("", math.MaxInt, true, present)
}

// holder returns the key of the object with this unique value.
func (t *table[T]) holder(unique string) (key string, ok bool) {
	t.store.mutex.RLock()
	defer t.store.mutex.RUnlock()
	key, ok = t.uniques[unique]
	return key, ok
}

// page returns up to limit objects next to the key before, without the object
// with that key: older objects newest first or, with oldestFirst, newer objects
// oldest first. An empty key starts at the end or, with oldestFirst, at the
// beginning. asOf is a time in the past, or zero for the current state.
func (t *table[T]) page(before string, limit int, oldestFirst bool, asOf time.Time) []T {
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

// under returns all objects of a parent, in the order in which they were added.
func (t *table[T]) under(parent string, asOf time.Time) []T {
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
	slices.SortStableFunc(found, func(a, b T) int { return strings.Compare(a.order(), b.order()) })
	return found
}

// present as a time means the current state of a table, and never an empty
// table.
var (
	present time.Time
	never   = time.Unix(0, 0)
)

// at returns the rows at a time in the past. The caller must hold the store's
// mutex.
func (t *table[T]) at(asOf time.Time) *btree.BTreeG[row[T]] {
	if asOf.Equal(never) {
		return newRows[T]()
	}
	if !asOf.IsZero() {
		for _, former := range t.past {
			if former.until.After(asOf) {
				return former.rows
			}
		}
	}
	return t.rows
}

// put stores an object in a transaction.
func (t *table[T]) put(tx *tx, value T) {
	tx.changes = append(tx.changes, change{t.name, value.key(), value, func() {
		t.remember()
		t.insert(row[T]{key: value.key(), value: value, born: t.store.clock()})
	}})
}

// remove deletes an object in a transaction.
func (t *table[T]) remove(tx *tx, key string) {
	tx.changes = append(tx.changes, change{t.name, key, nil, func() {
		t.remember()
		if old, ok := t.rows.Delete(row[T]{key: key}); ok {
			t.forgetIndexes(old.value)
		}
	}})
}

func (t *table[T]) insert(r row[T]) {
	old, replaced := t.rows.Get(r)
	if replaced {
		r.born = old.born
		t.forgetIndexes(old.value)
	}
	t.rows.ReplaceOrInsert(r)
	t.store.count(r.value.refers(), 1)
	if unique := r.value.unique(); unique != "" {
		t.uniques[unique] = r.key
	}
}

func (t *table[T]) forgetIndexes(value T) {
	t.store.count(value.refers(), -1)
	delete(t.uniques, value.unique())
}

// remember keeps the state before a change for lags and drops states that are
// too old.
func (t *table[T]) remember() {
	if t.store.keep == 0 {
		return
	}
	now := t.store.clock()
	for len(t.past) > 0 && now.Sub(t.past[0].until) > t.store.keep {
		t.past = t.past[1:]
	}
	t.past = append(t.past, version[T]{rows: t.rows.Clone(), until: now})
}

func (t *table[T]) forget() {
	t.past = nil
}

func (t *table[T]) freeze() any {
	return t.rows.Clone()
}

// restore prepares the changes that lead back to a frozen state.
func (t *table[T]) restore(tx *tx, frozen any) {
	then := frozen.(*btree.BTreeG[row[T]])
	t.rows.Ascend(func(r row[T]) bool {
		if !then.Has(r) {
			t.remove(tx, r.key)
		}
		return true
	})
	then.Ascend(func(r row[T]) bool {
		if current, ok := t.rows.Get(r); !ok || any(current.value) != any(r.value) {
			t.put(tx, r.value)
		}
		return true
	})
}

// load adds an object from the disk.
func (t *table[T]) load(data []byte) error {
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	t.insert(row[T]{key: value.key(), value: value})
	if t.store.loaded.Before(value.created()) {
		t.store.loaded = value.created()
	}
	return nil
}
