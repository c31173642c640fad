package behavior

import (
	"net/http"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// limit refuses requests that are too many: within any period of a length, like public
// services do, or at the same time. Refused requests do not count.
type limit struct {
	most   int
	period time.Duration // 0 limits the requests at the same time

	mutex sync.Mutex
	taken []time.Time // times of the requests in the last period, oldest first
	busy  int         // requests at the same time
}

// newLimit returns the limit of a behavior, or nil if it is none.
func newLimit(name string, given argument) *limit {
	if name != "rate_limit" && name != "max_concurrent" {
		return nil
	}
	return &limit{most: given.number, period: given.delay}
}

// take counts a request, or refuses it.
func (l *limit) take(now time.Time) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.period == 0 {
		if l.busy == l.most {
			return tooMany("225", "too many concurrent requests", time.Second)
		}
		l.busy++
		return nil
	}
	for len(l.taken) > 0 && now.Sub(l.taken[0]) >= l.period {
		l.taken = l.taken[1:]
	}
	if len(l.taken) == l.most {
		return tooMany("226", "too many requests: rate limit exceeded", l.period-now.Sub(l.taken[0]))
	}
	l.taken = append(l.taken, now)
	return nil
}

func (l *limit) done() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.busy = max(0, l.busy-1)
}

// admit applies limits to a request that arrives now, and returns a 429 if one is
// exceeded. The caller must call done after the request.
func admit(limits []*limit, now time.Time) (done func(), refusal error) {
	taken := 0
	for taken < len(limits) && refusal == nil {
		if refusal = limits[taken].take(now); refusal == nil {
			taken++
		}
	}
	return func() {
		for _, l := range limits[:taken] {
			l.done()
		}
	}, refusal
}

func tooMany(code, message string, retryAfter time.Duration) error {
	return &problem.Problem{Status: http.StatusTooManyRequests, Code: code, Message: message, RetryAfter: retryAfter}
}
