package api

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"time"
)

// List iterates over all objects, page by page, in the service's order. An
// error comes with a nil object and ends the iteration.
func (c *Collection[T, C, U]) List(ctx context.Context) iter.Seq2[*T, error] {
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
func (c *Collection[T, C, U]) Pages(ctx context.Context) iter.Seq2[Page[T], error] {
	return func(yield func(Page[T], error) bool) {
		fail := func(err error) { yield(Page[T]{}, c.client.failed("list "+c.noun, err)) }
		if c.err != nil {
			fail(c.err)
			return
		}
		seen := map[string]bool{}
		for next := c.first; next != ""; {
			if seen[next] || len(seen) == maxPages {
				fail(fmt.Errorf("pagination does not end: a page link repeats, or there are more than %d pages", maxPages))
				return
			}
			seen[next] = true
			page, err := c.page(ctx, next)
			if err != nil {
				fail(err)
				return
			}
			if !yield(page, nil) {
				return
			}
			next = page.next
		}
	}
}

// each calls found for each page of the list, with its date.
func (c *Collection[T, C, U]) each(ctx context.Context, found func([]T, time.Time)) error {
	for page, err := range c.Pages(ctx) {
		if err != nil {
			return err
		}
		found(page.Items, page.date)
	}
	return nil
}

// page requests one page of the list.
func (c *Collection[T, C, U]) page(ctx context.Context, target string) (Page[T], error) {
	answer, err := c.client.send(ctx, http.MethodGet, target, nil)
	if err != nil {
		return Page[T]{}, err
	}
	page := Page[T]{date: answer.date}
	page.next, err = decodePage(answer.body, c.list, func(decoder *json.Decoder) error {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return undocumented(err)
		}
		item, err := decode[T](raw)
		if err != nil {
			return err
		}
		if err := c.checkAnswered(c.id(&item)); err != nil {
			return undocumented(err)
		}
		page.Items = append(page.Items, item)
		return nil
	})
	if err != nil {
		return Page[T]{}, err
	}
	c.client.proof.given.Store(true)
	page.Last = page.next == ""
	return page, nil
}
