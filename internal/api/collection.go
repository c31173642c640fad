package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Objects describes the objects of a kind, which are in a collection or, if the kind
// has parents, in one for each parent.
type Objects[T any] struct {
	*Kind

	// listIn is the path of the list if it differs from Path.
	listIn string
	id     func(*T) string
	// created returns created_at in RFC 3339. It is nil if the user chooses the ids.
	created func(*T) string
	// parent returns the collection of the parents and is nil if there are none.
	parent func(*Client) parents
}

// parents is the collection of the parents of modules or nested objects.
type parents interface {
	// member returns a member of an object, and false if the object has no such
	// member.
	member(ctx context.Context, id, name string) (json.RawMessage, bool, error)
}

// identified describes objects that embed Identified.
func identified[T any, P interface {
	*T
	Common() *Identified
}](names Kind) *Objects[T] {
	return &Objects[T]{
		Kind:    newKind(names),
		id:      func(o *T) string { return P(o).Common().ID },
		created: func(o *T) string { return string(P(o).Common().CreatedAt) },
	}
}

// within describes objects in a parent, whose list is a field of the response at a path.
func (k *Objects[T]) within(parent func(*Client) parents, listIn string) *Objects[T] {
	k.parent, k.listIn = parent, listIn
	return k
}

// Collection gives access to the objects of one kind under one path: POST, GET,
// GET of a list, PATCH and DELETE.
//
// Every error begins with the operation and the object, and wraps an *Error if
// the service responded; see IsGone.
type Collection[T any] struct {
	*Objects[T]
	client   *Client
	path     string
	err      error  // set if the path is invalid
	listURL  string // of the first page of the list
	parentID string // "" if there is no parent

	marks   sync.Once     // see markExisting
	reading chan struct{} // held by the reader of the list
	list    *listing[T]   // the latest
	waiting atomic.Int32  // readers of single objects
}

// Of returns the collection in the account of a client, in the parents that the path of
// the kind names. It creates one collection for each path.
func (k *Objects[T]) Of(c *Client, parents ...string) *Collection[T] {
	path, err := fill(k.Path, parents...)
	from, _ := fill(cmp.Or(k.listIn, k.Path), parents...) // the same ids as in path
	created := &Collection[T]{Objects: k, client: c, path: path, err: err, listURL: c.base + from, reading: make(chan struct{}, 1)}
	if len(parents) > 0 {
		created.parentID = parents[len(parents)-1]
	}
	if err != nil {
		return created
	}
	kept, _ := c.collections.LoadOrStore(path, created)
	return kept.(*Collection[T]) //nolint:forcetypeassert // a path has objects of one type
}

// Create creates an object and returns it. The request is repeated only if it
// was certainly not processed. The error wraps an *UnknownOutcomeError if the
// object may have been created.
func (c *Collection[T]) Create(ctx context.Context, body any) (*T, error) {
	object, err := c.post(ctx, body)
	if err != nil {
		return nil, c.client.notCreated("create "+c.Noun, err)
	}
	return object, nil
}

func (c *Collection[T]) post(ctx context.Context, body any) (*T, error) {
	if c.err != nil {
		return nil, c.err
	}
	c.marks.Do(func() { c.markExisting(ctx) })
	received, err := c.send(ctx, http.MethodPost, c.client.base+c.path, body)
	if err != nil {
		return nil, err
	}
	object, err := c.object(received, "")
	if err != nil {
		if named, _ := decode[Ref](received); c.checkReturned(named.ID) == nil {
			err = fmt.Errorf("%w. The ID in the response is %s", err, named.ID)
		}
		return nil, unanswered{err}
	}
	c.client.memory.made.Store(c.pathOf(c.id(object)), true)
	return object, nil
}

// pathOf returns the path of an object, unescaped.
func (c *Collection[T]) pathOf(id string) string { return c.path + "/" + id }

// Created reports whether this client created the object with an id, or knows that it
// existed before.
func (c *Collection[T]) Created(id string) bool {
	_, made := c.client.memory.made.Load(c.pathOf(id))
	return made
}

// Read returns the object with an id. createdAt is the creation time if it is
// known: shortly after it, a 404 may be outdated. IsGone holds for the error if
// two witnesses say that the object does not exist.
func (c *Collection[T]) Read(ctx context.Context, id string, createdAt time.Time) (*T, error) {
	object, _, err := c.read(ctx, id, createdAt)
	return object, err
}

// Peek is like Read, for a warning that is worth one request. It returns nil if that
// fails, also because of a rate limit.
func (c *Collection[T]) Peek(ctx context.Context, id string) *T {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	got := c.request(withoutRetries(ctx), http.MethodGet, id, nil)
	object, _ := c.decoded(got, id) //nolint:errcheck // then there is no warning
	return object
}

func (c *Collection[T]) read(ctx context.Context, id string, createdAt time.Time) (object *T, body []byte, err error) {
	get := func(ctx context.Context) response { return c.request(ctx, http.MethodGet, id, nil) }
	got := c.confirm(ctx, id, createdAt, get(ctx), get)
	if object, err = c.decoded(got, id); err != nil {
		return nil, nil, c.client.failed(fmt.Sprintf("read %s %s", c.Noun, ShortID(id)), err)
	}
	return object, got.body, nil
}

// decoded returns the object in a response, which must have the given id.
func (c *Collection[T]) decoded(got response, id string) (*T, error) {
	if got.err != nil {
		return nil, got.err
	}
	return c.object(got.body, id)
}

// confirm is confirmGone for an object of the collection. An object that is new is never
// gone: replicas may lag behind.
func (c *Collection[T]) confirm(
	ctx context.Context, id string, createdAt time.Time, first response, repeat func(context.Context) response,
) response {
	if err := first.err; isNotFound(err) && isYoung(createdAt, err) {
		return response{err: c.client.unconfirmed(err, fmt.Sprintf(
			"it was created less than %.0f seconds ago, and reads of the service may lag behind", recent.Seconds(),
		), nil)}
	}
	return c.confirmByList(ctx, id, first, repeat)
}

func (c *Collection[T]) confirmByList(
	ctx context.Context, id string, first response, repeat func(context.Context) response,
) response {
	exists := func(ctx context.Context) (bool, error) { return c.exists(ctx, id) }
	return c.client.confirmGone(ctx, first, "GET "+c.listURL, exists, repeat)
}

// member implements parents.
func (c *Collection[T]) member(ctx context.Context, id, name string) (json.RawMessage, bool, error) {
	_, body, err := c.read(ctx, id, time.Time{})
	if err != nil {
		return nil, false, err
	}
	members, err := decode[map[string]json.RawMessage](body)
	value, ok := members[name]
	return value, ok, err
}

// Update updates an object to the whole desired state, and returns the updated
// object. If the response does not contain the object, Update reads it.
func (c *Collection[T]) Update(ctx context.Context, id string, body any) (*T, error) {
	got := c.request(ctx, http.MethodPatch, id, body)
	if got.err != nil {
		return nil, c.client.failed(fmt.Sprintf("update %s %s", c.Noun, ShortID(id)), got.err)
	}
	object, err := c.object(got.body, id)
	if err == nil && (c.created == nil || c.created(object) != "") { // else it is a part of the object
		return object, nil
	}
	return c.Read(ctx, id, time.Time{})
}

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
	remove := func(ctx context.Context) response { return c.request(ctx, http.MethodDelete, id, nil) }
	got := remove(ctx)
	result := deletionAfter(got.err)
	if result == NowGone {
		got = c.confirmByList(ctx, id, got, remove)
	} else if got = c.confirm(ctx, id, createdAt, got, remove); got.err == nil {
		result = Deleted
	}
	if got.err != nil && !IsGone(got.err) {
		return result, c.client.failed(fmt.Sprintf("delete %s %s", c.Noun, ShortID(id)), got.err)
	}
	return result, nil
}

// deletionAfter returns what a response to DELETE means if the object is gone.
func deletionAfter(err error) Deletion {
	refusal, ok := errors.AsType[*Error](err)
	switch {
	case !ok:
		return Deleted
	case refusal.unclear:
		return NowGone
	}
	return AlreadyGone
}

func (c *Collection[T]) request(ctx context.Context, method, id string, body any) response {
	if err := cmp.Or(c.err, checkID(id)); err != nil {
		return response{err: err}
	}
	got, err := c.send(ctx, method, c.client.base+c.path+"/"+url.PathEscape(id), body)
	return response{got, err}
}

func (c *Collection[T]) send(ctx context.Context, method, target string, body any) ([]byte, error) {
	r, err := c.client.newRequest(method, target, body)
	if err != nil {
		return nil, err
	}
	r.secret = r.secret || c.Secret
	return c.client.do(ctx, r)
}

// object decodes a response. If requested is not empty, the object must have
// this id.
func (c *Collection[T]) object(body []byte, requested string) (*T, error) {
	object, err := decode[T](body)
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
