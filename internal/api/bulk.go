package api

import (
	"context"
	"sync"
	"time"
)

// freshness is how long an object from a list page can replace a GET.
const freshness = time.Minute

// bulk answers reads of one collection from the pages of its list, so that a
// refresh of a thousand objects takes about twenty requests instead of a
// thousand.
//
// The number of reads is not known in advance, so bulk balances pages and GETs.
// It requests a page only if there are fewer pages than reads that no page has
// answered: those that wait, and those that became a GET. All readers share
// the pages, and a complete list answers reads of all objects on it.
//
// The upper bound: K reads of objects that fill P pages take at most min(K, P)
// pages and as many GETs, which is at most twice the cheaper of the two ways.
// Each read of an object that is gone takes one more GET, because an object
// that is on no page can still exist.
//
// An object that this client created, changed or deleted is never read from a
// page, whether the page was requested before or after that. If a page fails at
// the first attempt, all later reads are GETs.
type bulk[T any] struct {
	page  func(ctx context.Context, target string) (Page[T], error)
	id    func(*T) string
	first string // URL of the first page

	mu       sync.Mutex
	found    map[string]cachedObject[T]
	written  map[string]bool
	next     string // URL of the next page; "" after the last
	broken   bool
	pages    int           // requested
	gets     int           // requested
	waiting  int           // reads without a result
	fetching chan struct{} // closed when the page being fetched is there; nil if there is none
}

// cachedObject is an object from a list page.
type cachedObject[T any] struct {
	object *T
	at     time.Time // when the page was requested
}

func newBulk[T any](first string, id func(*T) string, page func(context.Context, string) (Page[T], error)) *bulk[T] {
	return &bulk[T]{page: page, id: id, first: first, next: first, found: map[string]cachedObject[T]{}, written: map[string]bool{}}
}

// lookup returns an object from a list page, or false if the caller must send a
// GET. The object is shared and must not be changed.
func (b *bulk[T]) lookup(ctx context.Context, id string) (*T, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting++
	defer func() { b.waiting-- }()
	for ctx.Err() == nil && !b.broken && !b.written[id] {
		entry, ok := b.found[id]
		if ok && time.Since(entry.at) < freshness {
			return entry.object, true
		}
		if ok && b.next == "" {
			b.pages, b.gets, b.next = 0, 0, b.first
			clear(b.found)
		}
		switch {
		case b.fetching != nil:
			b.wait(ctx)
		case b.next != "" && b.pages < b.gets+b.waiting:
			b.fetch(ctx)
		default:
			b.gets++
			return nil, false
		}
	}
	return nil, false
}

// wait releases the lock and waits until the page being fetched is there.
func (b *bulk[T]) wait(ctx context.Context) {
	fetching := b.fetching
	b.mu.Unlock()
	defer b.mu.Lock()
	select {
	case <-fetching:
	case <-ctx.Done():
	}
}

// fetch releases the lock, requests the next page and stores its objects.
func (b *bulk[T]) fetch(ctx context.Context) {
	at, target := time.Now(), b.next
	fetching := make(chan struct{})
	b.fetching = fetching
	b.pages++
	b.mu.Unlock()
	page, err := b.page(withRetries(ctx, retryNever), target)
	b.mu.Lock()
	b.fetching = nil
	close(fetching)
	switch {
	case err != nil && ctx.Err() != nil: // this caller's context ended; the next caller requests the page again
		b.pages--
	case err != nil || page.next == target:
		b.broken = true
	default:
		b.next = page.next
		for i := range page.Items {
			b.found[b.id(&page.Items[i])] = cachedObject[T]{&page.Items[i], at}
		}
	}
}

// exclude records that an object was created, or is about to be changed or
// deleted.
func (b *bulk[T]) exclude(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written[id] = true
	delete(b.found, id)
}
