package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// A kind describes the objects of a collection.
type kind[T any] struct {
	noun string // in errors, such as "TLS certificate"
	path string // as documented, such as /event_subscriptions/{subscription_id}/sources
	list string // the field that contains the objects in the response of a list
	// listIn is the path of the list if it differs from path.
	listIn string
	id     func(*T) string
	// created returns created_at in RFC 3339. It is nil if the objects have no
	// such field.
	created func(*T) string
	// parent returns the collection of the parents and is nil if there are none.
	parent func(*Client) parents
}

// objects returns a kind of objects that embed Object.
func objects[T any, P interface {
	*T
	Common() *Object
}](k kind[T]) *kind[T] {
	k.id = func(o *T) string { return P(o).Common().ID }
	k.created = func(o *T) string { return string(P(o).Common().CreatedAt) }
	return describe(k)
}

// describe returns a kind. It panics at start-up if the description is
// incomplete.
func describe[T any](k kind[T]) *kind[T] {
	if k.noun == "" || k.path == "" || k.list == "" || k.id == nil {
		panic(fmt.Sprintf("the description of %q is not complete", k.noun))
	}
	return &k
}

// Collection gives access to the objects of one kind under one path: POST, GET,
// GET of a list, PATCH and DELETE.
//
// Every error begins with the operation and the object, and wraps an *Error if
// the service responded; see IsGone.
type Collection[T any] struct {
	*kind[T]
	client   *Client
	path     string
	err      error  // set if the path is invalid
	first    string // URL of the first page of the list
	parentID string // "" if there is no parent
	bulk     *bulk[T]
	walks    singleflight.Group // walks through the whole list

	mu     sync.Mutex
	listed listing // the last walk of confirmGone
}

// collection returns the collection of a kind, in the parents that its path
// names. It creates one collection for each path.
func collection[T any](c *Client, k *kind[T], parents ...string) *Collection[T] {
	path, err := fill(k.path, parents...)
	from, _ := fill(cmp.Or(k.listIn, k.path), parents...) // the same ids as in path
	if known, ok := c.collections.Load(path); ok && err == nil {
		return known.(*Collection[T]) //nolint:forcetypeassert // a path has objects of one type
	}
	created := &Collection[T]{kind: k, client: c, path: path, err: err, first: c.base + from}
	if len(parents) > 0 {
		created.parentID = parents[len(parents)-1]
	}
	if c.bulkReads {
		created.bulk = newBulk(created.first, k.id, created.page)
	}
	if err != nil {
		return created
	}
	kept, _ := c.collections.LoadOrStore(path, created)
	return kept.(*Collection[T]) //nolint:forcetypeassert // as above
}

// Create creates an object and returns it. The request is repeated only if it
// was certainly not processed. The error wraps an *UnknownOutcomeError if the
// object may have been created.
func (c *Collection[T]) Create(ctx context.Context, body any) (*T, error) {
	object, err := c.post(ctx, body)
	if possiblyProcessed(err) {
		err = &UnknownOutcomeError{Cause: c.client.secrets.safe(err)}
	}
	if err != nil {
		return nil, c.client.failed("create "+c.noun, err)
	}
	return object, nil
}

func (c *Collection[T]) post(ctx context.Context, body any) (*T, error) {
	if c.err != nil {
		return nil, c.err
	}
	begun := time.Now()
	answer, err := c.client.send(ctx, http.MethodPost, c.client.base+c.path, body)
	if err != nil {
		return nil, err
	}
	object, err := c.object(answer, "")
	if err == nil {
		err = c.checkCreated(object, answer.date.Add(-time.Since(begun)))
	}
	if err != nil {
		return nil, unanswered{err}
	}
	c.exclude(c.id(object))
	return object, nil
}

// clockMargin is the maximum difference between the clocks of a service and its
// proxy, and how long before its request an object may have been created.
const clockMargin = time.Minute

// checkCreated returns an error if the object in a 201 cannot be the one that
// was requested: this client already created an object with this id, or the
// object is older than the request. A gateway may replay a stored response.
func (c *Collection[T]) checkCreated(object *T, begun time.Time) error {
	id := c.id(object)
	if c.created != nil {
		at, err := time.Parse(time.RFC3339, c.created(object))
		if err == nil && at.Before(begun.Add(-clockMargin)) {
			return fmt.Errorf("the response describes %s, which was created at %s, before the request", id, c.created(object))
		}
	}
	if _, other := c.client.created.LoadOrStore(c.path+"/"+id, true); other {
		return fmt.Errorf("the response describes %s, which an earlier request of this run created", id)
	}
	return nil
}

// Created reports whether this client created the object with an id.
func (c *Collection[T]) Created(id string) bool {
	_, ok := c.client.created.Load(c.path + "/" + id)
	return ok
}

// Cached returns an object from a list page, if that saves requests (see bulk),
// and false otherwise. A page may be outdated or shortened, so it can only show
// that an object did not change. The object must not be changed.
func (c *Collection[T]) Cached(ctx context.Context, id string) (*T, bool) {
	if c.bulk == nil || c.err != nil {
		return nil, false
	}
	return c.bulk.lookup(ctx, id)
}

// Read returns the object with an id. createdAt is the creation time if it is
// known: shortly after it, a 404 may be outdated. IsGone holds for the error if
// two witnesses say that the object does not exist.
func (c *Collection[T]) Read(ctx context.Context, id string, createdAt time.Time) (*T, error) {
	var object *T
	read := func(ctx context.Context) (err error) {
		object, err = c.one(ctx, http.MethodGet, id, nil)
		return err
	}
	if err := c.confirmGone(ctx, id, createdAt, read(ctx), read); err != nil {
		return nil, c.client.failed(fmt.Sprintf("read %s %s", c.noun, shortID(id)), err)
	}
	c.client.seen.Add(1)
	return object, nil
}

// Update updates an object to the whole desired state, and returns the updated
// object. If the response does not contain the object, Update reads it.
func (c *Collection[T]) Update(ctx context.Context, id string, body any) (*T, error) {
	c.exclude(id)
	answer, err := c.request(ctx, http.MethodPatch, id, body)
	if err != nil {
		return nil, c.client.failed(fmt.Sprintf("update %s %s", c.noun, shortID(id)), err)
	}
	object, err := c.object(answer, id)
	if err == nil && (c.created == nil || c.created(object) != "") { // else it is a part of the object
		return object, nil
	}
	return c.Read(ctx, id, time.Time{})
}

// Delete deletes an object. It returns no error if the object is already gone.
// For createdAt, see Read.
func (c *Collection[T]) Delete(ctx context.Context, id string, createdAt time.Time) error {
	c.exclude(id)
	remove := func(ctx context.Context) error {
		_, err := c.request(ctx, http.MethodDelete, id, nil)
		return err
	}
	err := c.confirmGone(ctx, id, createdAt, remove(ctx), remove)
	if err == nil || IsGone(err) {
		return nil
	}
	return c.client.failed(fmt.Sprintf("delete %s %s", c.noun, shortID(id)), err)
}

// exclude prevents reads of an object and its parent from a list page, because
// this client writes the object.
func (c *Collection[T]) exclude(id string) {
	if c.bulk != nil {
		c.bulk.exclude(id)
	}
	if c.parent != nil {
		c.parent(c.client).exclude(c.parentID)
	}
}

func (c *Collection[T]) one(ctx context.Context, method, id string, body any) (*T, error) {
	answer, err := c.request(ctx, method, id, body)
	if err != nil {
		return nil, err
	}
	return c.object(answer, id)
}

func (c *Collection[T]) request(ctx context.Context, method, id string, body any) (answer, error) {
	if c.err != nil {
		return answer{}, c.err
	}
	if err := checkID(id); err != nil {
		return answer{}, err
	}
	return c.client.send(ctx, method, c.client.base+c.path+"/"+url.PathEscape(id), body)
}

// object decodes a response. If requested is not empty, the object must have
// this id.
func (c *Collection[T]) object(answer answer, requested string) (*T, error) {
	object, err := decode[T](answer.body)
	if err != nil {
		return nil, err
	}
	id := c.id(&object)
	if err := c.checkReturned(id); err != nil {
		return nil, undocumented(err)
	}
	if requested != "" && id != requested {
		return nil, undocumented(fmt.Errorf("expected the ID %q; found %q", requested, id))
	}
	return &object, nil
}

// checkReturned validates an id in a response, before it is printed or used in
// a request.
func (c *Collection[T]) checkReturned(id string) error {
	if id == "" {
		return errors.New("the object has no ID")
	}
	if err := checkID(id); err != nil {
		if hasLongWord(id) { // the error may repeat a private key
			return errRedacted
		}
		return err
	}
	if c.client.secrets.in(id) {
		return errRedacted
	}
	return nil
}
