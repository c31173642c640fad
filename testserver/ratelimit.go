package testserver

import (
	"net/http"
	"sync"
	"time"
)

// window lets through a number of requests within any period of a length: a rolling window, as public services of this
// kind have it. What it refuses does not count.
type window struct {
	mutex  sync.Mutex
	limit  int
	length time.Duration
	taken  []time.Time // the requests of the last period, oldest first
}

func newWindow(limit int, length time.Duration) *window {
	return &window{limit: limit, length: length}
}

// take counts a request, or tells how long it takes until there is room.
func (w *window) take(now time.Time) (wait time.Duration, ok bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for len(w.taken) > 0 && now.Sub(w.taken[0]) >= w.length {
		w.taken = w.taken[1:]
	}
	if len(w.taken) < w.limit {
		w.taken = append(w.taken, now)
		return 0, true
	}
	if w.limit == 0 {
		return w.length, false
	}
	return w.length - now.Sub(w.taken[0]), false
}

func (w *window) clear() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.taken = nil
}

// admit lets a request in, or refuses it with 429. done must be called when the request is over.
func (s *Server) admit(c *call) (done func(), refusal error) {
	done = func() {}
	if s.slots != nil {
		select {
		case s.slots <- struct{}{}:
			done = func() { <-s.slots }
		default:
			return done, tooMany("225", "too many requests at the same time", time.Second)
		}
	}
	if s.window != nil {
		if wait, ok := s.window.take(c.time); !ok {
			return done, tooMany("226", "too many requests, the rate limit is reached", wait)
		}
	}
	return done, nil
}

func tooMany(code, message string, retryAfter time.Duration) *problem {
	return &problem{status: http.StatusTooManyRequests, code: code, message: message, retryAfter: retryAfter}
}
