package crud

import (
	"context"
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
// whether an object after the third exists. The zero value is ready for use.
type account struct {
	skipped bool // by the user

	mu      sync.Mutex
	found   bool
	foreign bool     // reported
	gone    []string // such as "SSH credential sshcr_2abc"
	active  int      // operations on objects of the state that may still find one
	changed chan struct{}
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

// find records that the object exists.
func (e *encounter) find() {
	e.account.mu.Lock()
	defer e.account.mu.Unlock()
	if !e.account.found {
		e.account.found = true
		e.account.signal()
	}
}

// lose records that the object does not exist, and waits until it is known
// whether the account can be the wrong one. If so, it returns the objects that
// do not exist, and whether this is the first report.
func (e *encounter) lose(ctx context.Context, object string) (gone []string, first bool) {
	a := e.account
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = append(a.gone, object)
	e.endLocked()
	for !a.skipped && !a.found && !a.foreign {
		changed, idle, pause := a.changed, a.active == 0, longPause
		if len(a.gone) >= minGone {
			pause = shortPause
		}
		a.mu.Unlock()
		quiet := waitForChange(ctx, changed, idle, pause)
		a.mu.Lock()
		if !quiet || a.found || a.foreign {
			continue
		}
		if len(a.gone) < minGone {
			return nil, false
		}
		a.foreign = true
		a.signal()
		return append(gone, a.gone...), true
	}
	if a.skipped || a.found {
		return nil, false
	}
	return append(gone, a.gone...), false
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
