package api

import (
	"context"
	"sync"
	"time"
)

// freshness is how long an object from a page of a list stands for a GET.
const freshness = time.Minute

// A walk answers reads of one collection from the pages of its list, so that a
// refresh of a thousand objects takes some ten requests and not a thousand.
//
// Nobody says how many reads will come, so it spends in proportion: a page is
// asked for only while no more pages than single GETs were asked for before it.
// The first read asks for the first page; each read that no page answers costs
// one GET and so allows one page more. Pages are shared by all who wait, and
// once the list is complete it answers everything that is on it.
//
// The bound: K reads of objects that fill P pages take at most min(K, P) pages
// and as many GETs, so at most twice what the better of the two ways would have
// taken, had it been known beforehand which that is. Objects that are gone come
// on top with one GET each, as they would in any way: that an object is on no
// page is never taken for its end.
//
// What this client created, changed or deleted is never answered from a page,
// whether the page was asked for before that or after. A page that cannot be
// had at the first try ends the walk, and from then on every read is a GET.
type walk[T any] struct {
	page  func(ctx context.Context, address string) (page[T], error)
	id    func(*T) string
	first string // the address of the first page

	mu       sync.Mutex
	found    map[string]listed[T]
	written  map[string]bool
	next     string // the address of the next page; "" behind the last
	broken   bool
	pages    int           // asked for
	gets     int           // asked for
	fetching chan struct{} // closed once the page that is asked for is there; nil where none is
}

// listed is an object as a page showed it.
type listed[T any] struct {
	object *T
	at     time.Time // when the page was asked for
}

func newWalk[T any](first string, id func(*T) string, page func(context.Context, string) (page[T], error)) *walk[T] {
	return &walk[T]{page: page, id: id, first: first, next: first, found: map[string]listed[T]{}, written: map[string]bool{}}
}

// lookup returns an object as a page shows it, or false where the caller must
// ask for it by itself. The object is shared: it must not be changed.
func (w *walk[T]) lookup(ctx context.Context, id string) (*T, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ctx.Err() == nil && !w.broken && !w.written[id] {
		entry, ok := w.found[id]
		if ok && time.Since(entry.at) < freshness {
			return entry.object, true
		}
		if ok && w.next == "" {
			w.pages, w.gets, w.next = 0, 0, w.first
			clear(w.found)
		}
		switch {
		case w.fetching != nil:
			w.wait(ctx)
		case w.next != "" && w.pages <= w.gets:
			w.fetch(ctx)
		default:
			w.gets++
			return nil, false
		}
	}
	return nil, false
}

// wait waits, without the lock, until the page that is asked for is there.
func (w *walk[T]) wait(ctx context.Context) {
	fetching := w.fetching
	w.mu.Unlock()
	defer w.mu.Lock()
	select {
	case <-fetching:
	case <-ctx.Done():
	}
}

// fetch asks, without the lock, for the next page and keeps what is on it.
func (w *walk[T]) fetch(ctx context.Context) {
	at, address := time.Now(), w.next
	fetching := make(chan struct{})
	w.fetching = fetching
	w.pages++
	w.mu.Unlock()
	page, err := w.page(once(ctx), address)
	w.mu.Lock()
	w.fetching = nil
	close(fetching)
	switch {
	case err != nil && ctx.Err() != nil: // this caller's time ended; the next one asks again
		w.pages--
	case err != nil || page.next == address:
		w.broken = true
	default:
		w.next = page.next
		for i := range page.items {
			w.found[w.id(&page.items[i])] = listed[T]{&page.items[i], at}
		}
	}
}

// wrote notes that an object is about to be changed, or was created.
func (w *walk[T]) wrote(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.written[id] = true
	delete(w.found, id)
}
