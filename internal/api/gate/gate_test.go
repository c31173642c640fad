package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

const maxConnections = 10

// limitedService allows a number of requests within any window, or a number of
// simultaneous requests, and answers the others with 429. It works only inside
// a synctest bubble.
type limitedService struct {
	limit   int // requests per window; 0 for no limit
	window  time.Duration
	atOnce  int // requests in flight; 0 for no limit
	latency time.Duration
	header  func(wait time.Duration) string // Retry-After; nil for none

	mu       sync.Mutex
	arrived  []time.Time // all requests
	accepted []time.Time // those that were not refused
	inFlight int
	most     int // maximum of inFlight
}

func (s *limitedService) RoundTrip(req *http.Request) (*http.Response, error) {
	s.arrive()
	time.Sleep(s.latency / 2)
	wait := s.handle()
	time.Sleep(s.latency / 2)
	s.mu.Lock()
	s.inFlight--
	s.mu.Unlock()
	if wait == 0 {
		return respond(req, http.StatusOK, ""), nil
	}
	if s.header == nil {
		return respond(req, http.StatusTooManyRequests, ""), nil
	}
	return respond(req, http.StatusTooManyRequests, s.header(wait-s.latency/2)), nil
}

func (s *limitedService) arrive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived = append(s.arrived, time.Now())
	s.inFlight++
	s.most = max(s.most, s.inFlight)
}

// handle returns 0 if it accepts a request, or else how long the request has to
// wait.
func (s *limitedService) handle() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.atOnce > 0 {
		working := 0
		for _, at := range s.accepted {
			if now.Sub(at) < s.latency {
				working++
			}
		}
		if working >= s.atOnce {
			return time.Second
		}
	}
	if s.limit > 0 && len(s.accepted) >= s.limit {
		if free := s.accepted[len(s.accepted)-s.limit].Add(s.window); free.After(now) {
			return free.Sub(now)
		}
	}
	s.accepted = append(s.accepted, now)
	return 0
}

func respond(req *http.Request, status int, retryAfter string) *http.Response {
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), Request: req}
	if retryAfter != "" {
		resp.Header.Set("Retry-After", retryAfter)
	}
	return resp
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

func newRequest(ctx context.Context, t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://h/", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// send sends n requests, some of them in parallel, and returns how long all of
// them take.
func send(t *testing.T, g *Gate, n, parallel int) time.Duration {
	t.Helper()
	begun := time.Now()
	requests := make(chan *http.Request)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for req := range requests {
				if resp, err := g.RoundTrip(req); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("got %v, %v", resp, err)
				}
			}
		})
	}
	for range n {
		requests <- newRequest(t.Context(), t)
	}
	close(requests)
	wg.Wait()
	return time.Since(begun)
}

func inSeconds(wait time.Duration) string {
	return strconv.Itoa(int((wait + time.Second - 1) / time.Second))
}

// asDate rounds up, because a date has whole seconds only.
func asDate(wait time.Duration) string {
	return time.Now().Add(wait + time.Second - 1).UTC().Format(http.TimeFormat)
}

func TestGate_totalTime(t *testing.T) {
	t.Parallel()
	const latency = 20 * time.Millisecond
	for _, test := range []struct {
		name    string
		service *limitedService
		n       int
		least   time.Duration // unavoidable with the limit and Retry-After
		ratio   float64       // maximum of the total time to least
		refused float64       // maximum share of refused requests
	}{
		{"120 per 60 s", &limitedService{limit: 120, window: time.Minute}, 1000, 8 * time.Minute, 1.15, 0.3},
		{"120 per 60 s, seconds", &limitedService{limit: 120, window: time.Minute, header: inSeconds}, 1000, 8 * time.Minute, 1.15, 0.3},
		{"120 per 60 s, date", &limitedService{limit: 120, window: time.Minute, header: asDate}, 1000, 8 * time.Minute, 1.15, 0.3},
		{"120 per 3 s, long", &limitedService{limit: 120, window: 3 * time.Second}, 4000, 99 * time.Second, 1.15, 0.3},
		{"120 per 3 s, seconds, long", &limitedService{limit: 120, window: 3 * time.Second, header: inSeconds}, 4000, 99 * time.Second, 1.15, 0.3},
		// A date is the next whole second: 3.01 s after the first request
		// becomes 4 s.
		{"120 per 3 s, date", &limitedService{limit: 120, window: 3 * time.Second, header: asDate}, 1000, 32 * time.Second, 1.15, 0.3},
		{"3 at once, long", &limitedService{atOnce: 3}, 3000, 1000 * latency, 1.8, 0.1},
		// Each 429 costs a whole second.
		{"3 at once, seconds", &limitedService{atOnce: 3, header: inSeconds}, 3000, 1000 * latency, 5.2, 0.1},
		{"1 per 1 s", &limitedService{limit: 1, window: time.Second}, 30, 29 * time.Second, 1.2, 0.9},
		{"no limit", &limitedService{}, 1000, 100 * latency, 1, 0},
	} {
		for _, parallel := range []int{10, 50} {
			t.Run(fmt.Sprintf("%s, parallelism %d", test.name, parallel), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := &limitedService{limit: test.service.limit, window: test.service.window, atOnce: test.service.atOnce,
						header: test.service.header, latency: latency}
					g := New(maxConnections, 0, s)
					took := send(t, g, test.n, parallel)
					ratio := took.Seconds() / test.least.Seconds()
					refused := float64(len(s.arrived)-test.n) / float64(len(s.arrived))
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
		s := &limitedService{limit: 120, window: time.Minute}
		var sent atomic.Int32
		g := New(maxConnections, 120, roundTripFunc(func(req *http.Request) (*http.Response, error) {
			lost := sent.Add(1)%10 == 0
			time.Sleep(rand.N(2 * time.Second))
			resp, err := s.RoundTrip(req)
			time.Sleep(rand.N(2 * time.Second))
			if lost {
				return nil, errors.New("connection reset")
			}
			return resp, err
		}))
		begun := time.Now()
		var wg sync.WaitGroup
		for range 1000 {
			req := newRequest(t.Context(), t)
			wg.Go(func() { g.RoundTrip(req) }) //nolint:errcheck // some are lost
		}
		wg.Wait()
		if len(s.arrived) != 1000 || len(s.accepted) != 1000 {
			t.Errorf("%d requests were sent and %d accepted, want 1000 each", len(s.arrived), len(s.accepted))
		}
		if took := time.Since(begun); took > 10*time.Minute {
			t.Errorf("took %s, the limit allows 8 min", took)
		}
	})
}

func TestGate_retryAfterBeyondTheMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := replies(reply{429, "90", 0}, reply{200, "", 0})
		send(t, New(maxConnections, 1, s), 2, 2)
		if want := "[0s 1m30s 2m30s]"; fmt.Sprint(s.sent) != want {
			t.Errorf("sent at %v, want %s", s.sent, want)
		}
	})
}

// script is a service that answers requests by their number.
type script struct {
	answer func(n int, req *http.Request) (*http.Response, error)

	mu   sync.Mutex
	sent []time.Duration // since the first request
	zero time.Time
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	if s.zero.IsZero() {
		s.zero = time.Now()
	}
	s.sent = append(s.sent, time.Since(s.zero))
	n := len(s.sent)
	s.mu.Unlock()
	return s.answer(n, req)
}

// A reply is a response, and how long it takes.
type reply struct {
	status     int
	retryAfter string
	after      time.Duration
}

// replies returns a service that gives these replies, and the last one for ever.
func replies(all ...reply) *script {
	return &script{answer: func(n int, req *http.Request) (*http.Response, error) {
		next := all[min(n, len(all))-1]
		time.Sleep(next.after)
		return respond(req, next.status, next.retryAfter), nil
	}}
}

func TestGate_waitWithoutRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := replies(append(slices.Repeat([]reply{{429, "0", 0}}, 99), reply{200, "", 0})...)
		send(t, New(maxConnections, 0, s), 1, 1)
		for n, at := range s.sent[1:] {
			before := s.sent[n]
			if want := min(100*time.Millisecond+before/10, 5*time.Second); at-before != want {
				t.Errorf("probe %d came %s after the one before, want %s", n+1, at-before, want)
			}
		}
	})
}

func TestGate_opensWithOneTwoFour(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := replies(append(slices.Repeat([]reply{{429, "10", time.Second}}, maxConnections), reply{200, "", time.Second})...)
		send(t, New(maxConnections, 0, s), 200, 50)
		perSecond := map[time.Duration]int{}
		for _, at := range s.sent {
			perSecond[at/time.Second]++
		}
		// After the first burst: the probe, the increase up to half the cap,
		// and one more for every 20 responses.
		got := []int{}
		for second := range time.Duration(20) {
			got = append(got, perSecond[second])
		}
		want := []int{10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 4, 5, 5, 5, 6, 6}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("requests in each second: %v, want %v", got, want)
		}
	})
}

// TestGate_answersFromBeforeItClosed has a slow request in flight when the gate
// closes: the second one.
func TestGate_answersFromBeforeItClosed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		replies []reply
		n       int
		sent    string // when all requests are sent
	}{
		"a success does not open it": {
			[]reply{{429, "20", time.Second}, {200, "", 6 * time.Second}, {200, "", 0}}, 2, "[0s 0s 21s]",
		},
		"a 429 does not shorten the wait": {
			[]reply{{429, "20", time.Second}, {429, "1", 6 * time.Second}, {200, "", 0}}, 2, "[0s 0s 21s 21s]",
		},
		"a later Retry-After counts": {
			[]reply{{429, "20", time.Second}, {429, "30", 6 * time.Second}, {200, "", 0}}, 2, "[0s 0s 36s 36s]",
		},
		"the success of the probe cancels it": {
			[]reply{{429, "1", time.Second}, {429, "60", 3 * time.Second}, {200, "", 2 * time.Second}}, 2, "[0s 0s 2s 4s]",
		},
		"a 429 does not close it again": {
			[]reply{{429, "", time.Second}, {429, "60", 5 * time.Second}, {200, "", time.Second}}, 8, "[0s 0s 1.1s 2.1s 3.1s 4.1s 5s 5.1s 6s 6.1s]",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := replies(test.replies...)
				send(t, New(maxConnections, 0, s), test.n, 2)
				if fmt.Sprint(s.sent) != test.sent {
					t.Errorf("sent at %v, want %s", s.sent, test.sent)
				}
			})
		})
	}
}

// TestGate_probeWithoutAnswer checks that the next request becomes the probe if
// the probe fails or is canceled.
func TestGate_probeWithoutAnswer(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*http.Request) error{
		"error": func(*http.Request) error { return errors.New("connection reset") },
		"canceled": func(req *http.Request) error {
			req.Context().Value(cancelKey{}).(context.CancelFunc)()
			return context.Cause(req.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{}
				s.answer = func(n int, req *http.Request) (*http.Response, error) {
					if n == 2 {
						return nil, fail(req)
					}
					return respond(req, http.StatusTooManyRequests, "5"), nil
				}
				g := New(maxConnections, 0, s)
				var wg sync.WaitGroup
				for range 100 {
					wg.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
						defer cancel()
						if _, err := g.RoundTrip(newRequest(context.WithValue(ctx, cancelKey{}, cancel), t)); err == nil {
							t.Error("succeeded")
						}
					})
					synctest.Wait()
				}
				wg.Wait()
				for n := 3; n < len(s.sent); n++ {
					if s.sent[n]-s.sent[n-1] < 4*time.Second {
						t.Errorf("sent at %v, want one probe after each 5 s", s.sent)
					}
				}
				if g.cap != maxConnections/2 { // it halves each time
					t.Errorf("the cap is %d, although the gate closed once", g.cap)
				}
			})
		})
	}
}

type cancelKey struct{}

// TestGate_retryAfterBeyondTheDeadline checks that the gate rejects the refused
// request, a waiting request and a later request, but not a request with a
// later deadline.
func TestGate_retryAfterBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	const unlimited = ", limited by the provider to 24h0m0s"
	date := time.Date(2000, 1, 1, 1, 0, 4, 0, time.UTC).Format(http.TimeFormat) // a bubble begins on 2000-01-01
	for name, test := range map[string]struct {
		header, text string
		wait         time.Duration
	}{
		"seconds":           {"3600", "3600", time.Hour},
		"date":              {date, date, time.Hour},
		"ten years":         {"315360000", "315360000" + unlimited, 24 * time.Hour},
		"year 9999":         {"Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 GMT" + unlimited, 24 * time.Hour},
		"more than 64 bits": {strings.Repeat("9", 50), strings.Repeat("9", 40) + unlimited, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := replies(reply{429, "2", time.Second}, reply{429, test.header, time.Second}, reply{200, "", time.Second})
				g := New(maxConnections, 0, s)
				var wg sync.WaitGroup
				rejected := func(timeout time.Duration, want string) {
					wg.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), timeout)
						defer cancel()
						_, err := g.RoundTrip(newRequest(ctx, t))
						if _, ok := errors.AsType[WaitError](err); !ok || err.Error() != want || ctx.Err() != nil {
							t.Errorf("got %v, want %q before the deadline", err, want)
						}
					})
				}
				required := func(wait time.Duration, left string) string {
					return fmt.Sprintf("429 Too Many Requests: the service requires a wait of %s (Retry-After: %s), but only %s are left", wait, test.text, left)
				}
				rejected(20*time.Minute, required(test.wait, "19m56s"))
				time.Sleep(2 * time.Second)
				rejected(10*time.Minute, required(test.wait, "9m58s"))
				wg.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), 25*time.Hour)
					defer cancel()
					if _, err := g.RoundTrip(newRequest(ctx, t)); err != nil {
						t.Errorf("there was time enough: %v", err)
					}
				})
				time.Sleep(12 * time.Second)
				rejected(time.Minute, required(test.wait-10*time.Second, "1m0s"))
				wg.Wait()
				if len(s.sent) != 3 {
					t.Errorf("%d requests were sent, want 3", len(s.sent))
				}
			})
		})
	}
}

func TestGate_canceledWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		perMinute, others int
		answer            func(*http.Request) (*http.Response, error)
		want              string
	}{
		"service": {0, 1, func(req *http.Request) (*http.Response, error) {
			return respond(req, http.StatusTooManyRequests, "3600"), nil
		}, "the service's rate limit (429 Too Many Requests)"},
		"requests_per_minute": {1, 1, func(req *http.Request) (*http.Response, error) {
			return respond(req, http.StatusOK, ""), nil
		}, "requests_per_minute"},
		"slow requests": {0, maxConnections, func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}, "other requests to finish"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := New(maxConnections, test.perMinute, roundTripFunc(test.answer))
				others, stop := context.WithCancel(t.Context())
				for range test.others {
					go g.RoundTrip(newRequest(others, t)) //nolint:errcheck // they keep the gate busy
				}
				synctest.Wait()
				stopped := errors.New("interrupted")
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(50*time.Second, func() { cancel(stopped) })
				begun := time.Now()
				_, err := g.RoundTrip(newRequest(ctx, t))
				if took := time.Since(begun); !errors.Is(err, stopped) || took < 50*time.Second || took > 51*time.Second {
					t.Errorf("after %s: %v", took, err)
				}
				waited, ok := errors.AsType[WaitError](err)
				if !ok || waited.limit != test.want || waited.waited < 40*time.Second || !strings.HasPrefix(err.Error(), "interrupted, after waiting ") {
					t.Errorf("got %v (waited %s), want a wait for %s", err, waited.waited, test.want)
				}
				stop()
			})
		})
	}
}

// TestGate_failureAfterWait checks that the error of a request names the wait before it
// only if the request had too little time because of it.
func TestGate_failureAfterWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		retryAfter string
		ends       bool // whether the context ends while the request is in flight
		want       string
	}{
		"a second":           {"1", true, "no answer, after waiting 1s for the service's rate limit (429 Too Many Requests)"},
		"a minute":           {"60", true, "no answer, after waiting 1m0s for the service's rate limit (429 Too Many Requests)"},
		"less than a second": {"", true, "no answer"},
		"another error":      {"60", false, "no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, end := context.WithCancel(t.Context())
				defer end()
				sent := 0
				g := New(maxConnections, 0, roundTripFunc(func(req *http.Request) (*http.Response, error) {
					if sent++; sent == 1 {
						return respond(req, http.StatusTooManyRequests, test.retryAfter), nil
					}
					if test.ends {
						end()
					}
					return nil, errors.New("no answer")
				}))
				if _, err := g.RoundTrip(newRequest(ctx, t)); err == nil || err.Error() != test.want {
					t.Errorf("got %v, want %s", err, test.want)
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
		t.Run(patience.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := replies(reply{429, "1", 0}, reply{429, "1", 0}, reply{200, "", 0})
				resp, err := New(maxConnections, 0, s).RoundTrip(newRequest(WithPatience(t.Context(), patience), t))
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				if resp.StatusCode != want.status || len(s.sent) != want.requests {
					t.Errorf("status %d after %d requests, want %d after %d", resp.StatusCode, len(s.sent), want.status, want.requests)
				}
			})
		})
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestGate_sendsTheSameRequestAgain(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete} {
		synctest.Test(t, func(t *testing.T) {
			refusal := &closing{Reader: strings.NewReader("{}")}
			var got []string
			g := New(maxConnections, 0, roundTripFunc(func(req *http.Request) (*http.Response, error) {
				body := []byte{}
				if req.Body != nil {
					body, _ = io.ReadAll(req.Body) //nolint:errcheck // it is in memory
				}
				got = append(got, req.Method+" "+req.Header.Get("X")+" "+string(body))
				if len(got) == 1 {
					resp := respond(req, http.StatusTooManyRequests, "")
					resp.Body = refusal
					return resp, nil
				}
				return respond(req, http.StatusOK, ""), nil
			}))
			req := newRequest(t.Context(), t)
			if req.Method = method; method == http.MethodGet {
				req.Body, req.GetBody = nil, nil
			}
			req.Header.Set("X", "header")
			resp, err := g.RoundTrip(req)
			if err != nil || resp.StatusCode != http.StatusOK || len(got) != 2 || got[0] != got[1] || !refusal.closed {
				t.Errorf("sent %q, got %v, %v; the body of the 429 is closed: %v", got, resp, err, refusal.closed)
			}
		})
	}
}

// TestGate_bodyIsClosed checks that a request that is never sent leaves nothing open.
func TestGate_bodyIsClosed(t *testing.T) {
	t.Parallel()
	g := New(0, 0, nil) // admits nothing
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	req, body := newRequest(ctx, t), &closing{}
	for _, req.Body = range []io.ReadCloser{body, nil} {
		if _, err := g.RoundTrip(req); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if !body.closed {
		t.Error("the body is open")
	}
}

// TestGate_bodyThatCannotBeSentAgain checks that the caller gets the 429.
func TestGate_bodyThatCannotBeSentAgain(t *testing.T) {
	t.Parallel()
	g := New(maxConnections, 0, roundTripFunc(func(req *http.Request) (*http.Response, error) {
		return respond(req, http.StatusTooManyRequests, ""), nil
	}))
	req := newRequest(t.Context(), t)
	req.GetBody = nil
	if resp, err := g.RoundTrip(req); err != nil || resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("got %v, %v", resp, err)
	}
}
