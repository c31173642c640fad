package api

import (
	"context"
	"sync"
	"time"
)

// freshness is how long an object from a page of a list stands for a GET.
const freshness = time.Minute

// bulk answers reads of one collection from the pages of its list, so that a
// refresh of a thousand objects takes some twenty requests and not a thousand.
//
// Nobody says how many reads will come, so it spends in proportion: it asks for
// a page only while it has not asked for more pages than single GETs before. The
// first read asks for the first page; each read that no page answers costs one
// GET and so allows one page more. All readers share the pages, and a complete
// list answers everything that is on it.
//
// The bound: K reads of objects that fill P pages take at most min(K, P) pages
// and as many GETs, which is at most twice the better of the two ways. Objects
// that are gone cost one GET each in addition: that an object is on no page never
// means that it is gone.
//
// An object that this client created, changed or deleted is never answered from
// a page, whether the page was asked for before or after that. If a page fails at
// the first attempt, every read is a GET from then on.
type bulk[T any] struct {
	page  func(ctx context.Context, target string) (Page[T], error)
	id    func(*T) string
	first string // URL of the first page

	mu       sync.Mutex
	found    map[string]listed[T]
	written  map[string]bool
	next     string // URL of the next page; "" after the last
	broken   bool
	pages    int           // asked for
	gets     int           // asked for
	fetching chan struct{} // closed when the page being fetched is there; nil if none is
}

// listed is an object as a page showed it.
type listed[T any] struct {
	object *T
	at     time.Time // when the page was asked for
}

func newBulk[T any](first string, id func(*T) string, page func(context.Context, string) (Page[T], error)) *bulk[T] {
	return &bulk[T]{page: page, id: id, first: first, next: first, found: map[string]listed[T]{}, written: map[string]bool{}}
}

// lookup returns an object as a page shows it, or false if the caller must ask
// for it. The object is shared and must not be changed.
func (b *bulk[T]) lookup(ctx context.Context, id string) (*T, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
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
		case b.next != "" && b.pages <= b.gets:
			b.fetch(ctx)
		default:
			b.gets++
			return nil, false
		}
	}
	return nil, false
}

// wait waits, without the lock, until the page being fetched is there.
func (b *bulk[T]) wait(ctx context.Context) {
	fetching := b.fetching
	b.mu.Unlock()
	defer b.mu.Lock()
	select {
	case <-fetching:
	case <-ctx.Done():
	}
}

// fetch asks, without the lock, for the next page and keeps what is on it.
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
	case err != nil && ctx.Err() != nil: // this caller's time ended; the next one asks again
		b.pages--
	case err != nil || page.next == target:
		b.broken = true
	default:
		b.next = page.next
		for i := range page.Items {
			b.found[b.id(&page.Items[i])] = listed[T]{&page.Items[i], at}
		}
	}
}

// wrote notes that an object was created, or is about to be changed or deleted.
func (b *bulk[T]) wrote(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written[id] = true
	delete(b.found, id)
}
