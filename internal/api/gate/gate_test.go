package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGate_totalTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limit   limit
		n       int
		least   time.Duration // unavoidable with the limit and Retry-After
		ratio   float64       // maximum of the total time to least
		refused float64       // maximum share of refused requests
	}{
		"120 per 60 s":               {limit{120, time.Minute, 0, false}, 1000, 8 * time.Minute, 1.15, 0.3},
		"120 per 60 s, seconds":      {limit{120, time.Minute, 0, true}, 1000, 8 * time.Minute, 1.15, 0.3},
		"120 per 3 s, long":          {limit{120, 3 * time.Second, 0, false}, 4000, 99 * time.Second, 1.15, 0.3},
		"120 per 3 s, seconds, long": {limit{120, 3 * time.Second, 0, true}, 4000, 99 * time.Second, 1.15, 0.3},
		"3 at once, long":            {limit{0, 0, 3, false}, 3000, 1000 * latency, 1.8, 0.1},
		// Each 429 costs a whole second.
		"3 at once, seconds": {limit{0, 0, 3, true}, 3000, 1000 * latency, 5.2, 0.1},
		"1 per 1 s":          {limit{1, time.Second, 0, false}, 30, 29 * time.Second, 1.2, 0.9},
		"no limit":           {limit{}, 1000, 100 * latency, 1, 0},
	} {
		for _, parallel := range []int{10, 50} {
			t.Run(fmt.Sprintf("%s, parallelism %d", name, parallel), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := test.limit.service()
					g := New(maxConnections, 0, s)
					begun := time.Now()
					send(t, g, test.n, parallel)
					took := time.Since(begun)
					ratio := took.Seconds() / test.least.Seconds()
					refused := float64(len(s.sent)-test.n) / float64(len(s.sent))
					t.Logf("%d requests took %s, %.3f times %s; %.1f%% were refused", test.n, took, ratio, test.least, 100*refused)
					if ratio > test.ratio || refused > test.refused {
						t.Errorf("want at most %.2f times, %.0f%% refused", test.ratio, 100*test.refused)
					}
					if s.most > maxConnections || g.cap > maxConnections {
						t.Errorf("%d requests in flight, a cap of %d", s.most, g.cap)
					}
				})
			})
		}
	}
}

// TestGate_requestsPerMinute loses some responses. The service may have counted
// those requests too, at any time.
func TestGate_requestsPerMinute(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long with the race detector")
	}
	synctest.Test(t, func(t *testing.T) {
		limited := limit{requests: 120, window: time.Minute}.service()
		s := &service{answer: func(n int, req *http.Request) (*http.Response, error) {
			time.Sleep(rand.N(2 * time.Second))
			resp, err := limited.RoundTrip(req)
			time.Sleep(rand.N(2 * time.Second))
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("got %v, %v", resp, err)
			}
			if n%10 == 0 {
				return nil, errLost
			}
			return resp, err
		}}
		begun := time.Now()
		send(t, New(maxConnections, 120, s), 1000, 1000)
		if took := time.Since(begun); len(s.sent) != 1000 || took > 10*time.Minute {
			t.Errorf("%d requests took %s, the limit allows 8 min", len(s.sent), took)
		}
	})
}

// TestGate_times checks when requests are sent.
func TestGate_times(t *testing.T) {
	t.Parallel()
	const second = time.Second
	burst := func(retryAfter string) []reply {
		return slices.Repeat([]reply{{429, retryAfter, second}}, maxConnections)
	}
	for name, test := range map[string]struct {
		perMinute, n, parallel int
		replies                []reply
		want                   string
	}{
		"no Retry-After": {
			0, 1, 1, []reply{{429, "0", 0}, {429, "", 0}, {429, "soon", 0}, {429, "60", 0}, {429, "", 0}, {200, "", 0}},
			"0s 100ms 210ms 331ms 1m0.331s 1m5.331s",
		},
		// After the first burst: the probe, the increase up to half the cap, and one
		// more for every 20 responses.
		"opens with 1, 2, 4": {
			0, 35, 35, append(burst("10"), reply{200, "", second}),
			"10×0s 11s 12s 2×13s 4×14s 5×15s 5×16s 5×17s 6×18s 6×19s",
		},
		// The next request is the probe, and the cap halves only once.
		"the probe fails": {
			0, 19, 19, append(burst("5"), reply{0, "", second}, reply{429, "5", second}, reply{200, "", second}),
			"10×0s 6s 7s 13s 14s 2×15s 4×16s 5×17s 5×18s",
		},
		"Retry-After over 60 s": {1, 2, 2, []reply{{429, "90", 0}, {200, "", 0}}, "0s 1m30s 2m30s"},
		"late success":          {0, 2, 2, []reply{{429, "20", second}, {200, "", 6 * second}, {200, "", 0}}, "2×0s 21s"},
		"late 429, shorter":     {0, 2, 2, []reply{{429, "20", second}, {429, "1", 6 * second}, {200, "", 0}}, "2×0s 2×21s"},
		"late 429, longer":      {0, 2, 2, []reply{{429, "20", second}, {429, "30", 6 * second}, {200, "", 0}}, "2×0s 2×36s"},
		"late 429, then opened": {0, 2, 2, []reply{{429, "1", second}, {429, "60", 3 * second}, {200, "", 2 * second}}, "2×0s 2s 4s"},
		"late 429, after opening": {
			0, 8, 2, []reply{{429, "", second}, {429, "60", 5 * second}, {200, "", second}},
			"2×0s 1.1s 2.1s 3.1s 4.1s 5s 5.1s 6s 6.1s",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := replies(test.replies...)
				send(t, New(maxConnections, test.perMinute, s), test.n, test.parallel)
				if got := s.times(); got != test.want {
					t.Errorf("sent at %s\nwant    %s", got, test.want)
				}
			})
		})
	}
}

func TestRetryAfter_inEveryForm(t *testing.T) {
	t.Parallel()
	const limited = ", limited by the provider to 24h0m0s"
	now := time.Now()
	date := func(at time.Time) string { return at.UTC().Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		date   time.Time // of the response
		header string
		want   time.Duration
		text   string
	}{
		"none":              {now, "", 0, ""},
		"seconds":           {now, "7", 7 * time.Second, "7"},
		"date":              {now, date(now.Add(7 * time.Second)), 7 * time.Second, date(now.Add(7 * time.Second))},
		"clock is ahead":    {now.Add(7 * time.Hour), date(now.Add(8 * time.Hour)), time.Hour, date(now.Add(8 * time.Hour))},
		"clock is behind":   {now.Add(-7 * time.Hour), date(now.Add(-6 * time.Hour)), time.Hour, date(now.Add(-6 * time.Hour))},
		"past":              {now, date(now), 0, ""},
		"negative":          {now, "-1", 0, ""},
		"words":             {now, "soon", 0, ""},
		"a day":             {now, "86400", 24 * time.Hour, "86400"},
		"ten years":         {now, "315360000", 24 * time.Hour, "315360000" + limited},
		"year 9999":         {now, "Fri, 31 Dec 9999 23:59:59 GMT", 24 * time.Hour, "Fri, 31 Dec 9999 23:59:59 GMT" + limited},
		"more than 64 bits": {now, strings.Repeat("9", 50), 24 * time.Hour, strings.Repeat("9", 40) + limited},
	} {
		wait, text := RetryAfter(&http.Response{Header: http.Header{"Date": {date(test.date)}, "Retry-After": {test.header}}})
		if wait != test.want || text != test.text {
			t.Errorf("%s: got %s, %q", name, wait, text)
		}
	}
}

// TestGate_retryAfterBeyondTheDeadline checks that the gate rejects the refused
// request, a waiting request and a later request, but not a request with a
// later deadline.
func TestGate_retryAfterBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := replies(reply{429, "2", time.Second}, reply{429, "3600", time.Second}, reply{200, "", time.Second})
		g := New(maxConnections, 0, s)
		var wg sync.WaitGroup
		request := func(timeout time.Duration, wait, left string) {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), timeout)
				defer cancel()
				_, err := g.RoundTrip(newRequest(ctx, t))
				want := fmt.Sprintf("429 Too Many Requests: the service requires a wait of %s (Retry-After: 3600), but only %s are left", wait, left)
				if _, ok := errors.AsType[WaitError](err); left != "" && (!ok || err.Error() != want || ctx.Err() != nil) {
					t.Errorf("got %v, want %q before the deadline", err, want)
				} else if left == "" && err != nil {
					t.Errorf("there was time enough: %v", err)
				}
			})
		}
		request(20*time.Minute, "1h0m0s", "19m56s")
		time.Sleep(2 * time.Second)
		request(10*time.Minute, "1h0m0s", "9m58s")
		request(25*time.Hour, "", "")
		time.Sleep(12 * time.Second)
		request(time.Minute, "59m50s", "1m0s")
		wg.Wait()
		if len(s.sent) != 3 {
			t.Errorf("%d requests were sent, want 3", len(s.sent))
		}
	})
}

// TestGate_errorNamesTheWait ends a request after 50 seconds, while other requests keep
// the gate busy. The error names the wait if the request had too little time because of
// it, and a request that was never sent leaves nothing open.
func TestGate_errorNamesTheWait(t *testing.T) {
	t.Parallel()
	const rateLimit = " for the service's rate limit (429 Too Many Requests)"
	for name, test := range map[string]struct {
		perMinute, others int
		replies           []reply
		want              string
	}{
		"service":             {0, 1, []reply{{429, "3600", 0}}, "interrupted, after waiting 50s" + rateLimit},
		"requests_per_minute": {1, 1, []reply{{200, "", 0}}, "interrupted, after waiting 50s for requests_per_minute"},
		"slow requests":       {0, maxConnections, []reply{{200, "", time.Hour}}, "interrupted, after waiting 50s for other requests to finish"},
		"in flight":           {0, 0, []reply{{429, "1", 0}, {200, "", time.Hour}}, "connection reset, after waiting 1s" + rateLimit},
		"after a short wait":  {0, 0, []reply{{429, "", 0}, {200, "", time.Hour}}, "connection reset"},
		"another error":       {0, 0, []reply{{429, "40", 0}, {}}, "connection reset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := New(maxConnections, test.perMinute, replies(test.replies...))
				others, stop := context.WithCancel(t.Context())
				defer stop()
				for range test.others {
					other := newRequest(others, t)
					other.Body, other.GetBody = nil, nil
					go g.RoundTrip(other) //nolint:errcheck // they keep the gate busy
				}
				synctest.Wait()
				interrupted := errors.New("interrupted")
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(50*time.Second, func() { cancel(interrupted) })
				req, body := newRequest(ctx, t), &closing{Reader: strings.NewReader("")}
				req.Body = body
				_, err := g.RoundTrip(req)
				if err == nil || err.Error() != test.want || errors.Is(err, interrupted) != body.closed || !body.closed && !errors.Is(err, errLost) {
					t.Errorf("got  %v\nwant %s; the body is closed: %t", err, test.want, body.closed)
				}
			})
		})
	}
}

// TestGate_patience sends a request that is refused twice, for a second each, and by then
// waits for its whole patience or for less.
func TestGate_patience(t *testing.T) {
	t.Parallel()
	for patience, want := range map[time.Duration]struct {
		status, requests int
	}{
		0:                               {http.StatusTooManyRequests, 1},
		time.Second:                     {http.StatusTooManyRequests, 1},
		2 * time.Second:                 {http.StatusTooManyRequests, 2},
		2*time.Second + time.Nanosecond: {http.StatusOK, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := replies(reply{429, "1", 0}, reply{429, "1", 0}, reply{200, "", 0})
			resp, err := New(maxConnections, 0, s).RoundTrip(newRequest(WithPatience(t.Context(), patience), t))
			if err != nil || resp.StatusCode != want.status || len(s.sent) != want.requests {
				t.Errorf("%s: got %v, %v after %d requests, want %d after %d", patience, resp, err, len(s.sent), want.status, want.requests)
			}
		})
	}
}

// TestGate_sendsTheSameRequestAgain checks that a request whose body cannot be sent again
// gets the 429, with its body.
func TestGate_sendsTheSameRequestAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*http.Request)
		want   string
	}{
		"with a body":    {func(*http.Request) {}, "POST body, POST body"},
		"without a body": {func(req *http.Request) { req.Method, req.Body, req.GetBody = "DELETE", nil, nil }, "DELETE , DELETE "},
		"only once":      {func(req *http.Request) { req.GetBody = nil }, "POST body"},
	} {
		synctest.Test(t, func(t *testing.T) {
			refusal := &closing{Reader: strings.NewReader("{}")}
			var got []string
			g := New(maxConnections, 0, &service{answer: func(n int, req *http.Request) (*http.Response, error) {
				body := []byte{}
				if req.Body != nil {
					body, _ = io.ReadAll(req.Body) //nolint:errcheck // it is in memory
				}
				got = append(got, req.Method+" "+string(body))
				if n > 1 {
					return reply{status: http.StatusOK}.to(req)
				}
				return &http.Response{StatusCode: http.StatusTooManyRequests, Body: refusal}, nil
			}})
			req := newRequest(t.Context(), t)
			test.change(req)
			resp, err := g.RoundTrip(req)
			if err != nil || strings.Join(got, ", ") != test.want || refusal.closed != (resp.StatusCode == http.StatusOK) {
				t.Errorf("%s: sent %q, got %v, %v; the body of the 429 is closed: %v", name, got, resp, err, refusal.closed)
			}
		})
	}
}
