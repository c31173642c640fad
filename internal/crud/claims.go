package crud

// This file keeps a promise: no two resources of a run manage the same object.

import (
	"context"
	"slices"
	"sync"
)

// claims knows the objects that the resources of this run create and delete.
// Terraform creates and deletes at once, so a renamed resource can find the
// object that it replaces. The zero value is ready for use.
type claims struct {
	// These are sets of object keys.
	owned sync.Map // by a resource that creates the object
	held  sync.Map // by a state that this run has read
	made  sync.Map // by this run
	// plans is what this run plans for an object, by its key.
	plans sync.Map

	mu        sync.Mutex
	deletions []*deletion
}

type deletion struct {
	kind, id string
	done     chan struct{} // closed when the deletion ended
	ok       bool
}

// objectKey returns the key of an object for claim and hold.
func objectKey(kind, id string) string { return kind + " " + id }

// claim makes the caller the only one in this run that creates an object with a
// key, and returns false if another resource already is.
func (c *claims) claim(key string) bool {
	_, taken := c.owned.LoadOrStore(key, true)
	return !taken
}

// release ends a claim after a creation that failed.
func (c *claims) release(key string) { c.owned.Delete(key) }

// hold records that the state of a resource contains an object, or is about to
// because of an import. It reports whether another resource has the same object:
// Terraform reads the object of a resource once in a run.
func (c *claims) hold(key string) (twice bool) {
	_, twice = c.held.LoadOrStore(key, true)
	return twice
}

// What a plan does with the object of a resource.
const (
	planKeeps   = "keeps"
	planChanges = "changes"
	planDeletes = "deletes"
)

// plan records what a plan does with the object of a resource. It reports whether
// another resource has the same object and needs it otherwise: Terraform plans a
// resource that has an object once in a run.
func (c *claims) plan(key, does string) (conflict bool) {
	other, twice := c.plans.LoadOrStore(key, does)
	return twice && (other != does || does == planChanges)
}

// create records that this run has created an object.
func (c *claims) create(key string) { c.made.Store(key, true) }

// holds reports whether the state of a resource contains an object.
func (c *claims) holds(key string) bool {
	_, held := c.held.Load(key)
	_, made := c.made.Load(key)
	return held || made
}

// deletion records that an object is being deleted. The caller must call done.
func (c *claims) deletion(kind, id string) (done func(ok bool)) {
	d := &deletion{kind: kind, id: id, done: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deletions = append(c.deletions, d)
	return func(ok bool) {
		if ok {
			for _, set := range []*sync.Map{&c.owned, &c.held, &c.made} {
				set.Delete(objectKey(kind, id))
			}
		}
		d.ok = ok
		close(d.done)
	}
}

// awaitDeletion waits for the deletions of an object by this run, or of all
// objects of a kind if id is empty. It reports whether there was one that
// succeeded.
func (c *claims) awaitDeletion(ctx context.Context, kind, id string) bool {
	c.mu.Lock()
	deletions := slices.Clone(c.deletions)
	c.mu.Unlock()
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
