package api

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// settleTime is how long a look waits before it reads the list. The service
	// may still process the request, and other creations that fail can share
	// the look.
	settleTime = 5 * time.Second
	// lookTime limits the duration of a look, including the wait.
	lookTime = 10 * time.Second
	// lateLookTime limits the rest of a look after the context of the operation
	// has ended.
	lateLookTime = time.Second
)

var errLookTime = errors.New("reading the list timed out")

// A looker searches the list of a collection for the objects of create requests
// with an unknown outcome. All requests that wait share one walk through the
// list.
type looker[T any] struct {
	pages  func(ctx context.Context, each func(items []T, date time.Time)) error
	settle time.Duration

	mu   sync.Mutex
	next *look[T] // has not begun to read; nil if nobody waits
}

// A look is one walk through the list.
type look[T any] struct {
	watchers []func(*T, time.Time)
	hurried  chan struct{} // closed if the context of a caller ended
	hurry    func()
	done     chan struct{} // closed when the look is over
	err      error
}

// walk calls found for every object of the list, with the date of its page by
// the service's clock. It returns after at most 10 seconds, and at most 1
// second after the end of ctx. The error says why the list was not read to its
// end.
func (l *looker[T]) walk(ctx context.Context, found func(*T, time.Time)) error {
	var mu sync.Mutex
	over := false
	defer func() { // after walk returns, found is not called
		mu.Lock()
		defer mu.Unlock()
		over = true
	}()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
	defer cancel()
	joined := l.join(ctx, func(object *T, date time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			found(object, date)
		}
	})
	defer context.AfterFunc(ctx, func() {
		joined.hurry()
		time.AfterFunc(lateLookTime, cancel)
	})()
	select {
	case <-joined.done:
		return joined.err
	case <-bounded.Done():
		return errLookTime
	}
}

// join adds a watcher to the look that has not begun to read, and returns the
// look.
func (l *looker[T]) join(ctx context.Context, found func(*T, time.Time)) *look[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		hurried := make(chan struct{})
		l.next = &look[T]{hurried: hurried, hurry: sync.OnceFunc(func() { close(hurried) }), done: make(chan struct{})}
		go l.run(context.WithoutCancel(ctx), l.next)
	}
	l.next.watchers = append(l.next.watchers, found)
	return l.next
}

func (l *looker[T]) run(ctx context.Context, next *look[T]) {
	defer close(next.done)
	ctx, cancel := context.WithTimeoutCause(ctx, lookTime, errLookTime)
	defer cancel()
	settled := time.NewTimer(l.settle)
	defer settled.Stop()
	select {
	case <-settled.C:
	case <-next.hurried: // the look begins early for all watchers
	}
	l.mu.Lock()
	l.next = nil // later failures need another look
	l.mu.Unlock()
	next.err = l.pages(ctx, func(items []T, date time.Time) {
		for i := range items {
			for _, found := range next.watchers {
				found(&items[i], date)
			}
		}
	})
}
