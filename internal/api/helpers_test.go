package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// body returns a handler that answers with a status and a body of JSON.
func body(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { apiError(w, status, text) }
}

// page returns a handler that answers with a page of HTML.
func page(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, status) }
}

// routes answers requests by method and path, such as "GET /edges/tls/a", and
// all others with 404. It counts the requests.
type routes struct {
	answers map[string]http.HandlerFunc
	// other, if set, answers the requests that are not in answers.
	other http.HandlerFunc

	mu     sync.Mutex
	counts map[string]int
}

func (s *routes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.Method + " " + r.URL.Path
	s.mu.Lock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	s.counts[name]++
	s.mu.Unlock()
	switch answer, ok := s.answers[name]; {
	case ok:
		answer(w, r)
	case s.other != nil:
		s.other(w, r)
	default:
		apiError(w, http.StatusNotFound, notFound)
	}
}

func (s *routes) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[name]
}

// inOrder returns a handler that answers with each handler once, and then
// always with the last one.
func inOrder(answers ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n = min(n+1, len(answers))
		answer := answers[n-1]
		mu.Unlock()
		answer(w, r)
	}
}

// cachedOrRead reads an object from a list page, or with a GET.
func cachedOrRead(ctx context.Context, client *Client, id string) (*SSHCredential, error) {
	if object, ok := SSHCredentials.Of(client).Cached(ctx, id); ok {
		return object, nil
	}
	return SSHCredentials.Of(client).Read(ctx, id, time.Time{})
}

// deletion returns only the error of a Delete.
func deletion(_ Deletion, err error) error { return err }

// loseAnswer processes a create request and closes the connection.
func loseAnswer(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
	create()
	hangUp(w)
}

// lost sends a create request whose outcome must be unknown, and returns the
// ids of the objects that it may have created, and why the list was not read.
func lost(ctx context.Context, t *testing.T, client *Client) (ids []string, err error) {
	t.Helper()
	_, createErr := FailoverBackends.Of(client).Create(ctx, twin)
	if _, ok := errors.AsType[*UnknownOutcomeError](createErr); !ok {
		t.Errorf("got %v, want an unknown outcome", createErr)
		return nil, nil
	}
	readsAsASentence(t, createErr)
	objects, err := FailoverBackends.Of(client).Candidates(ctx)
	for _, object := range objects {
		ids = append(ids, object.ID)
	}
	return ids, err
}

// errorTexts returns everything that a caller can print of an error.
func errorTexts(err error) string {
	text := err.Error()
	if outcome, ok := errors.AsType[*UnknownOutcomeError](err); ok {
		text += "\n" + outcome.Cause.Error()
	}
	if unconfirmed, ok := errors.AsType[*UnconfirmedError](err); ok {
		text += "\n" + unconfirmed.Error() + "\n" + unconfirmed.Cause.Error()
	}
	if answer, ok := errors.AsType[*Error](err); ok {
		text += "\n" + answer.Error() + fmt.Sprintf("%+v", *answer)
	}
	return text
}

// account serves a collection of n objects on pages of the given size, and
// counts the requests.
type account struct {
	ids   []string
	size  int
	pages atomic.Int32
	gets  atomic.Int32
}

func newAccount(n, size int) *account {
	a := &account{size: size}
	for i := range n {
		a.ids = append(a.ids, fmt.Sprintf("sshcr_%06d", i))
	}
	return a
}

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := strings.TrimPrefix(r.URL.Path, "/ssh_credentials")
	if id != "" {
		a.gets.Add(1)
		if !slices.Contains(a.ids, id[1:]) {
			apiError(w, http.StatusNotFound, notFound)
			return
		}
		fmt.Fprintf(w, `{"id":%q,"description":"from GET"}`, id[1:])
		return
	}
	a.pages.Add(1)
	from, _ := strconv.Atoi(r.URL.Query().Get("from"))
	to := min(from+a.size, len(a.ids))
	next := "null"
	if to < len(a.ids) {
		next = fmt.Sprintf(`"http://%s/ssh_credentials?from=%d"`, r.Host, to)
	}
	objects := make([]string, 0, a.size)
	for _, id := range a.ids[from:to] {
		objects = append(objects, fmt.Sprintf(`{"id":%q,"description":"from a page"}`, id))
	}
	fmt.Fprintf(w, `{"ssh_credentials":[%s],"next_page_uri":%s}`, strings.Join(objects, ","), next)
}

// readAll reads objects by id, several at a time, and returns how many are
// gone.
func readAll(t *testing.T, client *Client, ids []string, parallel int) int {
	t.Helper()
	var gone atomic.Int32
	var wg sync.WaitGroup
	next := make(chan string)
	for range parallel {
		wg.Go(func() {
			for id := range next {
				object, err := cachedOrRead(t.Context(), client, id)
				switch {
				case IsGone(err):
					gone.Add(1)
				case err != nil:
					t.Error(err)
				case object.ID != id:
					t.Errorf("asked for %s, got %s", id, object.ID)
				}
			}
		})
	}
	for _, id := range ids {
		next <- id
	}
	close(next)
	wg.Wait()
	return int(gone.Load())
}
