package testserver

import (
	"net/http"
	"sync"
	"time"
)

// window is a rolling rate limit: it allows a number of requests within any
// period of the given length, like public services do. Refused requests do not
// count.
type window struct {
	mutex  sync.Mutex
	limit  int
	length time.Duration
	taken  []time.Time // times of the requests in the last period, oldest first
}

func newWindow(limit int, length time.Duration) *window {
	return &window{limit: limit, length: length}
}

// take counts a request if the limit allows it. Otherwise it returns the time
// until the next request is allowed.
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

// admit applies the limits to a request and returns a 429 if one is exceeded.
// The caller must call done after the request.
func (s *Server) admit(c *call) (done func(), refusal error) {
	done = func() {}
	if s.slots != nil {
		select {
		case s.slots <- struct{}{}:
			done = func() { <-s.slots }
		default:
			return done, tooMany("225", "too many concurrent requests", time.Second)
		}
	}
	if s.window != nil {
		if wait, ok := s.window.take(c.time); !ok {
			return done, tooMany("226", "too many requests: rate limit exceeded", wait)
		}
	}
	return done, nil
}

func tooMany(code, message string, retryAfter time.Duration) *problem {
	return &problem{status: http.StatusTooManyRequests, code: code, message: message, retryAfter: retryAfter}
}
