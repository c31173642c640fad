package crud

// This file keeps a promise: no two resources of a run create the same object.

import (
	"sync"
	"sync/atomic"
	"time"
)

// A run is what this process knows of what its resources do with objects. Terraform
// creates and deletes at once, so a renamed resource can find the object that it
// replaces. The zero value is ready for use.
type run struct {
	owned   sync.Map     // keys of the objects that a resource creates
	deletes atomic.Int64 // when the last deletion began, in Unix time in ns

	account  account
	reported atomic.Bool // that there is no client
	warned   atomic.Bool // that there is no configuration
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

// mayDelete reports whether an object may go soon: this run has just begun to delete one.
func (r *run) mayDelete() bool {
	return time.Since(time.Unix(0, r.deletes.Load())) < time.Minute
}
