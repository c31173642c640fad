package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestGate_retryAfterBeyondTheDeadlineIsNotRetried(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.Header().Set("Retry-After", "3600")
		apiError(w, http.StatusTooManyRequests, `{"msg":"slow down"}`)
	}, func(t *testing.T, client *Client) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		begun := time.Now()
		_, err := SSHCredentials.Of(client).Create(ctx, SSHCredentialCreate{})
		if err == nil || !strings.HasPrefix(err.Error(), "create SSH credential: 429 Too Many Requests: the service requires a wait of ") || PossiblyProcessed(err) || requests.Load() != 1 || time.Since(begun) > 0 {
			t.Errorf("after %s and %d requests: %v", time.Since(begun), requests.Load(), err)
		}
	})
}

// TestGate_deadlineAfterAWait checks the error if the deadline ends a request
// that had to wait before it was sent.
func TestGate_deadlineAfterAWait(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			w.Header().Set("Retry-After", "1")
			apiError(w, http.StatusTooManyRequests, `{"msg":"slow down"}`)
			return
		}
		select {
		case <-r.Context().Done():
		case <-time.After(10 * time.Second):
		}
	})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, errors.New("not done within 3s"))
	defer cancel()
	_, err := SSHCredentials.Of(client).Read(ctx, "x", time.Time{})
	if err == nil || !strings.HasPrefix(err.Error(), "read SSH credential x: not done within 3s, after waiting 1") ||
		!strings.HasSuffix(err.Error(), "s for the service's rate limit (429 Too Many Requests)") || !PossiblyProcessed(err) {
		t.Errorf("got %v", err)
	}
}

// A service that limits lists alone does not fail a plan.
func TestCached_readsSinglyIfListsAreLimited(t *testing.T) {
	t.Parallel()
	for header, most := range map[string]time.Duration{"": pagePatience + 10*time.Second, "1": pagePatience + 10*time.Second, "3600": time.Second} {
		t.Run("Retry-After "+header, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(w http.ResponseWriter, r *http.Request) {
				if id, ok := strings.CutPrefix(r.URL.Path, "/backends/failover/"); ok {
					apiError(w, 200, fmt.Sprintf(`{"id":%q}`, id))
					return
				}
				if header != "" {
					w.Header().Set("Retry-After", header)
				}
				apiError(w, 429, `{"msg":"no lists"}`)
			}, func(t *testing.T, client *Client) {
				client.bulkReads = true
				backends, begun := FailoverBackends.Of(client), time.Now()
				var all sync.WaitGroup
				for i := range 20 {
					all.Go(func() {
						ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
						defer cancel()
						id := fmt.Sprintf("bkdfo_%d", i)
						if _, ok := backends.Cached(ctx, id); ok {
							t.Error("a list was read")
						}
						if _, err := backends.Read(ctx, id, time.Time{}); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				if took := time.Since(begun); took > most {
					t.Errorf("took %s, want at most %s", took, most)
				}
			})
		})
	}
}
