package crud

import (
	"context"
	"sync"
)

// owners knows the objects that the resources of this run create and delete.
// Terraform creates and deletes at once, so a renamed resource can find the
// object that it replaces. The zero value is ready for use.
type owners struct {
	mu        sync.Mutex
	owned     map[string]bool
	held      map[string]bool        // by a state; true for an import
	deletions map[string][]*deletion // by type
}

type deletion struct {
	id   string
	done chan struct{} // closed when the deletion ended
	ok   bool
}

// key returns the key of an object for claim.
func key(kind, id string) string { return kind + " " + id }

// claim makes the caller the only one in this run that creates an object with a
// key, and returns false if another resource already is.
func (o *owners) claim(key string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.owned[key] {
		return false
	}
	if o.owned == nil {
		o.owned = map[string]bool{}
	}
	o.owned[key] = true
	return true
}

// hold records that the state of a resource contains an object, or is about to
// because of an import. It reports whether an import and another resource have
// the same object.
func (o *owners) hold(key string, imports bool) (twice bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held == nil {
		o.held = map[string]bool{}
	}
	before, held := o.held[key]
	o.held[key] = before || imports
	return held && (before || imports)
}

// release ends a claim after a creation that failed.
func (o *owners) release(key string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.owned, key)
}

// deletion records that an object is being deleted. The caller must call done.
func (o *owners) deletion(kind, id string) (done func(ok bool)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	d := &deletion{id: id, done: make(chan struct{})}
	if o.deletions == nil {
		o.deletions = map[string][]*deletion{}
	}
	o.deletions[kind] = append(o.deletions[kind], d)
	return func(ok bool) {
		d.ok = ok
		close(d.done)
		if ok {
			o.release(key(kind, id))
		}
	}
}

// awaitDeletion waits for the deletions of an object by this run, or of all
// objects of a kind if id is empty. It reports whether there was one that
// succeeded.
func (o *owners) awaitDeletion(ctx context.Context, kind, id string) bool {
	o.mu.Lock()
	deletions := append([]*deletion(nil), o.deletions[kind]...)
	o.mu.Unlock()
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
