package crud

// This file keeps a promise: a run with the API key of another account neither
// forgets the objects of the state nor creates them there again.

import (
	"context"
	"slices"
	"sync"
	"time"
)

// account counts the objects of the state that a run has looked for. If three or
// more are gone and none is found, the account may be the wrong one, which is an
// error. Other objects of the account say nothing, and neither does a creation,
// which succeeds in any account. The zero value is ready for use.
type account struct {
	skipped bool // by the user

	mu       sync.Mutex
	underWay int       // operations that may still find an object of the state
	ended    time.Time // when the last of them did
	found    bool      // an object of the state exists
	gone     []string  // objects that do not, such as "SSH credential sshcr_2abc"
	parents  []string  // their ids or, for objects in a parent, the parent's
	left     []string  // those of them that have left the state
	held     bool      // by a read
	reported bool
}

const (
	// minGone is the number of parents that are gone from which on the account may be
	// the wrong one. What is in a parent counts with it as one, since it goes with it.
	minGone = 3
	// shortPause is how long no operation must be under way before so many are an
	// error, and longPause before fewer leave the state: Terraform starts the next
	// operations in the meantime, also those that wait for the error of another
	// provider block.
	shortPause = 250 * time.Millisecond
	longPause  = 2 * time.Second
	poll       = 50 * time.Millisecond
)

// look records that an operation on an object of the state begins. The caller must
// say whether it found the object.
func (a *account) look() (end func(found bool)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.underWay++
	return func(found bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.underWay--
		a.ended = time.Now()
		a.found = a.found || found
	}
}

// A strangeAccount says why the account may be the wrong one.
type strangeAccount struct {
	first bool     // the first report
	gone  []string // objects that do not exist
	left  []string // those of them that have left the state
}

// lose decides what becomes of an object that is gone. It waits until another object
// is found or no operation is under way, and returns nil if the object may leave the
// state: at most two do so if none exists. parent is the id of the parent or, without
// one, of the object.
//
// Reads change the state only if the whole plan succeeds. So one that waits, and is an
// error, is enough, and Terraform can look for all other objects in the meantime.
func (a *account) lose(ctx context.Context, name, parent string, isRead bool) *strangeAccount {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = append(a.gone, name)
	if !slices.Contains(a.parents, parent) {
		a.parents = append(a.parents, parent)
	}
	if isRead {
		if len(a.parents) < minGone || a.held {
			return nil
		}
		a.held = true
	}
	for !a.skipped && !a.found {
		wrong, pause := len(a.parents) >= minGone, longPause
		if wrong {
			pause = shortPause
		}
		quiet := a.underWay == 0 && time.Since(a.ended) >= pause
		switch {
		case !a.reported && !quiet && ctx.Err() == nil:
			a.mu.Unlock()
			time.Sleep(poll)
			a.mu.Lock()
		case wrong:
			first := !a.reported
			a.reported = true
			return &strangeAccount{first, slices.Clone(a.gone), slices.Clone(a.left)}
		default:
			a.left = append(a.left, name)
			return nil
		}
	}
	return nil
}
