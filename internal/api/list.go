package api

// This file keeps two promises: a refresh of a thousand objects takes about twenty
// requests, and no list is without an end or has more objects than fit in memory.

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

const (
	maxItems = 10_000 // on a page
	maxPages = 10_000 // of a list: enough for a million objects
	// maxRepeated is the number of pages in a row that may contain only objects of
	// earlier pages, because others were created meanwhile.
	maxRepeated = 10
	maxURL      = 8 << 10 // bytes
	// freshness is how long an object from a list page can replace a GET.
	freshness = time.Minute
	// pagePatience is how long a page that saves requests waits for the limit of the
	// service: longer than a rolling minute. Then only lists may be limited.
	pagePatience = 65 * time.Second
)

// List iterates over all objects, in the service's order. It requests each page when
// its first object is needed, so a caller that stops early saves the other requests. An
// error comes with a nil object and ends the iteration.
func (c *Collection[T]) List(ctx context.Context) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for list := c.begin(); list.next != ""; {
			items, err := list.read(ctx)
			for i := range items {
				if !yield(&items[i], nil) {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// Lists reports whether the list contains an object.
func (c *Collection[T]) Lists(ctx context.Context, id string) (bool, error) {
	for object, err := range c.List(ctx) {
		if err != nil || c.id(object) == id {
			return err == nil, err
		}
	}
	return false, nil
}

// A listing is the list of a collection, as far as it has been read.
type listing[T any] struct {
	of      *Collection[T]
	begun   time.Time
	next    string // URL of the next page; "" after the last
	urls    map[string]bool
	objects map[string]seen[T]
	order   []*T
	idle    int // pages in a row without a new object
	gets    int // reads that no page has answered
	err     error
}

// seen is an object from a list page.
type seen[T any] struct {
	object *T
	at     time.Time
}

func (c *Collection[T]) begin() *listing[T] {
	return &listing[T]{of: c, begun: time.Now(), next: c.listURL, urls: map[string]bool{}, objects: map[string]seen[T]{}}
}

// read reads the next page, and returns its objects that are on no earlier page: pages
// overlap if objects are created meanwhile.
func (l *listing[T]) read(ctx context.Context) ([]T, error) {
	if l.urls[l.next] || len(l.urls) == maxPages || l.idle == maxRepeated {
		l.err = l.of.client.failed("list "+l.of.Plural(), fmt.Errorf("pagination does not end: a page link repeats, "+
			"%d pages in a row contain no new object, or there are more than %d pages", maxRepeated, maxPages))
		return nil, l.err
	}
	items, next, err := l.of.page(ctx, l.next)
	if err != nil {
		err = l.of.client.failed("list "+l.of.Plural(), err)
		if ctx.Err() == nil { // else it says nothing about the list
			l.err = err
		}
		return nil, err
	}
	l.urls[l.next], l.next = true, next
	at, before := time.Now(), len(items)
	items = slices.DeleteFunc(items, func(item T) bool {
		_, known := l.objects[l.of.id(&item)]
		l.objects[l.of.id(&item)] = seen[T]{&item, at}
		return known
	})
	for i := range items {
		l.order = append(l.order, &items[i])
	}
	if l.idle++; before == 0 || len(items) > 0 {
		l.idle = 0
	}
	return items, nil
}

// whole returns all objects of a list whose first page was requested at or after a
// time, and when it was. All callers share the list. If it cannot be read to its end,
// whole returns the objects before that.
func (c *Collection[T]) whole(ctx context.Context, after time.Time) ([]*T, time.Time, error) {
	if err := c.lock(ctx); err != nil {
		return nil, time.Time{}, err
	}
	defer c.unlock()
	if c.list == nil || c.list.begun.Before(after) {
		c.list = c.begin()
	}
	err := c.list.err
	for err == nil && c.list.next != "" {
		_, err = c.list.read(ctx)
	}
	return slices.Clone(c.list.order), c.list.begun, err
}

// exists is the witness of a 404: it reports whether the list contains an object, or
// whether its parent exists if the list is in the parent. All objects that vanish in a
// run share one list, but only one that was read later than the 404 shows that an
// object exists in spite of it.
func (c *Collection[T]) exists(ctx context.Context, id string) (bool, error) {
	now := time.Now()
	has := func(object *T) bool { return c.id(object) == id }
	objects, begun, err := c.whole(ctx, now.Add(-freshness))
	if (err != nil || slices.ContainsFunc(objects, has)) && begun.Before(now) {
		objects, _, err = c.whole(ctx, now)
	}
	if isNotFound(err) && c.parent != nil {
		if _, _, parentErr := c.parent(c.client).member(ctx, c.parentID, ""); parentErr != nil {
			return false, parentErr
		}
	}
	return slices.ContainsFunc(objects, has), err
}

// Cached returns an object from a list page if that saves requests, and false
// otherwise. A page may be outdated or shortened, so it can only show that an object
// did not change. The object must not be changed.
//
// The number of reads is not known in advance, so Cached balances pages and GETs. It
// requests a page only if there are fewer pages than reads that no page has answered:
// those that wait, and those that became a GET. So K reads of objects that fill P pages
// take at most min(K, P) pages and as many GETs, which is at most twice the cheaper of
// the two ways. If a page fails or is not allowed for more than a minute, or once this
// client has written, all reads are GETs.
func (c *Collection[T]) Cached(ctx context.Context, id string) (*T, bool) {
	c.waiting.Add(1)
	defer c.waiting.Add(-1)
	if !c.client.bulkReads || c.lock(ctx) != nil {
		return nil, false
	}
	defer c.unlock()
	for ctx.Err() == nil && c.client.memory.lastWrite().IsZero() {
		if c.list == nil {
			c.list = c.begin()
		}
		known, ok := c.list.objects[id]
		if ok && time.Since(known.at) < freshness {
			return known.object, true
		}
		if ok && c.list.next == "" {
			c.list = c.begin()
		}
		if c.list.err != nil || c.list.next == "" || len(c.list.urls) >= c.list.gets+int(c.waiting.Load()) {
			c.list.gets++
			return nil, false
		}
		c.list.read(gate.WithPatience(withoutRetries(ctx), pagePatience)) //nolint:errcheck // in c.list.err
	}
	return nil, false
}

// lock makes the caller the only reader of the list. If a run is interrupted, the
// present reader ends as well, and what it has seen is for all.
func (c *Collection[T]) lock(ctx context.Context) error {
	select {
	case c.reading <- struct{}{}:
		return nil
	case <-ctx.Done():
	}
	select {
	case c.reading <- struct{}{}:
		return nil
	case <-time.After(100 * time.Millisecond):
		return context.Cause(ctx)
	}
}

func (c *Collection[T]) unlock() { <-c.reading }
