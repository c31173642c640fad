package api

// This file keeps a promise: a refresh of a thousand objects takes about twenty
// requests.

import (
	"context"
	"sync"
	"sync/atomic"
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

	waiting atomic.Int32 // reads without a result
	written sync.Map     // has the ids of the objects that this client wrote

	mu     sync.Mutex // held while a page is requested
	found  map[string]cachedObject[T]
	next   string // URL of the next page; "" after the last
	broken bool
	pages  int // requested
	gets   int // requested
}

// cachedObject is an object from a list page.
type cachedObject[T any] struct {
	object *T
	at     time.Time // when the page was requested
}

func newBulk[T any](first string, id func(*T) string, page func(context.Context, string) (Page[T], error)) *bulk[T] {
	return &bulk[T]{page: page, id: id, first: first, next: first, found: map[string]cachedObject[T]{}}
}

// lookup returns an object from a list page, or false if the caller must send a
// GET. The object is shared and must not be changed.
func (b *bulk[T]) lookup(ctx context.Context, id string) (*T, bool) {
	b.waiting.Add(1)
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.waiting.Add(-1)
	for ctx.Err() == nil && !b.broken {
		if _, written := b.written.Load(id); written {
			break
		}
		entry, ok := b.found[id]
		if ok && time.Since(entry.at) < freshness {
			return entry.object, true
		}
		if ok && b.next == "" {
			b.pages, b.gets, b.next = 0, 0, b.first
			clear(b.found)
		}
		if b.next == "" || b.pages >= b.gets+int(b.waiting.Load()) {
			b.gets++
			return nil, false
		}
		b.fetch(ctx)
	}
	return nil, false
}

// fetch requests the next page and stores its objects. If the caller's context
// ends, the next caller requests the page again.
func (b *bulk[T]) fetch(ctx context.Context) {
	at := time.Now()
	page, err := b.page(withRetries(ctx, retryNever), b.next)
	if err != nil || page.next == b.next {
		b.broken = ctx.Err() == nil
		return
	}
	b.pages++
	b.next = page.next
	for i := range page.Items {
		b.found[b.id(&page.Items[i])] = cachedObject[T]{&page.Items[i], at}
	}
}

// exclude records that an object was created, or is about to be changed or
// deleted.
func (b *bulk[T]) exclude(id string) { b.written.Store(id, true) }
