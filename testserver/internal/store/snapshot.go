package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Snapshot is the state of all tables at one time. A snapshot is cheap, because
// tables are copied on write.
type Snapshot map[string]any

// Snapshot returns the state of all tables.
func (s *Store) Snapshot() Snapshot {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	all := Snapshot{}
	for name, table := range s.tables {
		if !table.isTransient() {
			all[name] = table.freeze()
		}
	}
	return all
}

// Restore restores a snapshot, also on disk.
func (s *Store) Restore(all Snapshot) error {
	return s.Update(func(tx *Tx) error {
		for name, frozen := range all {
			s.tables[name].restore(tx, frozen)
		}
		return nil
	})
}

// Saved is a snapshot with a name.
type Saved struct {
	At      time.Time
	Objects Snapshot
}

// Saved returns the saved snapshots by name.
func (s *Store) Saved() map[string]*Saved {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	return maps.Clone(s.saved)
}

// Save saves a snapshot under a name, also on disk. It replaces an earlier one. nil
// deletes it.
func (s *Store) Save(name string, saved *Saved) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.disk != nil {
		if err := s.disk.db.Update(func(tx *bbolt.Tx) error { return s.writeSaved(tx, []byte(name), saved) }); err != nil {
			return err
		}
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.saved[name] = saved; saved == nil {
		delete(s.saved, name)
	}
	return nil
}

// savedBucket has a bucket for each saved snapshot, with its time and a bucket for each
// table.
const savedBucket, savedAt = "snapshots", "at"

func (s *Store) writeSaved(tx *bbolt.Tx, name []byte, saved *Saved) error {
	all, err := tx.CreateBucketIfNotExists([]byte(savedBucket))
	if err != nil {
		return err
	}
	if err := all.DeleteBucket(name); saved == nil || err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
		return err
	}
	bucket, err := all.CreateBucket(name)
	if err != nil {
		return err
	}
	if err := put(bucket, savedAt, saved.At); err != nil {
		return err
	}
	for table, frozen := range saved.Objects {
		rows, err := bucket.CreateBucket([]byte(table))
		if err != nil {
			return err
		}
		for _, object := range s.tables[table].appendTo(nil, frozen) {
			if err := put(rows, object.Key, object.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// loadSaved loads the saved snapshots. They share no objects with the tables.
func (s *Store) loadSaved(all *bbolt.Bucket) error {
	return all.ForEachBucket(func(name []byte) error {
		bucket, saved := all.Bucket(name), &Saved{Objects: Snapshot{}}
		if err := json.Unmarshal(bucket.Get([]byte(savedAt)), &saved.At); err != nil {
			return fmt.Errorf("snapshot %q: %w", name, err)
		}
		for kind, table := range s.tables {
			if table.isTransient() {
				continue
			}
			frozen, err := table.read(bucket.Bucket([]byte(kind)))
			if err != nil {
				return fmt.Errorf("snapshot %q: %w", name, err)
			}
			saved.Objects[kind] = frozen
		}
		s.saved[string(name)] = saved
		return nil
	})
}
