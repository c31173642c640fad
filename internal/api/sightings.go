package api

// This file keeps a promise: a replica that lags behind never makes a new object
// look gone.

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// recent is how long after a write of this client other answers of the service
// may still show the state before it: its replicas settle.
const recent = 30 * time.Second

// sightings keep the promise that an object belongs to one resource: a 201 is
// not believed if its object existed before the request. They also know what
// this client has just written, which replicas may not show yet. All times are
// local, so no clock of the service decides. The zero value is ready for use.
type sightings struct {
	mu      sync.Mutex
	objects map[string]*sighting // by path
	touched map[string]time.Time // last write, by id
}

type sighting struct {
	seen    time.Time // first time in a state, a list or a response to a read
	created time.Time // by this client
	// age is how long before its request the object was created, by the service's
	// clocks. They may differ, so it says nothing alone.
	age     time.Duration
	trusted bool // the age is that of an object of this client
}

func (s *sightings) at(path string) *sighting {
	if s.objects == nil {
		s.objects, s.touched = map[string]*sighting{}, map[string]time.Time{}
	}
	if s.objects[path] == nil {
		s.objects[path] = &sighting{}
	}
	return s.objects[path]
}

// see records that an object exists.
func (s *sightings) see(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if object := s.at(path); object.seen.IsZero() {
		object.seen = time.Now()
	}
}

// create records that this client created an object, and returns what is
// wrong if it cannot have: an earlier request of this run did, or, if the
// service assigns the ids, the object was seen before the request was sent.
func (s *sightings) create(path string, sent time.Time, age time.Duration, assigned bool) (wrong string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	object := s.at(path)
	switch {
	case !object.created.IsZero():
		return "which an earlier request of this run created"
	case assigned && !object.seen.IsZero() && object.seen.Before(sent):
		return "which existed before the request"
	}
	object.created, object.age = time.Now(), age
	return ""
}

// clockMargin is how much older than its request a new object may seem.
const clockMargin = time.Minute

// tooOld reports whether an object in a 201 seems to be older than its request,
// and older than those that this client certainly created. Otherwise, or if
// trust is true, this client created it, and its age counts as the difference
// between the clocks.
func (s *sightings) tooOld(path string, trust bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	judged := s.at(path)
	if judged.created.IsZero() {
		judged.created = time.Now()
	}
	var offset time.Duration
	for _, other := range s.objects {
		if other.trusted {
			offset = max(offset, other.age)
		}
	}
	judged.trusted = trust || judged.age < offset+clockMargin
	if !judged.trusted {
		judged.created = time.Time{}
	}
	return !judged.trusted
}

func (s *sightings) createdAt(path string) (at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if object := s.objects[path]; object != nil {
		at = object.created
	}
	return at
}

// touch records that this client changed or deleted an object, or a part of it.
func (s *sightings) touch(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at("")
	s.touched[id] = time.Now()
}

func (s *sightings) isTouched(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return isRecent(s.touched[id])
}

// anyTouched reports whether this client changed or deleted anything recently.
func (s *sightings) anyTouched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.touched {
		if isRecent(at) {
			return true
		}
	}
	return false
}

// isFresh reports whether this client has recently created an object whose id
// matches.
func (s *sightings) isFresh(matches func(id string) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path, object := range s.objects {
		if isRecent(object.created) && matches(path[strings.LastIndex(path, "/")+1:]) {
			return true
		}
	}
	return false
}

func isRecent(at time.Time) bool { return !at.IsZero() && time.Since(at) < recent }

// settleTime is how long a request is repeated while replicas of the service
// may not agree.
const settleTime = 10 * time.Second

// Settles reports whether the service may soon accept the deletion of an object
// that it refused because of its users: this client has just changed or deleted
// all of them, or other objects if no users are known. users holds the id of
// each user and those of its parents.
func (c *Client) Settles(users [][]string) bool {
	for _, ids := range users {
		if !slices.ContainsFunc(ids, c.sightings.isTouched) {
			return false
		}
	}
	return c.sightings.anyTouched()
}

// Settle repeats a request while again is true for its error, for 10 seconds,
// and returns the last error. If the context ends before that, it returns the
// cause.
func (c *Client) Settle(ctx context.Context, err error, again func(error) bool, repeat func(context.Context) error) error {
	end := time.Now().Add(c.settleTime)
	for wait := c.settleTime / 40; again(err); wait = min(2*wait, c.settleTime/5) {
		if wait = min(wait, time.Until(end)); wait <= 0 {
			return err
		}
		if cause := pause(ctx, wait); cause != nil {
			return cause
		}
		err = repeat(ctx)
	}
	return err
}
