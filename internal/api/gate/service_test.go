package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	maxConnections = 10
	latency        = 20 * time.Millisecond // of a service with a limit
)

var errLost = errors.New("connection reset")

// A service answers requests by their number. It works only inside a synctest bubble.
type service struct {
	answer func(n int, req *http.Request) (*http.Response, error)

	mu             sync.Mutex
	begun          time.Time
	sent           []time.Duration // since the first request
	inFlight, most int
}

func (s *service) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	if s.begun.IsZero() {
		s.begun = time.Now()
	}
	s.sent = append(s.sent, time.Since(s.begun))
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	n := len(s.sent)
	s.mu.Unlock()
	resp, err := s.answer(n, req)
	s.mu.Lock()
	s.inFlight--
	s.mu.Unlock()
	return resp, err
}

// times returns when the requests were sent, such as "2×0s 21s".
func (s *service) times() string {
	var all []string
	for i, n := 0, 0; i < len(s.sent); i++ {
		if n++; i+1 < len(s.sent) && s.sent[i+1] == s.sent[i] {
			continue
		}
		all = append(all, strings.TrimPrefix(fmt.Sprintf("%d×%s", n, s.sent[i]), "1×"))
		n = 0
	}
	return strings.Join(all, " ")
}

// A reply is a response, and how long it takes. Without a status, it is an error.
type reply struct {
	status     int
	retryAfter string
	after      time.Duration
}

// replies returns a service that gives these replies, and the last one for ever.
func replies(all ...reply) *service {
	return &service{answer: func(n int, req *http.Request) (*http.Response, error) {
		next := all[min(n, len(all))-1]
		select {
		case <-time.After(next.after):
		case <-req.Context().Done():
			return nil, errLost
		}
		return next.to(req)
	}}
}

func (r reply) to(req *http.Request) (*http.Response, error) {
	if r.status == 0 {
		return nil, errLost
	}
	header := http.Header{"Retry-After": {r.retryAfter}}
	return &http.Response{StatusCode: r.status, Header: header, Body: io.NopCloser(strings.NewReader("{}")), Request: req}, nil
}

// A limit is how many requests a service accepts in any window, or at once; 0 is any
// number. The others get a 429.
type limit struct {
	requests   int
	window     time.Duration
	atOnce     int
	retryAfter bool // 429s have one, in seconds
}

func (l limit) service() *service {
	var mu sync.Mutex
	var accepted []time.Time
	wait := func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		now, n := time.Now(), len(accepted)
		if l.atOnce > 0 && n >= l.atOnce && now.Sub(accepted[n-l.atOnce]) < latency {
			return time.Second
		}
		if l.requests > 0 && n >= l.requests && now.Sub(accepted[n-l.requests]) < l.window {
			return accepted[n-l.requests].Add(l.window).Sub(now)
		}
		accepted = append(accepted, now)
		return 0
	}
	return &service{answer: func(_ int, req *http.Request) (*http.Response, error) {
		time.Sleep(latency / 2)
		answer := reply{status: http.StatusOK}
		if wait := wait(); wait > 0 {
			answer.status = http.StatusTooManyRequests
			if l.retryAfter {
				answer.retryAfter = fmt.Sprint(int((wait + time.Second - 1) / time.Second))
			}
		}
		time.Sleep(latency / 2)
		return answer.to(req)
	}}
}

// A closing body knows whether it is closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func newRequest(ctx context.Context, t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://h/", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// send sends n requests, some of them in parallel. Only the service may lose one.
func send(t *testing.T, g *Gate, n, parallel int) {
	t.Helper()
	requests := make(chan *http.Request)
	var wg sync.WaitGroup
	for range parallel {
		wg.Go(func() {
			for req := range requests {
				if resp, err := g.RoundTrip(req); !errors.Is(err, errLost) && (err != nil || resp.StatusCode != http.StatusOK) {
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
}
