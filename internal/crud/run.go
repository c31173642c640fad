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
	owned   sync.Map     // names of the objects that a resource creates
	deletes atomic.Int64 // when the last deletion began, in Unix time in ns

	account  account
	reported atomic.Bool // that there is no client
	warned   atomic.Bool // that there is no configuration
}

// claim makes the caller the only one in this run that creates an object, and returns
// false if another resource already is.
func (r *run) claim(name string) bool {
	_, taken := r.owned.LoadOrStore(name, true)
	return !taken
}

// release ends a claim: the creation failed, or the object is gone.
func (r *run) release(name string) { r.owned.Delete(name) }

// mayDelete reports whether an object may go soon: this run has just begun to delete one.
func (r *run) mayDelete() bool {
	return time.Since(time.Unix(0, r.deletes.Load())) < time.Minute
}
