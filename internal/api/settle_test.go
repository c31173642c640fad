package api

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

func TestSettled_asksAgainShortlyAfterACreation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		age     time.Duration // of the object at the first answer, by the service's clock
		visible int           // number of the read that finds the object; 0 for none
		err     error         // of the other reads
		reads   int
		gone    bool
	}{
		"at once":             {time.Second, 1, nil, 1, false},
		"third read":          {time.Second, 3, &Error{Status: 404, FromService: true}, 3, false},
		"never":               {time.Second, 0, &Error{Status: 404, FromService: true}, 6, true},
		"service's clock off": {-20 * time.Second, 3, &Error{Status: 404, FromService: true}, 3, false},
		"old":                 {2 * time.Minute, 3, &Error{Status: 404, FromService: true}, 1, true},
		"other error":         {time.Second, 3, &Error{Status: 403, FromService: true}, 1, false},
		"unproven":            {time.Second, 3, &UnprovenError{Cause: &Error{Status: 404, FromService: true}, proof: errors.New("x")}, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				created, begun, reads := time.Now().Add(-7*time.Hour), time.Now(), 0
				object, err := Settled(t.Context(), created, func(context.Context) (*Object, error) {
					if reads++; reads == test.visible {
						return &Object{ID: "a"}, nil
					}
					if answer, ok := errors.AsType[*Error](test.err); ok {
						answer.date = created.Add(test.age + time.Since(begun))
					}
					return nil, test.err
				})
				if reads != test.reads || IsGone(err) != test.gone || (object != nil) != (reads == test.visible) {
					t.Errorf("%d reads, %v, %v", reads, object, err)
				}
				if took := time.Since(begun); took > lagWait {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

func TestSettled_believesTheFirstAnswerIfNothingTellsTheTime(t *testing.T) {
	t.Parallel()
	reads := 0
	_, err := Settled(t.Context(), time.Time{}, func(context.Context) (*Object, error) {
		reads++
		return nil, &Error{Status: 404, FromService: true}
	})
	if !IsGone(err) || reads != 1 {
		t.Errorf("%d reads, %v", reads, err)
	}
}

func TestSettled_endsWithTheContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), 150*time.Millisecond, errors.New("enough"))
		defer cancel()
		begun := time.Now()
		_, err := Settled(ctx, begun, func(context.Context) (*Object, error) {
			return nil, &Error{Status: 404, FromService: true, date: time.Now()}
		})
		if err == nil || err.Error() != "enough" || time.Since(begun) != 150*time.Millisecond {
			t.Errorf("after %s: %v", time.Since(begun), err)
		}
	})
}

func TestSettled_usesTheDateOfTheAnswer(t *testing.T) {
	t.Parallel()
	s := &backendService{skew: 7 * time.Hour}
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/backends/failover" {
			s.mu.Lock()
			s.others++
			visible := s.others > 2
			s.mu.Unlock()
			if visible {
				apiError(w, 200, `{"id":"bkdfo_1"}`)
				return
			}
		}
		s.ServeHTTP(w, r)
	}, func(t *testing.T, client *Client) {
		made, err := client.FailoverBackends().Create(t.Context(), twin)
		if err != nil {
			t.Fatal(err)
		}
		created, err := time.Parse(time.RFC3339, made.CreatedAt)
		if err != nil {
			t.Fatal(err)
		}
		read := func(ctx context.Context) (*FailoverBackend, error) {
			return client.FailoverBackends().Read(ctx, made.ID)
		}
		if _, err := Settled(t.Context(), created, read); err != nil {
			t.Error(err)
		}
		s.others = -10
		time.Sleep(2 * time.Minute)
		if _, err := Settled(t.Context(), created, read); !IsGone(err) {
			t.Error(err)
		}
	})
}
