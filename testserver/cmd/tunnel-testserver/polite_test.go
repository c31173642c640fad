package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// scripted answers each request with the next status, and records the bodies.
type scripted struct {
	statuses []int // 0 is a closed connection
	header   http.Header
	bodies   []string
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	content, err := io.ReadAll(r.Body)
	s.bodies = append(s.bodies, string(content))
	status := s.statuses[min(len(s.bodies), len(s.statuses))-1]
	if status == 0 {
		err = errors.New("closed")
	}
	return &http.Response{StatusCode: status, Header: s.header, Body: http.NoBody}, err
}

// TestPolite_waits measures in virtual time how long a request waits, and how often it
// is sent.
func TestPolite_waits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method   string
		statuses []int
		header   http.Header
		sent     int
		status   int
		waited   time.Duration
	}{
		"seconds":        {"POST", []int{429, 429, 201}, http.Header{"Retry-After": {"7"}}, 3, 201, 14 * time.Second},
		"no Retry-After": {"PATCH", []int{429, 200}, nil, 2, 200, time.Second},
		"GET fails":      {"GET", []int{503, 0, 200}, nil, 3, 200, 3 * time.Second},
		"POST fails":     {"POST", []int{503, 201}, nil, 1, 503, 0},
		"POST is lost":   {"POST", []int{0, 201}, nil, 1, 0, 0},
		"too long":       {"POST", []int{429}, http.Header{"Retry-After": {"3600"}}, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := &scripted{statuses: test.statuses, header: test.header}
				p := newPolite(t.Context(), 0, io.Discard)
				p.next = service
				begin := time.Now()
				r, err := http.NewRequest(test.method, "http://localhost/x", strings.NewReader("body"))
				if err != nil {
					t.Fatal(err)
				}
				response, err := p.RoundTrip(r)
				if status := test.status; (err == nil) != (status != 0) || err == nil && response.StatusCode != status {
					t.Errorf("%v, %v", response, err)
				}
				if len(service.bodies) != test.sent || strings.Join(service.bodies, "") != strings.Repeat("body", test.sent) {
					t.Errorf("it sent %q, want %d requests", service.bodies, test.sent)
				}
				if waited := time.Since(begin); waited != test.waited {
					t.Errorf("it waited %s, want %s", waited, test.waited)
				}
			})
		})
	}
}

// TestPolite_requestsPerMinute sends 61 requests at 60 per minute.
func TestPolite_requestsPerMinute(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var messages bytes.Buffer
		p := newPolite(t.Context(), 60, &messages)
		p.next = &scripted{statuses: []int{200}}
		begin := time.Now()
		for range 61 {
			r, err := http.NewRequest(http.MethodGet, "http://localhost/x", nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.RoundTrip(r); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begin); took != time.Minute {
			t.Errorf("it took %s", took)
		}
	})
}
