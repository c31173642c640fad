package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

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
