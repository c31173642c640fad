package crud

// This file keeps a promise: a wrong account is one error, and not the loss of a
// whole state.

import (
	"context"
	"slices"
	"sync"
	"time"
)

// account keeps the promise that a run with the API key of another account
// neither forgets the objects of the state nor creates them there again. It
// counts the objects of the state only: which other objects the account
// contains says nothing, and neither does a creation, which succeeds in any
// account.
//
// An object that does not exist is held until another one of the state is
// found, or until no other operation is under way. At least three that do not
// exist, and none that does, are an error. So nothing is lost if Terraform
// works in parallel, and at most two objects otherwise. The corner that becomes
// an error although the account is right: with -parallelism=1, nobody knows
// whether an object after the third exists.
//
// An earlier run with the wrong key may have created objects there. So objects
// that were created after all those that are gone, or at an unknown time, count
// only if, at the end, they are not fewer. The zero value is ready for use.
type account struct {
	skipped bool // by the user

	mu      sync.Mutex
	foreign bool       // reported
	gone    []sighting // objects that do not exist
	left    []string   // those of them that have left the state
	found   int        // objects that exist
	oldest  time.Time  // creation of the oldest of them; zero if unknown
	active  int        // operations on objects of the state that may still find one
	changed chan struct{}
}

// A sighting is an object of the state that a run has looked for.
type sighting struct {
	name    string    // such as "SSH credential sshcr_2abc"
	created time.Time // by the service's clock; zero if unknown
}

const (
	// minGone is the number of objects that do not exist from which on the
	// account may be the wrong one.
	minGone = 3
	// shortPause is how long no other operation must be under way until enough
	// objects that do not exist are an error, and longPause until fewer of them
	// leave the state. Terraform starts the next operations in the meantime.
	shortPause = 250 * time.Millisecond
	longPause  = 2 * time.Second
	// sameRun is how much younger than the gone objects a found one may be: one
	// run creates all of them, one after the other.
	sameRun = time.Minute
)

// An encounter is an operation on an object of the state.
type encounter struct {
	account *account
	ended   bool
}

// begin records an operation on an object of the state. The caller must call
// end.
func (a *account) begin() *encounter {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active++
	a.signal()
	return &encounter{account: a}
}

func (e *encounter) end() {
	e.account.mu.Lock()
	defer e.account.mu.Unlock()
	e.endLocked()
}

func (e *encounter) endLocked() {
	if !e.ended {
		e.ended = true
		e.account.active--
		e.account.signal()
	}
}

// find records that the object exists. The operations that wait need not wait for
// the end of this one.
func (e *encounter) find(object sighting) {
	a := e.account
	a.mu.Lock()
	defer a.mu.Unlock()
	a.found++
	if created := object.created; !created.IsZero() && (a.oldest.IsZero() || created.Before(a.oldest)) {
		a.oldest = created
	}
	a.signal()
}

// newest returns when the youngest of the gone objects was created, or the zero
// time if that is unknown. The caller must hold the lock.
func (a *account) newest() (at time.Time) {
	for _, object := range a.gone {
		if object.created.After(at) {
			at = object.created
		}
	}
	return at
}

// proven reports whether an object that was found proves that the account is the
// right one. The caller must hold the lock.
func (a *account) proven() bool {
	return !a.oldest.IsZero() && !a.oldest.After(a.newest().Add(sameRun))
}

// likely reports whether, at the end, the account is probably the right one. The
// caller must hold the lock.
func (a *account) likely() bool {
	return len(a.gone) < minGone || a.found >= len(a.gone) || a.found > 0 && a.newest().IsZero()
}

// A strangeAccount says why the account may be the wrong one.
type strangeAccount struct {
	first bool     // the first report
	gone  []string // objects that do not exist
	left  []string // those of them that have left the state already
	found int      // objects that exist, and are younger than those
}

// lose records that the object does not exist, and waits until it is known
// whether the account can be the wrong one. It returns nil if not.
func (e *encounter) lose(ctx context.Context, object sighting) *strangeAccount {
	a := e.account
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = append(a.gone, object)
	e.endLocked()
	for !a.skipped && !a.foreign && !a.proven() {
		changed, idle, pause := a.changed, a.active == 0, longPause
		if len(a.gone) >= minGone {
			pause = shortPause
		}
		a.mu.Unlock()
		quiet := waitForChange(ctx, changed, idle, pause)
		a.mu.Lock()
		if !quiet || a.foreign || a.proven() {
			continue
		}
		if a.likely() {
			return nil
		}
		a.foreign = true
		a.signal()
		return a.strange(true)
	}
	if a.skipped || !a.foreign {
		return nil
	}
	return a.strange(false)
}

// leave records that an object which does not exist has left the state. A read
// changes the state only if the whole plan succeeds.
func (a *account) leave(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = append(a.left, name)
}

func (a *account) strange(first bool) *strangeAccount {
	strange := &strangeAccount{first: first, left: slices.Clone(a.left), found: a.found}
	for _, object := range a.gone {
		strange.gone = append(strange.gone, object.name)
	}
	return strange
}

// waitForChange waits for a change or, if nothing else is under way, for a
// pause. It reports whether there was no change.
func waitForChange(ctx context.Context, changed <-chan struct{}, idle bool, pause time.Duration) (quiet bool) {
	var over <-chan time.Time
	if idle {
		over = time.After(pause)
	}
	select {
	case <-changed:
		return false
	case <-over:
	case <-ctx.Done():
	}
	return true
}

// signal wakes the operations that wait. The caller must hold the lock.
func (a *account) signal() {
	if a.changed != nil {
		close(a.changed)
	}
	a.changed = make(chan struct{})
}
