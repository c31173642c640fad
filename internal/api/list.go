package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// List iterates over all objects, page by page, in the service's order. An
// error comes with a nil object and ends the iteration.
func (c *Collection[T]) List(ctx context.Context) iter.Seq2[*T, error] {
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

// Lists reports whether the list contains an object.
func (c *Collection[T]) Lists(ctx context.Context, id string) (bool, error) {
	for object, err := range c.List(ctx) {
		if err != nil {
			return false, err
		}
		if c.id(object) == id {
			return true, nil
		}
	}
	return false, nil
}

// A Page is one page of a list.
type Page[T any] struct {
	// Items are the objects, in the service's order.
	Items []T
	// Last reports whether this is the last page.
	Last bool

	next string
	date time.Time // by the service's clock
}

// Pages iterates over the pages of a list, in the service's order. It requests
// each page when it is needed, so a caller that stops early saves the other
// requests. An error ends the iteration.
func (c *Collection[T]) Pages(ctx context.Context) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		fail := func(err error) { yield(Page[T]{}, c.client.failed("list "+c.Plural(), err)) }
		if c.err != nil {
			fail(c.err)
			return
		}
		seen, listed := map[string]bool{}, map[string]bool{}
		for next, repeated := c.listURL, 0; next != ""; {
			if seen[next] || len(seen) == maxPages || repeated == maxRepeated {
				fail(fmt.Errorf("pagination does not end: a page link repeats, %d pages in a row contain no new object, "+
					"or there are more than %d pages", maxRepeated, maxPages))
				return
			}
			seen[next] = true
			page, err := c.page(ctx, next)
			if err != nil {
				fail(err)
				return
			}
			next = page.next
			before := len(page.Items)
			page.Items = slices.DeleteFunc(page.Items, func(item T) bool { // pages overlap if objects are created meanwhile
				id := c.id(&item)
				known := listed[id]
				listed[id] = true
				return known
			})
			if repeated++; before == 0 || len(page.Items) > 0 {
				repeated = 0
			}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// page requests one page of the list.
func (c *Collection[T]) page(ctx context.Context, target string) (Page[T], error) {
	var answer answer
	get := func(ctx context.Context) (err error) {
		answer, err = c.client.send(ctx, http.MethodGet, target, nil)
		return err
	}
	fresh := func(err error) bool { // a replica may not know the parent yet
		return isNotFound(err) && c.client.sightings.isFresh(func(id string) bool { return id == c.parentID })
	}
	if err := c.client.Settle(ctx, get(ctx), fresh, get); err != nil {
		return Page[T]{}, err
	}
	var err error
	page := Page[T]{date: answer.date}
	page.next, err = decodePage(answer.body, c.ListField, func(decoder *json.Decoder) error {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return undocumented(err)
		}
		item, err := decode[T](raw)
		if err != nil {
			return err
		}
		if err := c.checkReturned(c.id(&item)); err != nil {
			return undocumented(err)
		}
		c.Hold(c.id(&item))
		page.Items = append(page.Items, item)
		return nil
	})
	if _, ok := errors.AsType[errNoList](err); ok && c.listIn != "" {
		var parent Ref // its list may be absent if it is empty
		if parent, err = decode[Ref](answer.body); err == nil && parent.ID != c.parentID {
			err = undocumented(fmt.Errorf("expected the ID %q", c.parentID))
		}
	}
	if err != nil {
		return Page[T]{}, err
	}
	if page.next, err = follow(target, page.next); err != nil {
		return Page[T]{}, err
	}
	page.Last = page.next == ""
	return page, nil
}

const maxURL = 8 << 10 // bytes

// follow returns the URL of the next page. The link of a page may be relative
// to the URL of the page.
func follow(page, link string) (string, error) {
	if link == "" {
		return "", nil
	}
	base, err := url.Parse(page)
	if err != nil {
		return "", err
	}
	next, err := base.Parse(link)
	if err != nil { // not repeated, because it can contain a secret
		return "", undocumented(errors.New("next_page_uri is not a valid URL"))
	}
	if len(next.String()) > maxURL {
		return "", undocumented(fmt.Errorf("next_page_uri is longer than %d bytes", maxURL))
	}
	return next.String(), nil
}
