package crud

// This file keeps a promise: a run with the API key of another account neither
// forgets the objects of the state nor creates them there again.

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// account counts the objects of the state that are gone. If three or more are and none is
// found, the account may be the wrong one, which is an error. Until that is decided, each
// object that is gone is a reason to look for others that the state has: a plan with
// -minimal-refresh reads only what changes, and a response for one that exists may be the
// slowest. Other objects of the account say nothing, and neither does a creation, which
// succeeds in any account. The zero value is ready for use.
type account struct {
	skipped bool        // by the user
	found   atomic.Bool // an object of the state exists

	mu       sync.Mutex // held while others are looked for: one decision at a time
	known    []held     // not looked for yet, up to ten: as many as Terraform works on at once
	gone     []string   // objects that do not exist, such as "SSH credential sshcr_2abc"
	parents  []string   // their ids or, for objects in a parent, the parent's
	reported bool
}

// A held object is an object that the state has.
type held struct {
	name   string // such as "SSH credential sshcr_2abc"
	parent string // id of the parent or, without one, of the object
	exists func(context.Context) (bool, error)
}

// minGone is the number of parents that are gone from which on the account may be the
// wrong one. What is in a parent counts with it as one, since it goes with it.
const minGone = 3

// A strangeAccount says why the account may be the wrong one.
type strangeAccount struct {
	first bool     // the first report
	gone  []string // objects that do not exist
}

// asks reports whether plan needs to be called for an object in a parent.
func (a *account) asks(parent string) bool {
	if a.skipped || a.found.Load() {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.gone) > 0 || a.isNew(parent)
}

func (a *account) isNew(parent string) bool {
	known := func(other held) bool { return other.parent == parent }
	return len(a.known) < 10 && !slices.Contains(a.parents, parent) && !slices.ContainsFunc(a.known, known)
}

// meet records that an operation on an object of the state begins.
func (a *account) meet(object held) {
	if a.skipped || a.found.Load() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.isNew(object.parent) {
		a.known = append(a.known, object)
	}
}

// plan is like meet for an object that is planned, and that may not be read. It decides
// whether the objects that are gone can leave the state.
func (a *account) plan(ctx context.Context, object held) *strangeAccount {
	a.meet(object)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.gone) == 0 {
		return nil
	}
	return a.decide(ctx)
}

// lose decides what becomes of an object that is gone. It returns nil if the object may
// leave the state: at most two do so if none exists.
func (a *account) lose(ctx context.Context, object held) *strangeAccount {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.miss(object)
	return a.decide(ctx)
}

func (a *account) miss(object held) {
	if !slices.Contains(a.gone, object.name) {
		a.gone = append(a.gone, object.name)
	}
	if !slices.Contains(a.parents, object.parent) {
		a.parents = append(a.parents, object.parent)
	}
}

func (a *account) decide(ctx context.Context) *strangeAccount {
	for len(a.known) > 0 && !a.skipped && !a.reported && !a.found.Load() {
		other := a.known[0]
		a.known = a.known[1:]
		if slices.Contains(a.parents, other.parent) {
			continue
		}
		if exists, err := other.exists(ctx); err == nil && !exists {
			a.miss(other)
		} else if exists {
			a.found.Store(true)
		}
	}
	if a.skipped || a.found.Load() || len(a.parents) < minGone {
		return nil
	}
	first := !a.reported
	a.reported = true
	return &strangeAccount{first, slices.Clone(a.gone)}
}
