package crud

// This file keeps a promise: no two resources of a run manage the same object.

import (
	"context"
	"sync"
)

// claims knows the objects that the resources of this run create and delete.
// Terraform creates and deletes at once, so a renamed resource can find the
// object that it replaces. The zero value is ready for use.
type claims struct {
	mu        sync.Mutex
	owned     map[string]bool
	held      map[string]bool        // by a state that this run has read
	made      map[string]bool        // by this run
	deletions map[string][]*deletion // by type
}

type deletion struct {
	id   string
	done chan struct{} // closed when the deletion ended
	ok   bool
}

// objectKey returns the key of an object for claim and hold.
func objectKey(kind, id string) string { return kind + " " + id }

// claim makes the caller the only one in this run that creates an object with a
// key, and returns false if another resource already is.
func (c *claims) claim(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owned[key] {
		return false
	}
	if c.owned == nil {
		c.owned = map[string]bool{}
	}
	c.owned[key] = true
	return true
}

// hold records that the state of a resource contains an object, or is about to
// because of an import. It reports whether another resource has the same object:
// Terraform reads the object of a resource once in a run.
func (c *claims) hold(key string) (twice bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held == nil {
		c.held = map[string]bool{}
	}
	twice, c.held[key] = c.held[key], true
	return twice
}

// create records that this run has created an object.
func (c *claims) create(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made = map[string]bool{}
	}
	c.made[key] = true
}

// holds reports whether the state of a resource contains an object.
func (c *claims) holds(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[key] || c.made[key]
}

// release ends a claim after a creation that failed.
func (c *claims) release(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.owned, key)
}

// drop forgets an object that does not exist any more.
func (c *claims) drop(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.owned, key)
	delete(c.held, key)
	delete(c.made, key)
}

// deletion records that an object is being deleted. The caller must call done.
func (c *claims) deletion(kind, id string) (done func(ok bool)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := &deletion{id: id, done: make(chan struct{})}
	if c.deletions == nil {
		c.deletions = map[string][]*deletion{}
	}
	c.deletions[kind] = append(c.deletions[kind], d)
	return func(ok bool) {
		d.ok = ok
		close(d.done)
		if ok {
			c.drop(objectKey(kind, id))
		}
	}
}

// awaitDeletion waits for the deletions of an object by this run, or of all
// objects of a kind if id is empty. It reports whether there was one that
// succeeded.
func (c *claims) awaitDeletion(ctx context.Context, kind, id string) bool {
	c.mu.Lock()
	deletions := append([]*deletion(nil), c.deletions[kind]...)
	c.mu.Unlock()
	deleted := false
	for _, d := range deletions {
		if id != "" && d.id != id {
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
