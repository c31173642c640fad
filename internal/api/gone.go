package api

// This file keeps a promise: an object leaves the state only if two witnesses
// say that it is gone.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// moduleWait is the time between two reads of a module whose parent cannot be
// read.
const moduleWait = time.Second

// goneError is the error of a request for an object that does not exist, as two
// witnesses say.
type goneError struct{ cause error }

func (e goneError) Error() string { return e.cause.Error() }

func (e goneError) Unwrap() error { return e.cause }

// IsGone reports whether err means that the object does not exist. A 404 alone
// does not: a gateway may have lost a route, a replica may lag.
func IsGone(err error) bool {
	_, ok := errors.AsType[goneError](err)
	return ok
}

// isNotFound reports whether err is a 404 or 410, whatever its body is, or
// means that a module is not set. Only confirmGone decides whether the object
// is gone.
func isNotFound(err error) bool {
	if _, ok := errors.AsType[*UnconfirmedError](err); ok {
		return false
	}
	answer, ok := errors.AsType[*Error](err)
	return errors.Is(err, errNotSet) || ok && (answer.Status == http.StatusNotFound || answer.Status == http.StatusGone)
}

// UnconfirmedError is the error of a request with a 404, if nothing confirms
// that the object does not exist.
type UnconfirmedError struct {
	// Cause is the 404.
	Cause error

	reason      string
	base        string
	noList      bool // the service does not have the list that could confirm it
	settles     bool // a replica may lag behind, so the same request may get another answer
	contradicts bool // another response contains the object
}

// Error names the 404 and what contradicts it.
func (e *UnconfirmedError) Error() string {
	return fmt.Sprintf("%s. The provider cannot confirm that the object does not exist: %s (base_url is %s)", e.Cause, e.reason, e.base)
}

// Unwrap returns the 404.
func (e *UnconfirmedError) Unwrap() error { return e.Cause }

func (c *Client) unconfirmed(cause error, format string, values ...any) *UnconfirmedError {
	return &UnconfirmedError{Cause: cause, reason: c.secrets.redact(fmt.Sprintf(format, values...)), base: c.base}
}

// A lifetime is what is known about when an object exists.
type lifetime struct {
	createdAt time.Time // by the service's clock; zero if unknown
	deleted   bool      // an earlier attempt of this client may have deleted it
}

// confirmGone decides what the result of a request for an object means. It
// returns err unless err is a 404. It returns a goneError if the list, read
// after the first 404 of this client, does not contain the object, and if a
// second request gets a 404 too. If the request succeeds when it is repeated,
// it returns nil. An object that is new, or that the list still contains, is
// asked for again for ten seconds, because replicas lag behind.
func (c *Collection[T]) confirmGone(ctx context.Context, id string, known lifetime, err error, repeat func(context.Context) error) error {
	if createdAt := creationTime(ctx); !createdAt.IsZero() {
		known.createdAt = createdAt
	}
	decide := func(err error) error {
		switch {
		case !isNotFound(err):
			return err
		case c.isNew(id, known, err):
			return c.client.tooNew(err)
		}
		return c.askList(ctx, id, known.createdAt, err, repeat)
	}
	return c.client.settleDoubt(ctx, c.path, decide(err), func(ctx context.Context) error { return decide(repeat(ctx)) })
}

// settleDoubt repeats a request while its witnesses disagree. If they do not
// agree in time, the other objects at the same path do not wait for it.
func (c *Client) settleDoubt(ctx context.Context, path string, err error, repeat func(context.Context) error) error {
	inDoubt := func(err error) bool {
		doubt, ok := errors.AsType[*UnconfirmedError](err)
		_, known := c.contradictions.Load(path)
		return ok && doubt.settles && (!known || !doubt.contradicts)
	}
	err = c.Settle(ctx, err, inDoubt, repeat)
	if doubt, ok := errors.AsType[*UnconfirmedError](err); ok && doubt.contradicts && ctx.Err() == nil {
		c.contradictions.Store(path, true)
	}
	return err
}

// isNew reports whether a 404 may come from a replica that does not know the
// object yet: this client has just created it, or it is young by the service's
// clocks. Any other age, such as a negative one, says nothing.
func (c *Collection[T]) isNew(id string, known lifetime, err error) bool {
	if known.deleted {
		return false
	}
	if isRecent(c.client.sightings.createdAt(c.pathOf(id))) {
		return true
	}
	return isYoung(known.createdAt, dateOf(err))
}

// askList asks the second witness about an object after a 404.
func (c *Collection[T]) askList(ctx context.Context, id string, createdAt time.Time, err error, repeat func(context.Context) error) error {
	switch listed, listErr := c.lists(ctx, id, createdAt); {
	case isNotFound(listErr) && c.parent != nil: // the list is in the parent
		parentErr := c.parent(c.client).exists(ctx, c.parentID)
		if IsGone(parentErr) {
			return goneError{err}
		}
		if parentErr != nil {
			return parentErr
		}
		return c.client.unconfirmed(err, "GET %s failed (%s), although the parent exists", c.listURL, listErr)
	case listErr != nil:
		unconfirmed := c.client.unconfirmed(err, "GET %s failed (%s)", c.listURL, listErr)
		unconfirmed.noList = hasNoEndpoint(listErr)
		return unconfirmed
	case listed:
		unconfirmed := c.client.unconfirmed(err, "GET %s returns it", c.listURL)
		unconfirmed.settles, unconfirmed.contradicts = true, true
		return unconfirmed
	}
	if err = repeat(ctx); !isNotFound(err) {
		return err
	}
	return goneError{err}
}

// hasNoEndpoint reports whether err means that the service does not have the
// endpoints of a kind. The contract does not describe all parents.
func hasNoEndpoint(err error) bool {
	if unconfirmed, ok := errors.AsType[*UnconfirmedError](err); ok {
		return unconfirmed.noList
	}
	answer, ok := errors.AsType[*Error](err)
	return !IsGone(err) && isNotFound(err) ||
		ok && (answer.Status == http.StatusMethodNotAllowed || answer.Status == http.StatusNotImplemented)
}

// walkResult is the result of a walk through the whole list.
type walkResult struct {
	ids  map[string]bool
	err  error
	at   time.Time // when the walk began, by the local clock
	date time.Time // of the first page, by the service's clock
}

// lists reports whether the list contains an object. All objects that vanish in
// a run share one walk through the list, which is as fresh as a list page. Only
// a walk that began later shows that an object exists in spite of a 404.
func (c *Collection[T]) lists(ctx context.Context, id string, createdAt time.Time) (bool, error) {
	begun := time.Now()
	c.mu.Lock()
	last := c.lastWalk
	c.mu.Unlock()
	if last.ids != nil && !last.ids[id] && time.Since(last.at) < freshness && !isYoung(createdAt, last.date) {
		return false, nil
	}
	for {
		select {
		case result := <-c.walks.DoChan("ids", func() (any, error) { return c.walk(ctx), nil }):
			walked := result.Val.(walkResult) //nolint:forcetypeassert // as returned above
			switch {
			case ctx.Err() == nil && errors.Is(walked.err, errCanceled): // with the context of another reader
			case walked.err != nil || !walked.ids[id] || !walked.at.Before(begun):
				return walked.ids[id], walked.err
			}
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

var errCanceled = errors.New("canceled")

// walk reads the whole list, and keeps the result for other objects.
func (c *Collection[T]) walk(ctx context.Context) walkResult {
	walked := walkResult{ids: map[string]bool{}, at: time.Now()}
	for page, err := range c.Pages(ctx) {
		if ctx.Err() != nil {
			return walkResult{err: errCanceled}
		}
		if err != nil {
			return walkResult{err: err}
		}
		if walked.date.IsZero() {
			walked.date = page.date
		}
		for i := range page.Items {
			walked.ids[c.id(&page.Items[i])] = true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastWalk = walked
	return walked
}

// parents is the collection of the parents of modules or nested objects.
type parents interface {
	// exists returns an error if the object does not exist, or if this cannot be
	// determined.
	exists(ctx context.Context, id string) error
	// member returns a member of an object, and false if the object has no such
	// member.
	member(ctx context.Context, id, name string) (json.RawMessage, bool, error)
	// exclude prevents reads of an object from a list page, because this client
	// writes a part of it.
	exclude(id string)
}

func (c *Collection[T]) exists(ctx context.Context, id string) error {
	_, err := c.Read(ctx, id, time.Time{})
	return err
}

func (c *Collection[T]) member(ctx context.Context, id, name string) (json.RawMessage, bool, error) {
	var members map[string]json.RawMessage
	read := func(ctx context.Context) error {
		answer, err := c.request(ctx, http.MethodGet, id, nil)
		if err == nil {
			_, err = c.object(answer, id)
		}
		if err == nil {
			members, err = decode[map[string]json.RawMessage](answer.body)
		}
		return err
	}
	if err := c.confirmGone(ctx, id, lifetime{}, read(ctx), read); err != nil {
		return nil, false, c.client.failed(fmt.Sprintf("read %s %s", c.Noun, ShortID(id)), err)
	}
	value, ok := members[name]
	return value, ok, nil
}
