package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// A Deletion is what is known after a successful Delete.
type Deletion int

// The results of a Delete.
const (
	Deleted     Deletion = iota // by this request
	AlreadyGone                 // the object did not exist
	NowGone                     // by an earlier attempt of this request, or before it
)

// Delete deletes an object, or finds out that it is already gone. For
// createdAt, see Read.
func (c *Collection[T]) Delete(ctx context.Context, id string, createdAt time.Time) (Deletion, error) {
	c.exclude(id)
	var accepted answer
	remove := func(ctx context.Context) (err error) {
		accepted, err = c.request(ctx, http.MethodDelete, id, nil)
		return err
	}
	err := remove(ctx)
	result := Deleted
	switch refusal, _ := errors.AsType[*Error](err); {
	case err == nil && len(accepted.body) > 0 && !isEmptyObject(accepted.body):
		err = c.confirmDeleted(ctx, id, accepted)
	case isNotFound(err) && refusal.unclear:
		result, err = NowGone, c.confirmGone(ctx, id, lifetime{deleted: true}, err, remove)
	case isNotFound(err):
		result, err = AlreadyGone, c.confirmGone(ctx, id, lifetime{createdAt: createdAt}, err, remove)
		if err == nil {
			result = Deleted
		}
	}
	if err == nil || IsGone(err) {
		c.client.sightings.touch(id)
		c.touchParent()
		return result, nil
	}
	return result, c.client.failed(fmt.Sprintf("delete %s %s", c.Noun, ShortID(id)), err)
}

// confirmDeleted checks that an object is gone after a response to DELETE with
// a body, which the contract does not describe. The service may still delete
// it.
func (c *Collection[T]) confirmDeleted(ctx context.Context, id string, accepted answer) error {
	read := func(ctx context.Context) error {
		_, err := c.one(ctx, http.MethodGet, id, nil)
		return err
	}
	err := c.client.Settle(ctx, read(ctx), func(err error) bool { return err == nil }, read)
	if err == nil {
		return fmt.Errorf("the service answered %d %s, but the object still exists", accepted.status, http.StatusText(accepted.status))
	}
	return c.confirmGone(ctx, id, lifetime{deleted: true}, err, read)
}
