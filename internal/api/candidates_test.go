package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// candidateIDs returns the ids of the candidates.
func candidateIDs(ctx context.Context, client *Client) (ids []string, err error) {
	objects, err := FailoverBackends.Of(client).Candidates(ctx)
	for _, object := range objects {
		ids = append(ids, object.ID)
	}
	return ids, err
}

// listPage returns a handler that answers with a page of a list.
func listPage(next string, ids ...string) http.HandlerFunc {
	items := ""
	for i, id := range ids {
		if i > 0 {
			items += ","
		}
		items += fmt.Sprintf(`{"id":%q}`, id)
	}
	return body(200, fmt.Sprintf(`{"backends":[%s],"next_page_uri":%s}`, items, next))
}

func TestCandidates_areWhatTheListContains(t *testing.T) {
	t.Parallel()
	const next = `"?before_id=x"`
	for name, test := range map[string]struct {
		answers []http.HandlerFunc
		want    []string
		err     string
	}{
		"overlapping pages":   {[]http.HandlerFunc{listPage(next, "c", "b"), listPage("null", "b", "a", "c")}, []string{"c", "b", "a"}, ""},
		"twice on a page":     {[]http.HandlerFunc{listPage("null", "a", "a")}, []string{"a"}, ""},
		"empty":               {[]http.HandlerFunc{listPage("null")}, nil, ""},
		"fails in the middle": {[]http.HandlerFunc{listPage(next, "c", "b"), body(403, `{"msg":"too far"}`)}, []string{"c", "b"}, "403 Forbidden: too far"},
		"page in the middle":  {[]http.HandlerFunc{listPage(next, "c"), page(404)}, []string{"c"}, "404 Not Found"},
		"pages in circles":    {[]http.HandlerFunc{listPage(next, "c"), listPage(next, "b")}, []string{"c", "b"}, "pagination does not end"},
		"fails":               {[]http.HandlerFunc{body(403, `{"msg":"no lists"}`)}, nil, "403 Forbidden: no lists"},
		"hangs":               {[]http.HandlerFunc{func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }}, nil, "reading the list timed out"},
		"hangs in the middle": {[]http.HandlerFunc{listPage(next, "c", "b"), func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }}, []string{"c", "b"}, "reading the list timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, inOrder(test.answers...), func(t *testing.T, client *Client) {
				begun := time.Now()
				ids, err := candidateIDs(t.Context(), client)
				if !slices.Equal(ids, test.want) || (err != nil) != (test.err != "") || time.Since(begun) > searchTime {
					t.Fatalf("found %v and %v after %s", ids, err, time.Since(begun))
				}
				if err != nil {
					contains(t, err.Error(), test.err)
				}
			})
		})
	}
}

// The list names what other requests made before and after, whatever the clocks
// say, but not what this client made.
func TestCandidates_areTheObjectsOfOthers(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-7 * time.Hour, 0, 7 * time.Hour} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			s := &backendService{skew: skew}
			s.add([]byte(twinBody), 24*time.Hour)
			s.onPost = func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend) {
				if len(s.ids()) == 1 {
					answerCreated(w, create())
					return
				}
				loseAnswer(w, r, create)
			}
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				if object, err := FailoverBackends.Of(client).Create(t.Context(), twin); err != nil || !FailoverBackends.Of(client).Created(object.ID) {
					t.Fatalf("got %v, %v", object, err)
				}
				ids, err := lost(t.Context(), t, client)
				if want := []string{"bkdfo_1", "bkdfo_3"}; !slices.Equal(ids, want) || err != nil {
					t.Errorf("found %v and %v, want %v", ids, err, want)
				}
			})
		})
	}
}

func TestCandidates_manyFailuresShareOneWalk(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: loseAnswer}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				time.Sleep(time.Duration(i) * 400 * time.Millisecond)
				if ids, err := lost(t.Context(), t, client); len(ids) != 10 || err != nil {
					t.Errorf("creation %d: found %v and %v", i, ids, err)
				}
			})
		}
		group.Wait()
		if s.read(&s.posts) != 10 || s.read(&s.lists) != 1 {
			t.Errorf("%d POSTs, %d lists", s.read(&s.posts), s.read(&s.lists))
		}
		if ids, err := lost(t.Context(), t, client); len(ids) != 11 || err != nil || s.read(&s.lists) != 2 {
			t.Errorf("a later creation found %v and %v after %d lists", ids, err, s.read(&s.lists))
		}
	})
}

func TestCandidates_takeOneSecondAfterACancel(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cancel time.Duration // after the begin of the search
		takes  time.Duration // the list
		found  int
		within time.Duration // of the cancel
	}{
		"before the search":      {0, 0, 1, 0},
		"while it waits":         {2 * time.Second, 0, 1, 0},
		"answer within a second": {2 * time.Second, 900 * time.Millisecond, 1, 900 * time.Millisecond},
		"slow list":              {2 * time.Second, 3 * time.Second, 0, time.Second},
		"while the list hangs":   {6 * time.Second, time.Minute, 0, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &backendService{}
			s.add([]byte(twinBody), 0)
			list := s.ServeHTTP
			inBubble(t, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(test.takes)
				list(w, r)
			}, func(t *testing.T, client *Client) {
				ctx, cancel := context.WithTimeout(t.Context(), test.cancel)
				defer cancel()
				begun := time.Now()
				ids, err := candidateIDs(ctx, client)
				if len(ids) != test.found || (err == nil) != (test.found > 0) {
					t.Errorf("found %v and %v", ids, err)
				}
				if late := time.Since(begun) - test.cancel; late != test.within {
					t.Errorf("took %s after the cancel, want %s", late, test.within)
				}
			})
		})
	}
}

// Several creations are interrupted while one of them reads the list for all.
func TestCandidates_namesWhatWasSeenBeforeACancel(t *testing.T) {
	t.Parallel()
	inBubble(t, inOrder(listPage(`"?before_id=x"`, "c", "b"), func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }), func(t *testing.T, client *Client) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(6*time.Second, cancel)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				ids, err := candidateIDs(ctx, client)
				if want := []string{"c", "b"}; !slices.Equal(ids, want) {
					t.Errorf("found %v and %v, want %v", ids, err, want)
				}
				contains(t, fmt.Sprint(err), "the run was interrupted while the list was read")
			})
		}
		group.Wait()
	})
}
