package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	longestWindow = time.Minute // what services of this kind count over
	firstProbe    = 100 * time.Millisecond
	longestProbe  = 5 * time.Second
	shortPause    = time.Second

	tooManyAtOnce = "ERR_TUNNEL_225"
)

// A pace keeps all requests of a client together under the service's limits. A
// 429 is no failure to it but the news that a limit is reached: it holds every
// request back, lets a single one probe from time to time, and goes on for all
// when that one gets through.
//
// From a pause it learns the limit: so many requests got through before, and so
// long after the first of them there was room again. Afterwards it sends no more
// than that within any such window. Since a limit may be shared with others, or
// change, it tries some more as it waits: one, then twice as many each quarter of
// a window, until the service refuses.
//
// A pause that is over at once says nothing about a window. There were too many
// requests at the same time, or hardly too many at all: then fewer are under way
// together for a while.
//
// A token bucket would not do: over a rolling window it either sends more than
// the limit, its burst, or gives up that share of the pace.
type pace struct {
	next http.RoundTripper
	warn func(context.Context, string, map[string]any)

	mu      sync.Mutex
	fixed   bool          // the limit was given, and is not learnt
	limit   int           // requests within a window; 0 as long as it is not known
	window  time.Duration // 0 as long as it is not known
	step    int           // by how much the limit is tried next
	tried   time.Time     // when it was last tried, or found
	over    int           // by how much more it was tried last; 0 once it is found
	sent    []*pass       // those of the last window that were not refused, ordered by at
	flying  int           // requests under way
	slots   int           // how many may be under way; 0 for any number
	calm    int           // how many got through since slots changed
	paused  time.Time     // when the service began to refuse; zero while it does not
	beside  int           // how many of those under way then were not refused
	probe   *pass         // the one that tries whether it still does
	resume  time.Time     // when the next one may
	room    time.Time     // when there is room again, as the service says; zero where it does not
	warned  bool
	changed chan struct{} // closed when waiting requests should look again
}

// A pass is the permission to send one request.
type pass struct {
	sent time.Time
	at   time.Time // when the service counted it at the latest: its answer, once there is one
}

// newPace returns a pace that keeps to a limit for each minute, or learns the
// limit where that is 0.
func newPace(perMinute int, warn func(context.Context, string, map[string]any), next http.RoundTripper) *pace {
	p := &pace{next: next, warn: warn, step: 1, changed: make(chan struct{})}
	if perMinute > 0 {
		p.fixed, p.limit, p.window = true, perMinute, longestWindow
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
		if err != nil {
			p.unanswered(ticket)
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			p.through(ticket)
			return resp, nil
		}
		p.refused(req.Context(), ticket, resp)
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
	cause   error
	waited  time.Duration
	refused bool // by the service, and not by requests_per_minute alone
}

func (h heldBack) Error() string {
	limit := "requests_per_minute"
	if h.refused {
		limit = "the service's rate limit (429 Too Many Requests)"
	}
	return fmt.Sprintf("%s; it waited %s for %s", h.cause, h.waited.Round(time.Second), limit)
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
			p.mu.Lock()
			defer p.mu.Unlock()
			return nil, heldBack{context.Cause(ctx), time.Since(since), p.warned}
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
	case !p.paused.IsZero():
		if p.probe != nil {
			return nil, longestWindow, p.changed
		}
		if now.Before(p.resume) {
			return nil, p.resume.Sub(now), p.changed
		}
	case p.slots > 0 && p.flying >= p.slots:
		return nil, longestWindow, p.changed
	case p.limit > 0 && len(p.sent) >= p.limit:
		room := p.sent[len(p.sent)-p.limit].at.Add(p.window).Sub(now)
		if p.fixed {
			return nil, room, p.changed
		}
		if next := p.tried.Add(p.window / 4).Sub(now); next > 0 {
			return nil, min(room, next), p.changed
		}
		p.limit, p.over, p.step, p.tried = p.limit+p.step, p.step, 2*p.step, now
	}
	ticket := &pass{sent: now, at: now}
	p.sent = append(p.sent, ticket)
	p.flying++
	if !p.paused.IsZero() {
		p.probe = ticket
	}
	return ticket, 0, nil
}

// forget drops what no window counts any more.
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
}

// unanswered notes that nobody knows what became of a request. A probe leaves
// its place to the next one.
func (p *pace) unanswered(ticket *pass) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flying--
	p.counted(ticket)
	if ticket == p.probe {
		p.probe = nil
	}
	p.wake()
}

// counted notes that the service has counted a request by now, if ever. It may
// have taken long to arrive: a window that begins when it was sent could end too
// early.
func (p *pace) counted(ticket *pass) {
	for i, s := range slices.Backward(p.sent) { // it is one of the last
		if s == ticket {
			p.sent = slices.Delete(p.sent, i, i+1)
			break
		}
	}
	ticket.at = time.Now()
	p.sent = append(p.sent, ticket)
}

// through notes that a request was not refused. Where it was the probe, the
// pause is over.
func (p *pace) through(ticket *pass) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flying--
	p.counted(ticket)
	if p.slots > 0 {
		if p.calm++; p.calm >= 5*p.slots {
			p.setSlots(p.slots + 1)
		}
		p.wake()
	}
	if ticket == p.probe {
		p.learn(ticket)
		p.paused, p.probe = time.Time{}, nil
		p.wake()
	}
}

// setSlots limits how many requests are under way together, as far as that is
// less than there are connections.
func (p *pace) setSlots(slots int) {
	p.slots, p.calm = slots, 0
	if slots >= maxConnections {
		p.slots = 0
	}
}

// refused notes that a request was refused. Too many at the same time need only
// wait for each other. Otherwise none is sent until the service's own time, or
// else one tries again after a tenth of the time that it has refused so far.
func (p *pace) refused(ctx context.Context, ticket *pass, resp *http.Response) {
	after := retryAfter(resp.Header.Get("Retry-After"))
	body, _ := io.ReadAll(resp.Body) //nolint:errcheck // it is in memory
	resp.Body.Close()

	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	p.flying--
	p.sent = slices.DeleteFunc(p.sent, func(s *pass) bool { return s == ticket })
	if !p.warned && p.warn != nil {
		p.warn(ctx, "the service limits requests (429); all requests wait and go on at its pace", map[string]any{"got_through": len(p.sent)})
	}
	p.warned = true
	defer p.wake()

	first := p.paused.IsZero()
	switch {
	case first && p.flying > 0 && bytes.Contains(body, []byte(tooManyAtOnce)):
		p.setSlots(p.flying)
		return
	case first && p.over > 0: // it was known before that this could be too much
		p.limit, p.step, p.over, p.tried = p.limit-p.over, 1, 0, now
		return
	case first:
		p.paused, p.beside = now, p.flying
	case ticket != p.probe: // it was under way when the pause began
		p.beside--
		if next := now.Add(after); p.resume.Before(next) {
			p.resume = next
		}
		return
	}
	p.probe, p.room = nil, time.Time{}
	wait := after
	if wait > 0 {
		p.room = now.Add(wait)
	} else {
		wait = min(max(now.Sub(p.paused)/10, firstProbe), longestProbe)
	}
	p.resume = now.Add(wait + rand.N(wait/20+1))
}

func (p *pace) wake() {
	close(p.changed)
	p.changed = make(chan struct{})
}
