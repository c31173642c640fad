package api

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

const (
	longestWindow = time.Minute // what services of this kind count over
	firstProbe    = 100 * time.Millisecond
	longestProbe  = 5 * time.Second
)

// A pace keeps all requests of a client together under the service's rate
// limit. A 429 is no failure to it but the news that the limit is reached: it
// holds every request back, lets a single one probe from time to time, and goes
// on for all when that one gets through.
//
// From that it learns the limit: so many requests got through before, and so
// long after the first of them there was room again. Afterwards it sends no more
// than that within any such window. Since a limit may be shared with others, or
// change, it tries a little more after each window that went without a refusal.
//
// A token bucket would not do: over a rolling window it either sends more than
// the limit, its burst, or gives up that share of the pace.
type pace struct {
	next http.RoundTripper
	warn func(context.Context, string, map[string]any)

	mu      sync.Mutex
	limit   int           // requests within a window; 0 as long as it is not known
	window  time.Duration // 0 as long as it is not known
	most    int           // what the limit may grow to; 0 for any number
	grown   time.Time     // when the limit last changed
	sent    []*pass       // those of the last window that were not refused, oldest first
	paused  time.Time     // when the service began to refuse; zero while it does not
	probe   *pass         // the one that tries whether it still does
	resume  time.Time     // when the next one may
	warned  bool
	changed chan struct{} // closed when waiting requests should look again
}

// A pass is the permission to send one request.
type pass struct{ at time.Time }

// newPace returns a pace that begins with a limit for each minute, or learns the
// limit where that is 0.
func newPace(perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) *pace {
	p := &pace{next: next, warn: warn, changed: make(chan struct{})}
	if perMinute > 0 {
		p.limit, p.most, p.window = perMinute, perMinute, time.Minute
	}
	return p
}

func (p *pace) RoundTrip(req *http.Request) (*http.Response, error) {
	begun := time.Now()
	for {
		ticket, err := p.admit(req.Context(), begun)
		if err != nil {
			return nil, err
		}
		resp, err := p.next.RoundTrip(req)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests {
			p.through(ticket)
			return resp, err
		}
		p.refused(req.Context(), ticket, retryAfter(resp.Header.Get("Retry-After")))
		resp.Body.Close()
		if req.GetBody != nil {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			req = req.Clone(req.Context())
			req.Body = body
		}
	}
}

// heldBack says that a request's time ended while it waited for the rate limit.
type heldBack struct {
	cause  error
	waited time.Duration
}

func (h heldBack) Error() string {
	return fmt.Sprintf("%s; it waited %s for the service's rate limit (429 Too Many Requests)", h.cause, h.waited.Round(time.Second))
}

func (h heldBack) Unwrap() error { return h.cause }

// admit waits until one more request may be sent.
func (p *pace) admit(ctx context.Context, since time.Time) (*pass, error) {
	for {
		ticket, wait, changed := p.tryAdmit()
		if ticket != nil {
			return ticket, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return nil, heldBack{context.Cause(ctx), time.Since(since)}
		}
	}
}

// tryAdmit returns a pass, or else how long to wait before the next try, unless
// something changes earlier.
func (p *pace) tryAdmit() (*pass, time.Duration, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.forget(now)
	switch {
	case p.paused.IsZero():
		if p.limit > 0 && len(p.sent) >= p.limit {
			return nil, p.sent[len(p.sent)-p.limit].at.Add(p.window).Sub(now), p.changed
		}
	case p.probe != nil:
		return nil, longestWindow, p.changed
	case now.Before(p.resume):
		return nil, p.resume.Sub(now), p.changed
	}
	ticket := &pass{now}
	p.sent = append(p.sent, ticket)
	if !p.paused.IsZero() {
		p.probe = ticket
	}
	return ticket, 0, nil
}

// forget drops what no window counts any more, and lets the limit grow.
func (p *pace) forget(now time.Time) {
	if !p.paused.IsZero() {
		return
	}
	span := longestWindow
	if p.limit > 0 {
		span = p.window
	}
	old := 0
	for old < len(p.sent) && now.Sub(p.sent[old].at) >= span {
		old++
	}
	p.sent = slices.Delete(p.sent, 0, old)
	if p.limit > 0 && now.Sub(p.grown) > p.window && (p.most == 0 || p.limit < p.most) {
		p.limit += max(1, p.limit/10)
		if p.most > 0 {
			p.limit = min(p.limit, p.most)
		}
		p.grown = now
	}
}

// through notes that a request was not refused. Where it was the probe, the
// pause is over.
func (p *pace) through(ticket *pass) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ticket != p.probe {
		return
	}
	p.learn(ticket)
	p.paused, p.probe = time.Time{}, nil
	p.wake()
}

// learn draws the limit from a pause that a probe ended. Where the pause was
// shorter than the window known so far, the window still holds, and only fewer
// requests fit in it.
func (p *pace) learn(probe *pass) {
	before := slices.DeleteFunc(slices.Clone(p.sent), func(s *pass) bool { return !s.at.Before(probe.at) })
	switch {
	case p.window > 0 && probe.at.Sub(p.paused) < p.window:
		before = slices.DeleteFunc(before, func(s *pass) bool { return p.paused.Sub(s.at) >= p.window })
	case len(before) > 0:
		p.window = probe.at.Sub(before[0].at)
	default:
		p.window = probe.at.Sub(p.paused)
	}
	p.limit = max(1, len(before))
	if p.most > 0 {
		p.limit = min(p.limit, p.most)
	}
	p.grown = probe.at
}

// refused notes that a request was refused: none is sent until the service's own
// time, or else one tries again after a tenth of the time that it has refused
// so far.
func (p *pace) refused(ctx context.Context, ticket *pass, after time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.sent = slices.DeleteFunc(p.sent, func(s *pass) bool { return s == ticket })
	first := p.paused.IsZero()
	if first {
		p.paused = now
	}
	if first || ticket == p.probe {
		p.probe = nil
		wait := after
		if wait == 0 {
			wait = min(max(now.Sub(p.paused)/10, firstProbe), longestProbe)
		}
		p.resume = now.Add(wait + rand.N(wait/20+1))
	} else if after > 0 && p.resume.Before(now.Add(after)) {
		p.resume = now.Add(after)
	}
	if !p.warned && p.warn != nil {
		p.warned = true
		p.warn(ctx, "the service limits requests (429); all requests wait and go on at its pace", map[string]any{"got_through": len(p.sent)})
	}
	p.wake()
}

func (p *pace) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// retryAfter reads the header of that name: seconds, or a date. It is 0 where
// the service gives no time that lies ahead.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
