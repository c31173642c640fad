package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// A kind describes the objects of a collection. T is the object, and C the body
// of a create request.
type kind[T, C any] struct {
	noun string // in errors, such as "TLS certificate"
	path string // as documented, such as /event_subscriptions/{subscription_id}/sources
	list string // the field that contains the objects in the response of a list
	// listIn is the path of the list if it differs from path.
	listIn string
	id     func(*T) string
	// created returns created_at in RFC 3339. It is nil if the objects have no
	// such field.
	created func(*T) string
	// same reports whether an object has exactly the values of a create
	// request.
	same func(*C, *T) bool
	// conflicts reports whether an object has the same natural key as a create
	// request. It is nil if there is no such key.
	conflicts func(*C, *T) bool
}

// describe returns a kind. It panics at start-up if the description is
// incomplete.
func describe[T, C any](k kind[T, C]) *kind[T, C] {
	if k.noun == "" || k.path == "" || k.list == "" || k.id == nil || k.same == nil {
		panic(fmt.Sprintf("the description of %q is not complete", k.noun))
	}
	return &k
}

// Collection gives access to the objects of one kind under one path: POST, GET,
// GET of a list, PATCH and DELETE. T is the object, C the body of a create
// request, and U the body of an update request.
//
// Every error begins with the operation and the object, and wraps an *Error if
// the service responded; see IsGone.
type Collection[T, C, U any] struct {
	*kind[T, C]
	client *Client
	path   string
	err    error    // set if the path is invalid
	first  string   // URL of the first page of the list
	probe  listPath // the list that proves that base_url is right
	bulk   *bulk[T]
	looker looker[T]
}

// collection returns the collection of a kind, in the parents that its path
// names. It creates one collection for each path.
func collection[T, C, U any](c *Client, k *kind[T, C], parents ...string) *Collection[T, C, U] {
	path, err := fill(k.path, parents...)
	from, _ := fill(cmp.Or(k.listIn, k.path), parents...) // the same ids as in path
	if known, ok := c.collections.Load(path); ok && err == nil {
		return known.(*Collection[T, C, U]) //nolint:forcetypeassert // a path has objects of one type
	}
	made := &Collection[T, C, U]{kind: k, client: c, path: path, err: err, first: c.base + from, probe: listPath{from, k.list}}
	if len(parents) > 0 { // without the parent, there is no list
		made.probe = rootList
	}
	if c.bulkReads {
		made.bulk = newBulk(made.first, k.id, made.page)
	}
	made.looker = looker[T]{settle: c.settle, pages: made.each}
	if err != nil {
		return made
	}
	kept, _ := c.collections.LoadOrStore(path, made)
	return kept.(*Collection[T, C, U]) //nolint:forcetypeassert // as above
}

// Create creates an object and returns it. The request is repeated only if it
// was certainly not processed. The error wraps an *UnknownOutcomeError if the
// object may have been created, and an *ExistsError if it already existed.
func (c *Collection[T, C, U]) Create(ctx context.Context, body C) (*T, error) {
	begun := time.Now()
	object, err := c.post(ctx, body)
	switch {
	case err == nil:
		return object, nil
	case possiblyProcessed(err):
		err = c.unknown(ctx, &body, begun, err)
	case c.conflicts != nil && refusedAsDuplicate(err):
		err = c.existing(ctx, &body, err)
	}
	return nil, c.client.failed("create "+c.noun, err)
}

func (c *Collection[T, C, U]) post(ctx context.Context, body C) (*T, error) {
	if c.err != nil {
		return nil, c.err
	}
	answer, err := c.client.send(ctx, http.MethodPost, c.client.base+c.path, body)
	if err != nil {
		return nil, err
	}
	object, err := c.object(answer, "")
	if err != nil {
		return nil, unanswered{err}
	}
	c.client.created.Store(c.path+"/"+c.id(object), true)
	c.wrote(c.id(object))
	return object, nil
}

// clockMargin is the assumed maximum difference between the clocks of a service
// and its proxy.
const clockMargin = time.Minute

// unknown returns the error of a create request that may have been processed,
// with the objects that it may have created. None of them is adopted, because
// they may belong to somebody else.
func (c *Collection[T, C, U]) unknown(ctx context.Context, body *C, begun time.Time, cause error) error {
	outcome := &UnknownOutcomeError{Cause: cause, Unique: c.conflicts != nil}
	outcome.Look = c.looker.walk(ctx, func(object *T, date time.Time) {
		if id := c.id(object); c.same(body, object) && c.since(object, date.Add(-time.Since(begun)-clockMargin)) && !slices.Contains(outcome.IDs, id) {
			outcome.IDs = append(outcome.IDs, id)
		}
	})
	outcome.IDs = slices.DeleteFunc(outcome.IDs, func(id string) bool {
		_, own := c.client.created.Load(c.path + "/" + id)
		return own
	})
	if outcome.Look != nil {
		outcome.Look = c.client.secrets.safe(outcome.Look)
	}
	return outcome
}

// since reports whether an object was created at a time or later. It returns
// true if the time of its creation is not known.
func (c *Collection[T, C, U]) since(object *T, at time.Time) bool {
	if c.created == nil {
		return true
	}
	created, err := time.Parse(time.RFC3339, c.created(object))
	return err != nil || !created.Before(at)
}

// refusedAsDuplicate reports whether a refusal can mean that an object with the
// same natural key exists. Services report this in different ways, so the
// caller must check the list.
func refusedAsDuplicate(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && (answer.Status == http.StatusConflict || answer.Status == http.StatusBadRequest)
}

// existing returns an *ExistsError if the list contains an object with the
// natural key of a create request. Otherwise it returns the refusal.
func (c *Collection[T, C, U]) existing(ctx context.Context, body *C, refusal error) error {
	for object, err := range c.List(ctx) {
		if err != nil {
			return refusal
		}
		if c.conflicts(body, object) {
			return &ExistsError{ID: c.id(object), Cause: refusal}
		}
	}
	return refusal
}

// Get returns the object with an id. The object comes from a list page if that
// saves requests (see bulk), and must not be changed.
func (c *Collection[T, C, U]) Get(ctx context.Context, id string) (*T, error) {
	if c.bulk != nil {
		if object, ok := c.bulk.lookup(ctx, id); ok {
			return object, nil
		}
	}
	return c.Read(ctx, id)
}

// Read returns the current object with an id, never from a list page.
func (c *Collection[T, C, U]) Read(ctx context.Context, id string) (*T, error) {
	return c.one(ctx, "read", http.MethodGet, id, nil)
}

// Update updates an object to the whole desired state, and returns the updated
// object.
func (c *Collection[T, C, U]) Update(ctx context.Context, id string, body U) (*T, error) {
	c.wrote(id)
	return c.one(ctx, "update", http.MethodPatch, id, body)
}

// Delete deletes an object. It returns no error if the object is already gone.
func (c *Collection[T, C, U]) Delete(ctx context.Context, id string) error {
	c.wrote(id)
	target, err := c.target(id)
	if err == nil {
		_, err = c.client.send(ctx, http.MethodDelete, target, nil)
		err = c.client.believe(ctx, c.probe, err)
	}
	if err == nil || IsGone(err) {
		return nil
	}
	return c.client.failed(fmt.Sprintf("delete %s %s", c.noun, id), err)
}

// wrote prevents reads of an object from a list page, because this client
// writes it.
func (c *Collection[T, C, U]) wrote(id string) {
	if c.bulk != nil {
		c.bulk.wrote(id)
	}
}

func (c *Collection[T, C, U]) one(ctx context.Context, verb, method, id string, body any) (*T, error) {
	target, err := c.target(id)
	var object *T
	if err == nil {
		var answer answer
		answer, err = c.client.send(ctx, method, target, body)
		if err == nil {
			object, err = c.object(answer, id)
		}
		err = c.client.believe(ctx, c.probe, err)
	}
	if err != nil {
		return nil, c.client.failed(fmt.Sprintf("%s %s %s", verb, c.noun, id), err)
	}
	return object, nil
}

func (c *Collection[T, C, U]) target(id string) (string, error) {
	if c.err != nil {
		return "", c.err
	}
	return c.client.base + c.path + "/" + url.PathEscape(id), checkID(id)
}

// object decodes a response. If asked is not empty, the object must have this
// id.
func (c *Collection[T, C, U]) object(answer answer, asked string) (*T, error) {
	object, err := decode[T](answer.body)
	if err != nil {
		return nil, err
	}
	id := c.id(&object)
	if err := c.checkAnswered(id); err != nil {
		return nil, undocumented(err)
	}
	if asked != "" && id != asked {
		return nil, undocumented(fmt.Errorf("expected the ID %q; found %q", asked, id))
	}
	c.client.proof.given.Store(true)
	return &object, nil
}

// checkAnswered validates an id in a response, before it is printed or used in
// a request.
func (c *Collection[T, C, U]) checkAnswered(id string) error {
	if id == "" {
		return errors.New("the object has no ID")
	}
	if err := checkID(id); err != nil {
		return err
	}
	if c.client.secrets.in(id) {
		return errRedacted
	}
	return nil
}
