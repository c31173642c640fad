package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// loseAnswer processes a create request and closes the connection.
func loseAnswer(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
	create()
	hangUp(w)
}

// unknownOutcome sends a create request and returns its unknown outcome.
func unknownOutcome(ctx context.Context, t *testing.T, client *Client) *UnknownOutcomeError {
	t.Helper()
	_, err := client.FailoverBackends().Create(ctx, twin)
	outcome, ok := errors.AsType[*UnknownOutcomeError](err)
	if !ok {
		t.Errorf("got %v, want an unknown outcome", err)
		return &UnknownOutcomeError{}
	}
	return outcome
}

func TestLook_findsObjectsOfAServiceWithAnotherClock(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-7 * time.Hour, -30 * time.Second, -2 * time.Second, 0, 2 * time.Second, 30 * time.Second, 7 * time.Hour} {
		for _, noDate := range []bool{false, true} {
			if noDate && skew.Abs() > time.Minute {
				continue // the client cannot know the service's time
			}
			s := &backendService{skew: skew, noDate: noDate, onPost: loseAnswer}
			older := s.add([]byte(twinBody), time.Hour).ID
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				s.objects[0].CreatedAt = time.Now().Add(skew - 3*time.Minute).UTC().Format(time.RFC3339)
				outcome := unknownOutcome(t.Context(), t, client)
				if !slices.Equal(outcome.IDs, []string{"bkdfo_2"}) || outcome.Look != nil {
					t.Errorf("skew %s, no date %v: found %v and %v; bkdfo_2 is new, %s is old", skew, noDate, outcome.IDs, outcome.Look, older)
				}
			})
		}
	}
}

// The date of a response may be that of a proxy with a different clock.
func TestLook_findsObjectsBehindAProxyWithAnotherClock(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-30 * time.Second, 30 * time.Second} {
		s := &backendService{skew: skew, onPost: loseAnswer}
		inBubble(t, func(w http.ResponseWriter, r *http.Request) {
			s.ServeHTTP(redated{w}, r)
		}, func(t *testing.T, client *Client) {
			if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, s.ids()) {
				t.Errorf("skew %s: found %v", skew, outcome.IDs)
			}
		})
	}
}

// redated replaces the date of a response by the local time.
type redated struct{ http.ResponseWriter }

func (d redated) Write(p []byte) (int, error) {
	d.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	return d.ResponseWriter.Write(p)
}

func (d redated) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return d.ResponseWriter.(http.Hijacker).Hijack() //nolint:forcetypeassert // as in net/http
}

func TestLook_namesOnlyWhatCarriesExactlyWhatWasSent(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend) {
		loseAnswer(w, r, create)
	}}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		for _, other := range []string{
			`{"backends":["bkdtg_1"]}`, `{"description":"made by a test","backends":[]}`, `{"description":"made by a test","backends":["bkdtg_1","bkdtg_2"]}`,
			`{"description":"made by a test","backends":["bkdtg_1"],"metadata":"x"}`,
		} {
			s.add([]byte(other), 0)
		}
		if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, []string{"bkdfo_5"}) {
			t.Errorf("found %v, want bkdfo_5", outcome.IDs)
		}
	})
}

func TestLook_leavesOutWhatThisClientGot(t *testing.T) {
	t.Parallel()
	s := &backendService{}
	s.onPost = func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend) {
		if len(s.ids()) == 1 {
			loseAnswer(w, r, create)
			return
		}
		answerCreated(w, create())
	}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		own, err := client.FailoverBackends().Create(t.Context(), twin)
		if err != nil {
			t.Fatal(err)
		}
		if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, []string{"bkdfo_2"}) {
			t.Errorf("found %v, want bkdfo_2; %s is the client's own", outcome.IDs, own.ID)
		}
	})
}

// Pages overlap if objects are added between two requests.
func TestLook_namesAnIDOnce(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: loseAnswer}
	s.onList = func(w http.ResponseWriter, r *http.Request) {
		next := "null"
		if r.URL.RawQuery == "" {
			next = `"http://api.example.com/backends/failover?before_id=x"`
		}
		object := fmt.Sprintf(`{"id":"bkdfo_1","created_at":%q,"description":"made by a test","backends":["bkdtg_1"]}`, time.Now().UTC().Format(time.RFC3339))
		fmt.Fprintf(w, `{"backends":[%s,%s],"next_page_uri":%s}`, object, object, next)
	}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		if outcome := unknownOutcome(t.Context(), t, client); !slices.Equal(outcome.IDs, []string{"bkdfo_1"}) || s.lists != 2 {
			t.Errorf("found %v on %d pages", outcome.IDs, s.lists)
		}
	})
}

func TestLook_isSharedByAllThatFailTogether(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: loseAnswer}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		var group sync.WaitGroup
		for i := range 10 {
			group.Go(func() {
				time.Sleep(time.Duration(i) * 400 * time.Millisecond)
				if outcome := unknownOutcome(t.Context(), t, client); len(outcome.IDs) != 10 || outcome.Look != nil {
					t.Errorf("found %v and %v", outcome.IDs, outcome.Look)
				}
			})
		}
		group.Wait()
		if s.posts != 10 || s.lists != 1 {
			t.Errorf("%d POSTs and %d lists", s.posts, s.lists)
		}
		// Later failures need another look.
		if outcome := unknownOutcome(t.Context(), t, client); len(outcome.IDs) != 11 || s.lists != 2 {
			t.Errorf("found %v with %d lists", outcome.IDs, s.lists)
		}
	})
}

func TestLook_ofTwinsOfWhichHalfLoseTheirAnswers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	lost, got := map[string]bool{}, map[string]bool{}
	s := &backendService{}
	n := 0
	s.onPost = func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
		object := create()
		if s.count(&n)%2 == 0 {
			answerCreated(w, object)
			return
		}
		mu.Lock()
		lost[object.ID] = true
		mu.Unlock()
		hangUp(w)
	}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		var found [][]string
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				object, err := client.FailoverBackends().Create(t.Context(), twin)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					got[object.ID] = true
					return
				}
				outcome, ok := errors.AsType[*UnknownOutcomeError](err)
				if !ok {
					t.Error(err)
					return
				}
				found = append(found, outcome.IDs)
			})
		}
		group.Wait()
		if len(got) != 10 || len(lost) != 10 || s.posts != 20 || s.lists != 1 || len(found) != 10 {
			t.Errorf("%d got, %d lost, %d POSTs, %d lists, %d findings", len(got), len(lost), s.posts, s.lists, len(found))
		}
		for _, ids := range found {
			for _, id := range ids {
				if !lost[id] {
					t.Errorf("%s is named and was not lost", id)
				}
			}
			if distinct := slices.Compact(slices.Sorted(slices.Values(ids))); len(distinct) != 10 || len(ids) != 10 {
				t.Errorf("found %v", ids)
			}
		}
	})
}
