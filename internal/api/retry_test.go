package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetry_dependsOnMethodAndFault(t *testing.T) {
	t.Parallel()
	calls := map[string]func(context.Context, *Client) error{
		"GET": func(ctx context.Context, c *Client) error {
			_, err := SSHCredentials.Of(c).Read(ctx, "x", time.Time{})
			return err
		},
		"POST": func(ctx context.Context, c *Client) error {
			_, err := SSHCredentials.Of(c).Create(ctx, SSHCredentialCreate{})
			return err
		},
		"PATCH": func(ctx context.Context, c *Client) error {
			_, err := SSHCredentials.Of(c).Update(ctx, "x", SSHCredentialUpdate{})
			return err
		},
		"PUT": func(ctx context.Context, c *Client) error {
			_, err := Compression.Of(c, "e", "r").Put(ctx, RouteModule{})
			return err
		},
		"DELETE": func(ctx context.Context, c *Client) error {
			return deletion(SSHCredentials.Of(c).Delete(ctx, "x", time.Time{}))
		},
	}
	idempotent := map[string]bool{"GET": true, "PATCH": true, "PUT": true, "DELETE": true}
	for _, test := range []struct {
		fault string
		spoil func(http.ResponseWriter)
		again map[string]bool
	}{
		{"500", func(w http.ResponseWriter) { apiError(w, 500, `{"msg":"oh"}`) }, idempotent},
		{"502", func(w http.ResponseWriter) { w.WriteHeader(502) }, idempotent},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(503) }, idempotent},
		{"504", func(w http.ResponseWriter) { w.WriteHeader(504) }, idempotent},
		{"a proxy's page", func(w http.ResponseWriter) { htmlPage(w, 200) }, idempotent},
		{"empty list", func(w http.ResponseWriter) { io.WriteString(w, "[]") }, idempotent},
		{"400", func(w http.ResponseWriter) { apiError(w, 400, `{"msg":"no"}`) }, nil},
		{"403", func(w http.ResponseWriter) { htmlPage(w, 403) }, nil},
		{"connection closed", hangUp, idempotent},
		{"truncated", breakOff, idempotent},
		// Without a length, the end of the connection is the end of the response.
		{"cut", func(w http.ResponseWriter) { answerRaw(w, "HTTP/1.0 200 OK\r\n\r\n{\"id\":\"x\",") }, idempotent},
	} {
		for method, call := range calls {
			t.Run(test.fault+" "+method, func(t *testing.T) {
				t.Parallel()
				var tries atomic.Int32
				client := serve(t, func(w http.ResponseWriter, r *http.Request) {
					switch {
					case r.Method != method: // the look for the object
						apiError(w, 403, `{"msg":"no"}`)
					case tries.Add(1) == 1:
						test.spoil(w)
					case method == http.MethodDelete:
						w.WriteHeader(204)
					default:
						io.WriteString(w, `{"id":"x","created_at":"2026-11-21T08:15:30Z"}`)
					}
				})
				err := call(t.Context(), client)
				if again := tries.Load() == 2; again != test.again[method] || again != (err == nil) {
					t.Errorf("%d tries, error %v; again should be %v", tries.Load(), err, test.again[method])
				}
			})
		}
	}
}

func TestRetry_ends(t *testing.T) {
	t.Parallel()
	for retries, want := range []string{"503 Service Unavailable: maintenance", "(2 attempts)", "(3 attempts)"} {
		var tries atomic.Int32
		inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
			tries.Add(1)
			w.Header().Set("Retry-After", "7")
			apiError(w, 503, `{"msg":"maintenance"}`)
		}, func(t *testing.T, client *Client) {
			begun := time.Now()
			_, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{})
			if int(tries.Load()) != retries+1 || strings.Contains(fmt.Sprint(err), "attempts") != (retries > 0) {
				t.Errorf("%d retries: %d tries, error %v", retries, tries.Load(), err)
			}
			contains(t, fmt.Sprint(err), "503 Service Unavailable: maintenance", want)
			if waited, least := time.Since(begun), time.Duration(retries)*7*time.Second; waited < least || waited > 2*least {
				t.Errorf("%d retries: waited %s, the service asked for %s", retries, waited, least)
			}
		}, func(c *Config) { c.MaxRetries = retries })
	}
}

// A wait that does not fit into the time of the operation is an error at once.
func TestRetry_retryAfterBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	for _, status := range []int{500, 502, 503, 504} {
		var tries atomic.Int32
		inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
			tries.Add(1)
			w.Header().Set("Retry-After", "3600")
			apiError(w, status, `{"msg":"maintenance"}`)
		}, func(t *testing.T, client *Client) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
			defer cancel()
			begun := time.Now()
			_, err := SSHCredentials.Of(client).Read(ctx, "x", time.Time{})
			if waited := time.Since(begun); waited > time.Second || tries.Load() != 1 {
				t.Errorf("%d: waited %s, and sent %d requests", status, waited, tries.Load())
			}
			contains(t, fmt.Sprint(err), "maintenance", "the service requires a wait of 1h0m0s (Retry-After: 3600), but only 20m0s are left")
		})
	}
}

func TestRetry_waitsWithinReason(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		attempt     int
		asked       time.Duration
		least, most time.Duration
	}{
		{1, 0, time.Second, 1500 * time.Millisecond},
		{90, 0, maxRetryWait, 2 * maxRetryWait},
		{1, 7 * time.Second, 7 * time.Second, 10500 * time.Millisecond},
		{1, 24 * time.Hour, 24 * time.Hour, 24*time.Hour + maxRetryWait},
	} {
		if got := backoff(minRetryWait, maxRetryWait, test.attempt, test.asked); got < test.least || got > test.most {
			t.Errorf("%+v: waits %s", test, got)
		}
	}
}

func TestRetry_isNotMadeIfNothingWillChange(t *testing.T) {
	t.Parallel()
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(untrusted.Close)
	client := New(testConfig(t, untrusted.URL))
	if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err == nil || strings.Contains(err.Error(), "attempts") {
		t.Errorf("tried again: %v", err)
	}
}

func TestRetry_endsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{}), fails: func(int) error { return syscall.ECONNREFUSED }}
		inBubbleOn(t, network, http.NotFound, func(t *testing.T, client *Client) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), 1200*time.Millisecond, errors.New("enough"))
			defer cancel()
			begun := time.Now()
			_, err := SSHCredentials.Of(client).Read(ctx, "x", time.Time{})
			if err == nil || time.Since(begun) > 1200*time.Millisecond || network.dials < 2 {
				t.Fatalf("after %s and %d attempts: %v", time.Since(begun), network.dials, err)
			}
			contains(t, err.Error(), "enough")
		})
	})
}
