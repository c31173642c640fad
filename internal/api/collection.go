package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
)

// A Collection is a kind of object with an address of its own: POST, GET, GET
// of a list, PATCH and DELETE. T is the object, C the body of a creation, U the
// body of an update.
//
// Every error begins with what was being done and to which object, and wraps an
// *Error where the service answered; IsGone tells a missing object.
type Collection[T, C, U any] struct {
	client *Client
	noun   string
	path   string
	err    error // why the path could not be built
	list   string
	id     func(*T) string
	// created is when the service made an object, in RFC 3339 notation; nil where
	// objects do not say.
	created func(*T) string
	// same tells whether an object carries exactly what a creation sent.
	same func(*C, *T) bool
}

// address is what distinguishes an object from all others of the service.
func (c Collection[T, C, U]) address(id string) string { return c.path + "/" + id }

// walk returns what reads of this collection share, nil where bulk reads are
// off.
func (c Collection[T, C, U]) walk() *walk[T] {
	if !c.client.bulkReads || c.err != nil {
		return nil
	}
	shared, ok := c.client.walks.Load(c.path)
	if !ok {
		shared, _ = c.client.walks.LoadOrStore(c.path, newWalk(c.client.base+c.path, c.id, c.page))
	}
	return shared.(*walk[T]) //nolint:forcetypeassert // a path has objects of one type
}

// wrote keeps an object that this client writes from being read from a page.
func (c Collection[T, C, U]) wrote(id string) {
	if w := c.walk(); w != nil {
		w.wrote(id)
	}
}

// Create makes an object and returns it as the service answers it. Where an
// answer gets lost, it finds what was made (see creation). The error wraps a
// *Doubt where an object may exist that nobody knows of.
func (c Collection[T, C, U]) Create(ctx context.Context, body C) (*T, error) {
	if c.err != nil {
		return nil, fmt.Errorf("create %s: %w", c.noun, c.err)
	}
	object, err := c.create(ctx, body)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", c.noun, err)
	}
	return object, nil
}

// Get returns the object with an id, from a page of the list where that saves
// requests (see walk). The object must not be changed.
func (c Collection[T, C, U]) Get(ctx context.Context, id string) (*T, error) {
	if w := c.walk(); w != nil {
		if object, ok := w.lookup(ctx, id); ok {
			return object, nil
		}
	}
	return Settled(ctx, c.client.claims.since(c.address(id)), func(ctx context.Context) (*T, error) {
		return c.one(ctx, "read", http.MethodGet, id, nil)
	})
}

// Look returns the object with an id as it is now, never from a page.
func (c Collection[T, C, U]) Look(ctx context.Context, id string) (*T, error) {
	return c.one(ctx, "read", http.MethodGet, id, nil)
}

// Update changes an object and returns all of it as it is then.
func (c Collection[T, C, U]) Update(ctx context.Context, id string, body U) (*T, error) {
	c.wrote(id)
	return c.one(ctx, "update", http.MethodPatch, id, body)
}

// Delete removes an object.
func (c Collection[T, C, U]) Delete(ctx context.Context, id string) error {
	c.wrote(id)
	path, err := c.item(id)
	if err == nil {
		err = c.client.delete(ctx, path)
	}
	if err != nil {
		return fmt.Errorf("delete %s %s: %w", c.noun, id, err)
	}
	c.client.claims.release(c.address(id))
	return nil
}

// mostPages is how many pages a list may have: enough for a million objects.
const mostPages = 10_000

// List goes through all objects, page by page, in the order that the service
// gives. After an error, which comes with a nil object, there is nothing more.
func (c Collection[T, C, U]) List(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for page, err := range c.Pages(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Items {
				if !yield(&page.Items[i], nil) {
					return
				}
			}
		}
	}
}

// A Page is a part of a list.
type Page[T any] struct {
	Items []T
	// Last tells that no page comes after this one.
	Last bool
}

// Pages goes through a list by its pages, in the order that the service gives. A
// page is asked for when it is due, so whoever stops early spends no request on
// the rest. After an error there is nothing more.
func (c Collection[T, C, U]) Pages(ctx context.Context) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		if c.err != nil {
			yield(Page[T]{}, fmt.Errorf("list %s: %w", c.noun, c.err))
			return
		}
		seen := map[string]bool{}
		for next := c.client.base + c.path; next != ""; {
			if seen[next] || len(seen) == mostPages {
				yield(Page[T]{}, fmt.Errorf("list %s: the service's pages go in circles, or never end", c.noun))
				return
			}
			seen[next] = true
			page, err := c.page(ctx, next)
			if err != nil {
				yield(Page[T]{}, fmt.Errorf("list %s: %w", c.noun, err))
				return
			}
			if !yield(Page[T]{Items: page.items, Last: page.next == ""}, nil) {
				return
			}
			next = page.next
		}
	}
}

// page asks for one page of the list.
func (c Collection[T, C, U]) page(ctx context.Context, address string) (page[T], error) {
	answer, err := c.client.sendURL(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page[T]{}, err
	}
	p, err := decodePage[T](answer, c.list)
	if err != nil {
		return p, err
	}
	for i := range p.items {
		if c.id(&p.items[i]) == "" {
			return p, errors.New("the service lists an object without an id")
		}
	}
	return p, nil
}

func (c Collection[T, C, U]) one(ctx context.Context, verb, method, id string, body any) (*T, error) {
	path, err := c.item(id)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", verb, c.noun, err)
	}
	answer, err := c.client.send(ctx, method, path, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s %s: %w", verb, c.noun, id, err)
	}
	object, err := c.object(answer, id)
	if err != nil {
		return nil, fmt.Errorf("%s %s %s: %w", verb, c.noun, id, err)
	}
	return object, nil
}

func (c Collection[T, C, U]) item(id string) (string, error) {
	if c.err != nil {
		return "", c.err
	}
	escaped, err := segment(id)
	return c.path + "/" + escaped, err
}

// object reads an answer that must be the object asked for, or any object where
// that is "".
func (c Collection[T, C, U]) object(answer []byte, asked string) (*T, error) {
	object, err := decode[T](answer)
	if err != nil {
		return nil, err
	}
	switch id := c.id(&object); {
	case id == "":
		return nil, errors.New("the answer is not what the API documents: it has no id")
	case asked != "" && id != asked:
		return nil, fmt.Errorf("the answer is not what the API documents: it is about %s", id)
	}
	return &object, nil
}

type page[T any] struct {
	items []T
	next  string
}

// decodePage reads one page of a list whose objects are in the named field.
func decodePage[T any](answer []byte, list string) (page[T], error) {
	var p page[T]
	fields := json.NewDecoder(bytes.NewReader(answer))
	wrong := func(err error) (page[T], error) {
		return page[T]{}, fmt.Errorf("the answer is not what the API documents: %w", err)
	}
	if token, err := fields.Token(); err != nil || token != json.Delim('{') {
		return wrong(errors.Join(errors.New("a page is no JSON object"), err))
	}
	found := false
	for fields.More() {
		name, err := fields.Token()
		if err != nil {
			return wrong(err)
		}
		switch name {
		case list:
			found = true
			p.items = nil
			err = fields.Decode(&p.items)
		case "next_page_uri":
			var next *string
			if err = fields.Decode(&next); next != nil {
				p.next = *next
			}
		default:
			var passedOver json.RawMessage
			err = fields.Decode(&passedOver)
		}
		if err != nil {
			return wrong(err)
		}
	}
	if _, err := fields.Token(); err != nil { // the closing brace
		return wrong(errors.New("a page breaks off"))
	}
	if _, err := fields.Token(); !errors.Is(err, io.EOF) {
		return wrong(errors.New("something follows a page"))
	}
	if !found {
		return wrong(fmt.Errorf("a page has no field %s", list))
	}
	return p, nil
}
