package api

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// settleTime is how long a look waits before it reads the list: for a service
	// that is still busy with the request, and for other creations to fail.
	settleTime = 5 * time.Second
	// lookTime limits a look, the wait included.
	lookTime = 10 * time.Second
	// lateLookTime limits a look after the time of the operation is over.
	lateLookTime = time.Second
)

var errLookTime = errors.New("reading the list timed out")

// A looker looks through the list of a collection for the objects of creations
// whose outcome is not known. All that wait share one walk through the list.
type looker[T any] struct {
	pages  func(ctx context.Context, each func(items []T, date time.Time)) error
	settle time.Duration

	mu   sync.Mutex
	next *look[T] // which has not begun to read; nil if nobody waits
}

// A look is one walk through the list.
type look[T any] struct {
	watchers []func(*T, time.Time)
	hurried  chan struct{} // closed if somebody's time is over
	hurry    func()
	done     chan struct{} // closed when it is over
	err      error
}

// walk calls found for every object of the list, with the date of its page by
// the service's clock. It returns after 10 seconds at most, and 1 second after
// the end of ctx. The error is why the list was not read to its end.
func (l *looker[T]) walk(ctx context.Context, found func(*T, time.Time)) error {
	var mu sync.Mutex
	over := false
	defer func() { // a look that goes on tells nobody
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

// join returns the look that has not begun yet, with one more watcher.
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
	case <-next.hurried: // the others get an early look
	}
	l.mu.Lock()
	l.next = nil // who fails from now on needs another look
	l.mu.Unlock()
	next.err = l.pages(ctx, func(items []T, date time.Time) {
		for i := range items {
			for _, found := range next.watchers {
				found(&items[i], date)
			}
		}
	})
}
