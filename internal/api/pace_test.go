package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// limiter is a service that allows so many requests in any window, and takes a
// little time for each. It is only used inside a synctest bubble, where time
// passes only while everybody waits.
type limiter struct {
	mu      sync.Mutex
	limit   int // within a window; 0 for any number
	window  time.Duration
	latency time.Duration
	jitter  time.Duration                   // how much longer a request may be on its way, and so may its answer
	after   func(wait time.Duration) string // the Retry-After header; nil for none
	atOnce  int                             // how many may be under way; 0 for any number
	codes   bool                            // whether a refusal says which limit it is
	others  time.Time                       // until then others use up everything
	passed  []time.Time
	refused int
	flying  int
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: req}
	l.mu.Lock()
	if l.atOnce > 0 && l.flying >= l.atOnce {
		defer l.mu.Unlock()
		l.refused++
		answer.StatusCode = http.StatusTooManyRequests
		if l.codes {
			answer.Body = io.NopCloser(strings.NewReader(`{"error_code":"ERR_TUNNEL_225"}`))
		}
		return answer, nil
	}
	l.flying++
	l.mu.Unlock()
	if l.jitter > 0 {
		time.Sleep(rand.N(l.jitter))
		defer func() { time.Sleep(rand.N(l.jitter)) }()
	}
	time.Sleep(l.latency)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.flying--
	now := time.Now()
	recent := 0
	for _, at := range l.passed {
		if now.Sub(at) < l.window {
			recent++
		}
	}
	if (l.limit == 0 || recent < l.limit) && !now.Before(l.others) {
		l.passed = append(l.passed, now)
		return answer, nil
	}
	l.refused++
	answer.StatusCode = http.StatusTooManyRequests
	if l.after != nil {
		answer.Header.Set("Retry-After", l.after(l.passed[len(l.passed)-l.limit].Add(l.window).Sub(now)))
	}
	return answer, nil
}

// send sends n requests, ten at a time, and returns how long that took.
func send(t *testing.T, p *pace, n int) time.Duration {
	t.Helper()
	begun := time.Now()
	next := make(chan struct{})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for range next {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://h/", strings.NewReader("body"))
				if err != nil {
					t.Error(err)
					return
				}
				resp, err := p.RoundTrip(req)
				if err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("got %v, %v", resp, err)
				}
			}
		})
	}
	for range n {
		next <- struct{}{}
	}
	close(next)
	wg.Wait()
	return time.Since(begun)
}

func TestPaceIsCloseToWhatTheLimitAllows(t *testing.T) {
	t.Parallel()
	seconds := func(wait time.Duration) string { return fmt.Sprint(int((wait + time.Second - 1) / time.Second)) }
	date := func(wait time.Duration) string {
		return time.Now().Add(wait + time.Second).UTC().Format(http.TimeFormat)
	}
	for _, test := range []struct {
		name   string
		limit  int
		window time.Duration
		jitter time.Duration
		after  func(time.Duration) string
		n      int
		most   float64       // times what is unavoidable
		above  time.Duration // by how much the window may be found too long
	}{
		{"120 in 3 s, no Retry-After", 120, 3 * time.Second, 0, nil, 500, 1.15, 350 * time.Millisecond},
		{"120 in 3 s, long run", 120, 3 * time.Second, 0, nil, 2000, 1.15, 350 * time.Millisecond},
		{"120 in 3 s, Retry-After", 120, 3 * time.Second, 0, seconds, 500, 1.05, 0},
		{"120 in 3 s, some slower", 120, 3 * time.Second, 100 * time.Millisecond, seconds, 500, 1.2, 0},
		{"120 in 60 s, no Retry-After", 120, time.Minute, 0, nil, 1000, 1.15, 7 * time.Second},
		{"120 in 60 s, seconds", 120, time.Minute, 0, seconds, 1000, 1.02, 0},
		{"120 in 60 s, a date", 120, time.Minute, 0, date, 1000, 1.03, time.Second},
		{"1 in 1 s", 1, time.Second, 0, nil, 30, 1.2, 5 * time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &limiter{limit: test.limit, window: test.window, latency: 10 * time.Millisecond, jitter: test.jitter, after: test.after}
				p := newPace(0, nil, l)
				took := send(t, p, test.n)
				least := time.Duration((test.n-1)/test.limit) * test.window
				t.Logf("%d requests took %s, the limit alone makes %s unavoidable (%.2f times); %d were refused; window %s",
					test.n, took, least, took.Seconds()/least.Seconds(), l.refused, p.window)
				if took.Seconds() > test.most*least.Seconds() {
					t.Errorf("took %s, more than %.2f times %s", took, test.most, least)
				}
				if p.window < test.window || p.window > test.window+test.above {
					t.Errorf("the window was found to be %s, and is %s", p.window, test.window)
				}
			})
		})
	}
}

// TestLostRequestsMayHaveBeenCountedLate sends as many requests as the limit
// allows, none of which is answered although all arrive, late.
func TestLostRequestsMayHaveBeenCountedLate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 10, window: 2 * time.Second, latency: 500 * time.Millisecond}
		lost := 0
		p := newPace(0, nil, transport(func(req *http.Request) (*http.Response, error) {
			resp, err := l.RoundTrip(req)
			if lost < 10 {
				lost++
				return nil, errors.New("connection reset")
			}
			return resp, err
		}))
		p.limit, p.window, p.tried = 10, 2*time.Second, time.Now().Add(time.Hour)
		for range 20 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://h/", nil)
			if err != nil {
				t.Fatal(err)
			}
			p.RoundTrip(req) //nolint:errcheck // half of them get lost
			if lost == 10 {
				l.latency = 0
			}
		}
		if l.refused > 0 {
			t.Errorf("%d requests were refused", l.refused)
		}
	})
}

// TestOnlyTheLastWordOfTheServiceCounts names a time at first which is too early,
// and none afterwards.
func TestOnlyTheLastWordOfTheServiceCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		said := false
		l := &limiter{limit: 20, window: 10 * time.Second, latency: time.Millisecond, after: func(time.Duration) string {
			if said {
				return ""
			}
			said = true
			return "1"
		}}
		p := newPace(0, nil, l)
		if send(t, p, 25); p.window < 10*time.Second {
			t.Errorf("the window was found to be %s, and is 10 s", p.window)
		}
	})
}

// TestShortPauseLeavesTheWindow has others use up everything for a time that is
// shorter than the window known.
func TestShortPauseLeavesTheWindow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 120, window: time.Minute, latency: time.Millisecond, after: func(wait time.Duration) string {
			return fmt.Sprint(int((wait + time.Second - 1) / time.Second))
		}}
		p := newPace(0, nil, l)
		send(t, p, 130)
		learnt := p.window
		time.Sleep(50 * time.Second)
		l.after, l.others = nil, time.Now().Add(5*time.Second)
		if send(t, p, 30); learnt != time.Minute || p.window != learnt {
			t.Errorf("the window was found to be %s, and after a short pause %s", learnt, p.window)
		}
	})
}

func TestKnownLimitIsNotExceeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 120, window: time.Minute, latency: 10 * time.Millisecond}
		if send(t, newPace(120, nil, l), 500); l.refused > 0 {
			t.Errorf("%d requests were refused, although requests_per_minute told the limit", l.refused)
		}
	})
}

func TestNoRequestsAreSentIntoAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 20, window: time.Minute, latency: 10 * time.Millisecond, after: func(wait time.Duration) string { return fmt.Sprint(int(wait/time.Second) + 1) }}
		send(t, newPace(0, nil, l), 100)
		// Ten are under way when the limit is first reached. Afterwards there is
		// one at a time: the probe, and four tries in each of five windows.
		if l.refused > 31 {
			t.Errorf("%d requests were refused: a herd", l.refused)
		}
	})
}

func TestOtherLimitsAreFoundToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 100, window: 2 * time.Second, latency: time.Millisecond}
		p := newPace(0, nil, l)
		send(t, p, 300)
		l.mu.Lock()
		l.limit = 400 // the others who shared the limit are gone
		l.mu.Unlock()
		if took := send(t, p, 4000); took > 40*time.Second {
			t.Errorf("took %s: the pace did not grow with the limit", took)
		}
	})
}

func TestShortRefusalsDoNotRuinThePace(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		service      *limiter
		perMinute, n int
		idle, atMost time.Duration
	}{
		"five at once":                      {&limiter{atOnce: 5, codes: true, latency: 50 * time.Millisecond}, 0, 200, 0, 3 * time.Second},
		"five at once, unsaid":              {&limiter{atOnce: 5, latency: 50 * time.Millisecond}, 0, 200, 0, 6 * time.Second},
		"two at once":                       {&limiter{atOnce: 2, codes: true, latency: 50 * time.Millisecond}, 0, 200, 0, 7 * time.Second},
		"five at once, limit given":         {&limiter{atOnce: 5, latency: 50 * time.Millisecond}, 6000, 100, 0, 5 * time.Second},
		"five at once after a time of rest": {&limiter{atOnce: 5, latency: 50 * time.Millisecond}, 0, 500, 50 * time.Second, 15 * time.Second},
		"others for a second":               {&limiter{others: time.Now().Add(time.Second), latency: 10 * time.Millisecond}, 600, 100, 0, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &limiter{atOnce: test.service.atOnce, codes: test.service.codes, latency: test.service.latency}
				if !test.service.others.IsZero() {
					l.others = time.Now().Add(time.Second)
				}
				p := newPace(test.perMinute, nil, l)
				if test.idle > 0 {
					send(t, p, 1)
					time.Sleep(test.idle)
				}
				took := send(t, p, test.n)
				t.Logf("%d requests took %s; %d were refused", test.n, took, l.refused)
				if took > test.atMost {
					t.Errorf("took %s, more than %s", took, test.atMost)
				}
			})
		})
	}
}

// TestPaceComesBackAfterOthers learns a small limit while others use most of
// it, and must not keep to it once they are gone.
func TestPaceComesBackAfterOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 10, window: time.Minute, latency: 10 * time.Millisecond}
		p := newPace(0, nil, l)
		send(t, p, 21)
		l.mu.Lock()
		l.limit = 120
		l.mu.Unlock()
		if took := send(t, p, 480); took > 10*time.Minute {
			t.Errorf("480 requests took %s at 120 a minute", took)
		} else {
			t.Log(took)
		}
	})
}

func TestProbeWithoutAnAnswerEndsNoPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{others: time.Now().Add(20 * time.Second)}
		lost := false
		p := newPace(0, nil, transport(func(req *http.Request) (*http.Response, error) {
			if time.Now().Before(l.others) && l.refused > 3 && !lost {
				lost = true
				return nil, errors.New("connection reset")
			}
			return l.RoundTrip(req)
		}))
		for range 2 {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://h/", nil)
			if err != nil {
				t.Fatal(err)
			}
			p.RoundTrip(req) //nolint:errcheck // the first one gets lost
			if lost && time.Now().Before(l.others) && p.paused.IsZero() {
				t.Error("a probe that nobody answered ended the pause")
			}
		}
		if !lost {
			t.Error("no probe got lost: the test shows nothing")
		}
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) { return t(req) }

func TestWaitIsNamedWhenTheDeadlineEndsIt(t *testing.T) {
	t.Parallel()
	warnings := atomic.Int32{}
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		apiError(w, http.StatusTooManyRequests, `{"msg":"slow down"}`)
	},
		func(c *Config) { c.Warn = func(context.Context, string, map[string]any) { warnings.Add(1) } })
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errors.New("not done within 300ms"))
	defer cancel()
	_, err := client.SSHCredentials().Get(ctx, "x")
	if err == nil || !strings.Contains(err.Error(), "not done within 300ms; it waited 0s for the service's rate limit") {
		t.Errorf("got %v", err)
	}
	if warnings.Load() != 1 {
		t.Errorf("%d warnings, want 1", warnings.Load())
	}
}
