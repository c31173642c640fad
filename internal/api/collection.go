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
	*Kind

	// listIn is the path of the list if it differs from Path.
	listIn string
	id     func(*T) string
	// created returns created_at in RFC 3339. It is nil if the objects have no
	// such field.
	created func(*T) string
	// parent returns the collection of the parents and is nil if there are none.
	parent func(*Client) parents
}

// objects returns a kind of objects that embed Identified, and a function that
// returns the account's collection of them. That is not a method of Client: if one
// of Client's methods returned a generic type, every package that uses Client would
// compile that type for every kind of object.
func objects[T any, P interface {
	*T
	Common() *Identified
}](names Kind) (*Kind, func(*Client) *Collection[T]) {
	k := identified[T, P](kind[T]{Kind: newKind(names)})
	return k.Kind, func(c *Client) *Collection[T] { return collection(c, k) }
}

// identified returns a kind of objects that embed Identified.
func identified[T any, P interface {
	*T
	Common() *Identified
}](k kind[T]) *kind[T] {
	k.id = func(o *T) string { return P(o).Common().ID }
	k.created = func(o *T) string { return string(P(o).Common().CreatedAt) }
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
	listURL  string // of the first page of the list
	parentID string // "" if there is no parent
	bulk     *bulk[T]
	walks    singleflight.Group // walks through the whole list
	peeked   sync.Map           // id to func() *T, for Peek

	mu       sync.Mutex
	lastWalk walkResult // the last walk of confirmGone
}

// collection returns the collection of a kind, in the parents that its path
// names. It creates one collection for each path.
func collection[T any](c *Client, k *kind[T], parents ...string) *Collection[T] {
	path, err := fill(k.Path, parents...)
	from, _ := fill(cmp.Or(k.listIn, k.Path), parents...) // the same ids as in path
	if known, ok := c.collections.Load(path); ok && err == nil {
		return known.(*Collection[T]) //nolint:forcetypeassert // a path has objects of one type
	}
	created := &Collection[T]{kind: k, client: c, path: path, err: err, listURL: c.base + from}
	if len(parents) > 0 {
		created.parentID = parents[len(parents)-1]
	}
	if c.bulkReads {
		created.bulk = newBulk(created.listURL, k.id, created.page)
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
	if PossiblyProcessed(err) {
		err = &UnknownOutcomeError{Cause: c.client.secrets.safe(err)}
	}
	if err != nil {
		return nil, c.client.failed("create "+c.Noun, err)
	}
	return object, nil
}

func (c *Collection[T]) post(ctx context.Context, body any) (*T, error) {
	if c.err != nil {
		return nil, c.err
	}
	sent := time.Now()
	answer, err := c.client.send(ctx, http.MethodPost, c.client.base+c.path, body)
	if err != nil {
		return nil, err
	}
	object, err := c.object(answer, "")
	if err != nil {
		if named, _ := decode[Ref](answer.body); c.checkReturned(named.ID) == nil {
			err = fmt.Errorf("%w. The ID in the response is %s", err, named.ID)
		}
		return nil, unanswered{err}
	}
	var age time.Duration
	if c.created != nil {
		if at, err := time.Parse(time.RFC3339, c.created(object)); err == nil {
			age = answer.date.Add(-time.Since(sent)).Sub(at)
		}
	}
	id := c.id(object)
	if wrong := c.client.sightings.create(c.pathOf(id), sent, age, c.created != nil); wrong != "" {
		return nil, unanswered{fmt.Errorf("the response describes %s, %s", id, wrong)}
	}
	c.exclude(id)
	setCreationTime(ctx, answer)
	return object, nil
}

// pathOf returns the path of an object, unescaped.
func (c *Collection[T]) pathOf(id string) string { return c.path + "/" + id }

// Foreign reports whether the object in a 201 belongs to another request of
// anybody, such as one whose response a gateway replays. An age alone proves
// nothing, because the clocks of a service differ: the object must also differ
// from what was sent.
func (c *Collection[T]) Foreign(id string, differs bool) bool {
	return c.client.sightings.tooOld(c.pathOf(id), !differs)
}

// Created reports whether this client created the object with an id.
func (c *Collection[T]) Created(id string) bool {
	return !c.client.sightings.createdAt(c.pathOf(id)).IsZero()
}

// Hold records that a state contains an object.
func (c *Collection[T]) Hold(id string) { c.client.sightings.see(c.pathOf(id)) }

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
	if err := c.confirmGone(ctx, id, lifetime{createdAt: createdAt}, read(ctx), read); err != nil {
		return nil, c.client.failed(fmt.Sprintf("read %s %s", c.Noun, ShortID(id)), err)
	}
	c.Hold(id)
	return object, nil
}

// Update updates an object to the whole desired state, and returns the updated
// object. If the response does not contain the object, Update reads it.
func (c *Collection[T]) Update(ctx context.Context, id string, body any) (*T, error) {
	c.exclude(id)
	answer, err := c.request(ctx, http.MethodPatch, id, body)
	if err != nil {
		return nil, c.client.failed(fmt.Sprintf("update %s %s", c.Noun, ShortID(id)), err)
	}
	c.client.sightings.touch(id)
	c.touchParent()
	object, err := c.object(answer, id)
	if err == nil && (c.created == nil || c.created(object) != "") { // else it is a part of the object
		return object, nil
	}
	return c.Read(ctx, id, time.Time{})
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

// touchParent records that this client changed a child of the parent.
func (c *Collection[T]) touchParent() {
	if c.parentID != "" {
		c.client.sightings.touch(c.parentID)
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
	switch err := checkID(id); {
	case id == "":
		return errors.New("the object has no ID")
	case c.client.secrets.in(id):
		return errRedacted
	default:
		return err
	}
}
