package crud

// This file keeps a promise: no two resources of a run manage the same object.

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// A run is what this process knows of what its resources do with objects. Terraform
// creates and deletes at once, so a renamed resource can find the object that it
// replaces. The zero value is ready for use.
type run struct {
	owned sync.Map // keys of the objects that a resource creates

	mu        sync.Mutex
	deletions []*deletion

	account  account
	reported atomic.Bool // that there is no client
	warned   atomic.Bool // that there is no configuration
}

type deletion struct {
	kind, id string
	done     chan struct{} // closed when the deletion ended
	ok       bool
}

// objectKey returns the key of an object.
func objectKey(kind, id string) string { return kind + " " + id }

// claim makes the caller the only one in this run that creates an object with a
// key, and returns false if another resource already is.
func (r *run) claim(key string) bool {
	_, taken := r.owned.LoadOrStore(key, true)
	return !taken
}

// release ends a claim: the creation failed, or the object is gone.
func (r *run) release(key string) { r.owned.Delete(key) }

// deleting records that an object is being deleted. The caller must call done.
func (r *run) deleting(kind, id string) (done func(ok bool)) {
	d := &deletion{kind: kind, id: id, done: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deletions = append(r.deletions, d)
	return func(ok bool) {
		if ok {
			r.owned.Delete(objectKey(kind, id))
		}
		d.ok = ok
		close(d.done)
	}
}

// awaitDeletion waits for the deletions of an object by this run, or of all
// objects of a kind if id is empty. It reports whether there was one that
// succeeded.
func (r *run) awaitDeletion(ctx context.Context, kind, id string) bool {
	r.mu.Lock()
	deletions := slices.Clone(r.deletions)
	r.mu.Unlock()
	deleted := false
	for _, d := range deletions {
		if d.kind != kind || id != "" && d.id != id {
			continue
		}
		select {
		case <-d.done:
			deleted = deleted || d.ok
		case <-ctx.Done():
			return false
		}
	}
	return deleted
}
