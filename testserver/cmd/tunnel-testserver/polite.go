package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// polite is a transport for a service that others use as well. It sends one request at
// a time, keeps to a number of requests per minute, and waits after a 429. A request
// that may have been processed is sent again only if it is a GET.
type polite struct {
	next     http.RoundTripper
	running  context.Context // waits end with it, because a waiting request was not processed
	interval time.Duration   // between requests; 0 means no limit
	earliest time.Time       // of the next request
	messages io.Writer
	failing  bool // the last GET failed with each attempt, so another one is not repeated
}

// newPolite returns a transport for at most perMinute requests a minute; 0 means no
// limit.
func newPolite(ctx context.Context, perMinute int, messages io.Writer) *polite {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = requestTimeout
	p := &polite{next: transport, running: ctx, messages: messages}
	if perMinute > 0 {
		p.interval = time.Minute / time.Duration(perMinute)
	}
	return p
}

// RoundTrip sends a request until the service processes it.
func (p *polite) RoundTrip(r *http.Request) (*http.Response, error) {
	var content []byte
	if r.Body != nil {
		var err error
		if content, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	for attempt := 1; ; attempt++ {
		if err := p.sleep(time.Until(p.earliest)); err != nil {
			return nil, err
		}
		p.earliest = time.Now().Add(p.interval)
		again := r.Clone(r.Context())
		again.GetBody, again.Body = nil, http.NoBody
		again.Header.Set("User-Agent", "tunnel-testserver")
		if len(content) > 0 {
			again.Body = io.NopCloser(bytes.NewReader(content))
		}
		response, err := p.next.RoundTrip(again)
		wait := time.Duration(0)
		fails := r.Method == http.MethodGet && (err != nil || response.StatusCode >= http.StatusInternalServerError)
		switch {
		case err == nil && response.StatusCode == http.StatusTooManyRequests:
			wait = retryAfter(response.Header)
			fmt.Fprintf(p.messages, "waiting %s: the service answered 429 Too Many Requests\n", wait)
			if wait > longestWait {
				return nil, fmt.Errorf("the service asks to wait %s", wait)
			}
			attempt--
		case fails && attempt < maxAttempts && !p.failing:
			wait = time.Duration(attempt) * time.Second
		default:
			if r.Method == http.MethodGet {
				p.failing = fails
			}
			return response, err
		}
		if err == nil {
			_ = response.Body.Close()
		}
		if err := p.sleep(wait); err != nil {
			return nil, err
		}
	}
}

func (p *polite) sleep(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-p.running.Done():
		return errors.New("interrupted")
	}
}

// retryAfter returns how long a 429 asks to wait, at least a second.
func retryAfter(header http.Header) time.Duration {
	seconds, _ := strconv.Atoi(header.Get("Retry-After")) // 0 for a date
	return max(time.Duration(seconds)*time.Second, time.Second)
}
