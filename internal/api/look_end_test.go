package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestLook_saysWhyItFailed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list func(*backendService) http.HandlerFunc
		want string
	}{
		"403": {func(*backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { apiError(w, 403, `{"msg":"not you"}`) }
		}, "403 Forbidden: not you"},
		"404": {func(*backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { apiError(w, 404, notFound) }
		}, "404 Not Found"},
		"a page": {func(*backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 200) }
		}, "base_url"},
		"hangs": {func(*backendService) http.HandlerFunc {
			return func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }
		}, "timed out"},
		"refuses": {func(*backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }
		}, "closed the connection"},
		"circles": {func(*backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"backends":[],"next_page_uri":"http://api.example.com/backends/failover"}`)
			}
		}, "pagination does not end"},
		"never ends": {func(s *backendService) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(20 * time.Millisecond)
				fmt.Fprintf(w, `{"backends":[],"next_page_uri":"http://api.example.com/backends/failover?n=%d"}`, s.count(&s.others))
			}
		}, "timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &backendService{onPost: loseAnswer}
			s.onList = test.list(s)
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				begun := time.Now()
				outcome := unknownOutcome(t.Context(), t, client)
				if outcome.Look == nil || len(outcome.IDs) != 0 || s.posts != 1 {
					t.Fatalf("found %v and %v after %d POSTs", outcome.IDs, outcome.Look, s.posts)
				}
				contains(t, outcome.Look.Error(), test.want)
				readsAsASentence(t, outcome.Look)
				if took := time.Since(begun); took > 10*time.Second {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

// Objects of the first pages are named even if the last page fails.
func TestLook_keepsWhatItFoundUntilItFailed(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: loseAnswer}
	s.onList = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			time.Sleep(time.Minute)
		}
		fmt.Fprintf(w, `{"backends":[{"id":"bkdfo_1","created_at":%q,"description":"made by a test","backends":["bkdtg_1"]}],"next_page_uri":"http://api.example.com/backends/failover?n=2"}`,
			time.Now().UTC().Format(time.RFC3339))
	}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, []string{"bkdfo_1"}) || outcome.Look == nil {
			t.Errorf("found %v and %v", outcome.IDs, outcome.Look)
		}
	})
}

func TestLook_isShortOnceTheTimeIsOver(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeoutCause(ctx, 3*time.Second, errors.New("the time of this operation is over"))
		},
		"cancel": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx)
			time.AfterFunc(3*time.Second, func() { cancel(errors.New("interrupted")) })
			return ctx, func() { cancel(nil) }
		},
	} {
		for _, when := range []string{"creating", "looking"} {
			for _, hangs := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s while %s, the list hangs %v", name, when, hangs), func(t *testing.T) {
					t.Parallel()
					s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
						create()
						if when == "creating" {
							time.Sleep(time.Minute)
						}
						hangUp(w)
					}}
					if hangs {
						s.onList = func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }
					}
					inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
						ctx, cancel := end(t.Context())
						defer cancel()
						begun := time.Now()
						outcome := unknownOutcome(ctx, t, client)
						if took := time.Since(begun); took > 3*time.Second+linger+lateLookTime {
							t.Errorf("took %s", took)
						}
						if hangs && (outcome.Look == nil || len(outcome.IDs) > 0) || !hangs && (outcome.Look != nil || !slices.Equal(outcome.IDs, s.ids())) {
							t.Errorf("found %v and %v", outcome.IDs, outcome.Look)
						}
						if outcome.Look != nil {
							readsAsASentence(t, outcome.Look)
						}
						if when == "creating" && strings.Contains(outcome.Error(), "context ") {
							t.Errorf("the cause is %v", outcome)
						}
					})
				})
			}
		}
	}
}

// A creation whose context has ended must not end the look of the others.
func TestLook_ofOthersGoesOnWhenOneHasNoTime(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: loseAnswer}
	s.onList = func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(2 * time.Second)
		s.mu.Lock()
		defer s.mu.Unlock()
		fmt.Fprintf(w, `{"backends":[{"id":"bkdfo_1","created_at":%q,"description":"made by a test","backends":["bkdtg_1"]}]}`, s.objects[0].CreatedAt)
	}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		var group sync.WaitGroup
		group.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_ = unknownOutcome(ctx, t, client) // only the result of the other creation counts
		})
		group.Go(func() {
			if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, []string{"bkdfo_1"}) || outcome.Look != nil {
				t.Errorf("found %v and %v", outcome.IDs, outcome.Look)
			}
		})
		group.Wait()
	})
}
