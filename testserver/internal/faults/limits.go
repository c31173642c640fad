package faults

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
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

// maxLatency is the longest latency: nothing ends what waits.
const maxLatency = 10 * time.Minute

// ParseLatency reads a latency, such as 200ms. It returns an error unless it is a
// duration from 0 to 10 minutes.
func ParseLatency(text string) (time.Duration, error) {
	latency, err := time.ParseDuration(text)
	if err != nil || latency < 0 || latency > maxLatency {
		return 0, errors.New(`expected a duration with a unit such as "200ms" of at most 10m, or "0s" for none`)
	}
	return latency, nil
}

// Limits are the rate limit and the limit of concurrent requests. Copies share what has
// been counted.
type Limits struct {
	window *window       // nil if there is no rate limit
	slots  chan struct{} // one element for each request in progress; nil if there is no limit
}

// SetRate allows n requests within any period of the given length.
func (l *Limits) SetRate(n int, period time.Duration) {
	l.window = newWindow(n, period)
}

// RemoveRate allows any number of requests.
func (l *Limits) RemoveRate() {
	l.window = nil
}

// SetConcurrent allows n concurrent requests.
func (l *Limits) SetConcurrent(n int) {
	l.slots = make(chan struct{}, n)
}

// RemoveConcurrent allows any number of concurrent requests.
func (l *Limits) RemoveConcurrent() {
	l.slots = nil
}

// ParseRate parses a rate limit such as 120/60s: a number of requests, and a period.
func ParseRate(text string) (n int, period time.Duration, err error) {
	number, length, _ := strings.Cut(text, "/")
	n, numberErr := strconv.Atoi(number)
	period, periodErr := time.ParseDuration(length)
	if numberErr != nil || periodErr != nil || n < 1 || period <= 0 {
		return 0, 0, errors.New("expected a number and a duration such as 120/60s")
	}
	return n, period, nil
}

// Rate returns the rate limit. n is 0 if there is none.
func (l *Limits) Rate() (n int, period time.Duration) {
	if l.window == nil {
		return 0, 0
	}
	return l.window.limit, l.window.length
}

// Concurrent returns the limit of concurrent requests. It is 0 if there is none.
func (l *Limits) Concurrent() int {
	return cap(l.slots)
}

// Busy returns the number of requests that take a part of the limit of concurrent
// requests.
func (l *Limits) Busy() int {
	return len(l.slots)
}

// Clear forgets the requests of the past.
func (l *Limits) Clear() {
	if l.window != nil {
		l.window.clear()
	}
}

// Admit applies the limits to a request that arrives now, and returns a 429 if
// one is exceeded. The caller must call done after the request.
func (l *Limits) Admit(now time.Time) (done func(), refusal error) {
	done = func() {}
	if l.slots != nil {
		select {
		case l.slots <- struct{}{}:
			done = func() { <-l.slots }
		default:
			return done, tooMany("225", "too many concurrent requests", time.Second)
		}
	}
	if l.window != nil {
		if wait, ok := l.window.take(now); !ok {
			return done, tooMany("226", "too many requests: rate limit exceeded", wait)
		}
	}
	return done, nil
}

func tooMany(code, message string, retryAfter time.Duration) *problem.Problem {
	return &problem.Problem{Status: http.StatusTooManyRequests, Code: code, Message: message, RetryAfter: retryAfter}
}
