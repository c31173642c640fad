package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// disk is the file of a store. It has a bucket for each table, with a JSON
// value under each key. Every commit is synced, so that a kill at any time
// loses no change that a client got a response for.
type disk struct {
	db *bbolt.DB
}

// lockWait is how long Open waits for another process to close the file.
const lockWait = time.Second

// Open opens the store in a directory and loads the objects of earlier
// servers into the tables that openTables creates. It creates the directory and the
// file if necessary. It returns an error if another process has the store open, or
// if the file is damaged.
func Open(dir string, openTables func(*Store)) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the data directory: %w", err)
	}
	path := filepath.Join(dir, "tunnel.db")
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return nil, fmt.Errorf("open %s: the file is empty: restore a backup, or delete it to start with a new account", path)
	}
	store, err := openFile(path, openTables)
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("open %s: another process is using it", path)
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return store, nil
}

var errDamaged = errors.New("the file is damaged: restore a backup, or delete it to start with a new account")

// openFile loads and checks a file. The library reads the file through a memory
// map and does not expect damage, so a damaged file makes it panic or access
// memory that is not mapped.
func openFile(path string, openTables func(*Store)) (store *Store, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = errDamaged
		}
	}()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockWait})
	for _, damage := range []error{bolterrors.ErrInvalid, bolterrors.ErrVersionMismatch, bolterrors.ErrChecksum} {
		if errors.Is(err, damage) {
			return nil, errDamaged
		}
	}
	if err != nil {
		return nil, err
	}
	store = New()
	store.disk = &disk{db: db}
	openTables(store)
	if err := store.load(); err != nil {
		_ = db.Close() // nothing was written
		return nil, fmt.Errorf("%w (%w)", errDamaged, err)
	}
	return store, nil
}

// Close closes the file. A server must not use the store afterwards.
func (s *Store) Close() error {
	if s.disk == nil {
		return nil
	}
	return s.disk.db.Close()
}

func (s *Store) load() error {
	return s.disk.db.View(func(tx *bbolt.Tx) error {
		err := tx.ForEach(func(name []byte, bucket *bbolt.Bucket) error {
			if string(name) == savedBucket {
				return s.loadSaved(bucket)
			}
			table, ok := s.tables[string(name)]
			if !ok {
				return fmt.Errorf("unknown kind of object %q", name)
			}
			return table.load(bucket)
		})
		if err != nil {
			return err
		}
		for damage := range tx.Check() {
			if err == nil {
				err = damage // the others would make the message long
			}
		}
		return err
	})
}

// commit writes changes to the file in one transaction.
func (d *disk) commit(changes []change) error {
	return d.db.Update(func(tx *bbolt.Tx) error {
		for _, change := range changes {
			if err := write(tx, change); err != nil {
				return err
			}
		}
		return nil
	})
}

func write(tx *bbolt.Tx, change change) error {
	bucket, err := tx.CreateBucketIfNotExists([]byte(change.table))
	if err != nil {
		return err
	}
	if change.value == nil {
		return bucket.Delete([]byte(change.key))
	}
	return put(bucket, change.key, change.value)
}

func put(bucket *bbolt.Bucket, key string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return bucket.Put([]byte(key), data)
}

// load adds the objects from the disk.
func (t *Table[T]) load(rows *bbolt.Bucket) error {
	return t.each(rows, func(r row[T]) {
		t.insert(r)
		if t.store.loaded.Before(r.value.Created()) {
			t.store.loaded = r.value.Created()
		}
	})
}

// read reads a frozen state from the disk.
func (t *Table[T]) read(rows *bbolt.Bucket) (any, error) {
	frozen := newRows[T]()
	return frozen, t.each(rows, func(r row[T]) { frozen.ReplaceOrInsert(r) })
}

func (t *Table[T]) each(rows *bbolt.Bucket, use func(row[T])) error {
	if rows == nil {
		return nil
	}
	return rows.ForEach(func(key, data []byte) error {
		var value T
		if err := json.Unmarshal(data, &value); err != nil {
			return fmt.Errorf("%q %q: %w", t.name, key, err)
		}
		use(row[T]{key: value.Key(), value: value, changed: t.store.version})
		return nil
	})
}
