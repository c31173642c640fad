package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// limiter is a service that allows so many requests in any window, and takes a
// little time for each. It is only used inside a synctest bubble, where time
// passes only while everybody waits.
type limiter struct {
	mu      sync.Mutex
	limit   int
	window  time.Duration
	latency time.Duration
	after   func(wait time.Duration) string // the Retry-After header; nil for none
	passed  []time.Time
	refused int
}

func (l *limiter) RoundTrip(req *http.Request) (*http.Response, error) {
	time.Sleep(l.latency)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: req}
	recent := 0
	for _, at := range l.passed {
		if now.Sub(at) < l.window {
			recent++
		}
	}
	if recent < l.limit {
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

// run sends n requests, ten at a time, and returns how long that took.
func (l *limiter) run(t *testing.T, n, perMinute int) time.Duration {
	t.Helper()
	p := newPace(perMinute, nil, l)
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
		after  func(time.Duration) string
		n      int
	}{
		{"120 in 3 s, no Retry-After", 120, 3 * time.Second, nil, 500},
		{"120 in 3 s, long run", 120, 3 * time.Second, nil, 2000},
		{"120 in 3 s, Retry-After", 120, 3 * time.Second, seconds, 500},
		{"120 in 60 s, no Retry-After", 120, time.Minute, nil, 1000},
		{"120 in 60 s, seconds", 120, time.Minute, seconds, 1000},
		{"120 in 60 s, a date", 120, time.Minute, date, 1000},
		{"1 in 1 s", 1, time.Second, nil, 30},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &limiter{limit: test.limit, window: test.window, latency: 10 * time.Millisecond, after: test.after}
				took := l.run(t, test.n, 0)
				least := time.Duration((test.n-1)/test.limit) * test.window
				t.Logf("%d requests took %s, the limit alone makes %s unavoidable (%.2f times); %d were refused",
					test.n, took, least, took.Seconds()/least.Seconds(), l.refused)
				if took.Seconds() > 1.2*least.Seconds() {
					t.Errorf("took %s, more than 1.2 times %s", took, least)
				}
			})
		})
	}
}

func TestKnownLimitIsNotExceeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 120, window: time.Minute, latency: 10 * time.Millisecond}
		if l.run(t, 500, 120); l.refused > 0 {
			t.Errorf("%d requests were refused, although requests_per_minute told the limit", l.refused)
		}
	})
}

func TestNoRequestsAreSentIntoAPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 20, window: time.Minute, latency: 10 * time.Millisecond, after: func(wait time.Duration) string { return fmt.Sprint(int(wait/time.Second) + 1) }}
		l.run(t, 100, 0)
		// Ten are under way when the limit is first reached; afterwards one probes.
		if l.refused > 20 {
			t.Errorf("%d requests were refused: a herd", l.refused)
		}
	})
}

func TestOtherLimitsAreFoundToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &limiter{limit: 100, window: 2 * time.Second, latency: time.Millisecond}
		p := newPace(0, nil, l)
		send := func(n int) {
			for range n {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://h/", nil)
				if err != nil {
					t.Fatal(err)
				}
				if resp, err := p.RoundTrip(req); err != nil || resp.StatusCode != http.StatusOK {
					t.Fatalf("%v %v", resp, err)
				}
			}
		}
		send(300)
		l.mu.Lock()
		l.limit = 400 // the others who shared the limit are gone
		l.mu.Unlock()
		begun := time.Now()
		send(4000)
		if took := time.Since(begun); took > 40*time.Second {
			t.Errorf("took %s: the pace did not grow with the limit", took)
		}
	})
}

func TestWaitIsNamedWhenTheDeadlineEndsIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		warnings := 0
		p := newPace(0, func(context.Context, string, map[string]any) { warnings++ }, &limiter{limit: 0, window: time.Minute})
		ctx, cancel := context.WithTimeoutCause(t.Context(), 90*time.Second, errors.New("not done within 1m30s"))
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://h/", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.RoundTrip(req)
		if err == nil || !strings.Contains(err.Error(), "not done within 1m30s; it waited 1m30s for the service's rate limit") {
			t.Errorf("got %v", err)
		}
		if warnings != 1 {
			t.Errorf("%d warnings, want 1", warnings)
		}
	})
}
