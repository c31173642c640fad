package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"
)

// An object that a state or a list contained before the request is not new.
func TestCreate_refusesAnObjectThatExisted(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*testing.T, *Client){
		"in an update": func(t *testing.T, c *Client) { FailoverBackends.Of(c).Update(t.Context(), "bkdfo_1", twin) }, //nolint:errcheck // only seen
		"in a list": func(t *testing.T, c *Client) {
			if _, err := FailoverBackends.Of(c).Lists(t.Context(), "x"); err != nil {
				t.Fatal(err)
			}
		},
		"in a response": func(t *testing.T, c *Client) {
			if _, err := FailoverBackends.Of(c).Read(t.Context(), "bkdfo_1", time.Time{}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		s := &routes{answers: map[string]http.HandlerFunc{"POST /backends/failover": body(201, backendBody), listBackend: body(200, oneBackend), getBackend: body(200, backendBody)}}
		client := serve(t, s.ServeHTTP)
		before(t, client)
		_, err := FailoverBackends.Of(client).Create(t.Context(), twin)
		if _, unknown := errors.AsType[*UnknownOutcomeError](err); !unknown {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		contains(t, err.Error(), "create failover backend: the response describes bkdfo_1, which existed before the request")
	}
}

func TestCreate_refusesAReplayedID(t *testing.T) {
	t.Parallel()
	s := &backendService{}
	var first FailoverBackend
	s.onPost = func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
		if first.ID == "" {
			first = create()
		}
		answerCreated(w, first)
	}
	client := serve(t, s.ServeHTTP)
	if _, err := FailoverBackends.Of(client).Create(t.Context(), twin); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ids, err := lost(t.Context(), t, client)
		if len(ids) != 0 || err != nil {
			t.Errorf("found %v and %v; the only object belongs to the first request", ids, err)
		}
	}
}

// The type of an event source is unique only in its event subscription.
func TestCreate_acceptsAnIDInTwoParents(t *testing.T) {
	t.Parallel()
	client := serve(t, body(201, `{"type":"a.v0"}`))
	for _, parent := range []string{"esb_1", "esb_2"} {
		if _, err := EventSources.Of(client, parent).Create(t.Context(), EventSourceCreate{Type: "a.v0"}); err != nil {
			t.Errorf("%s: %v", parent, err)
		}
	}
}

func TestCreate_saysThatTheResponseHasNoBody(t *testing.T) {
	t.Parallel()
	_, err := EventSources.Of(serve(t, body(204, "")), "esb_1").Create(t.Context(), EventSourceCreate{Type: "a.v0"})
	if _, unknown := errors.AsType[*UnknownOutcomeError](err); !unknown {
		t.Errorf("got %v", err)
	}
	contains(t, err.Error(), "unexpected response: it has no body")
}

// An update is answered with less than the object by some services.
func TestUpdate_readsWhatTheAnswerDoesNotContain(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"204": body(204, ""), "empty": body(200, ""), "empty object": body(200, `{}`), "null": body(200, `null`), "part": body(200, `{"id":"bkdfo_1"}`), "202": body(202, `{"status":"accepted"}`),
	} {
		s := &routes{answers: map[string]http.HandlerFunc{"PATCH /backends/failover/bkdfo_1": answer, getBackend: body(200, backendBody)}}
		object, err := FailoverBackends.Of(serve(t, s.ServeHTTP)).Update(t.Context(), "bkdfo_1", FailoverBackendBody{})
		if err != nil || object.CreatedAt == "" || s.count("PATCH /backends/failover/bkdfo_1") != 1 {
			t.Errorf("%s: got %+v, %v", name, object, err)
		}
	}
}

func TestDelete_isDoneOnlyIfTheServiceSaysSo(t *testing.T) {
	t.Parallel()
	list := body(200, noBackends)
	for name, test := range map[string]struct {
		answer   http.HandlerFunc
		list     http.HandlerFunc
		done     bool
		requests int // DELETE
	}{
		"204":                     {body(204, ""), body(404, notFound), true, 1},
		"200 without a body":      {body(200, ""), body(404, notFound), true, 1},
		"200 and {}":              {body(200, "{}"), body(404, notFound), true, 1},
		"202 and {}":              {body(202, "{}"), body(404, notFound), true, 1},
		"404 and list":            {body(404, notFound), list, true, 2},
		"404 page and list":       {page(404), list, true, 2},
		"404 without a list":      {body(404, notFound), body(401, `{"msg":"who"}`), false, 1},
		"200 and a page":          {page(200), list, false, 3},
		"200 and an object":       {body(200, backendBody), list, true, 1},
		"202 and a text":          {body(202, `{"status":"accepted"}`), list, true, 1},
		"page, then 404":          {inOrder(page(200), body(404, notFound)), list, true, 3},
		"page, then 404, no list": {inOrder(page(200), body(404, notFound)), body(404, notFound), false, 2},
		"page, then 204":          {inOrder(page(200), body(204, "")), list, true, 2},
		"409":                     {body(409, `{"msg":"in use"}`), list, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &routes{answers: map[string]http.HandlerFunc{"DELETE /backends/failover/bkdfo_1": test.answer, listBackend: test.list}}
			err := deletion(FailoverBackends.Of(serve(t, s.ServeHTTP)).Delete(t.Context(), "bkdfo_1", time.Time{}))
			if n := s.count("DELETE /backends/failover/bkdfo_1"); (err == nil) != test.done || n != test.requests {
				t.Errorf("got %v after %d requests", err, n)
			}
			if err != nil {
				contains(t, err.Error(), "delete failover backend bkdfo_1: ")
			}
		})
	}
}

func TestRetryAfter_isByTheClockOfTheResponse(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 503} {
		for _, skew := range []time.Duration{-7 * time.Hour, -10 * time.Second, 0, 10 * time.Second, 7 * time.Hour} {
			t.Run(fmt.Sprintf("%d, clock %s off", status, skew), func(t *testing.T) {
				t.Parallel()
				var waited time.Duration
				var refused time.Time
				inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
					if !refused.IsZero() {
						waited = time.Since(refused)
						io.WriteString(w, `{"id":"x"}`)
						return
					}
					refused = time.Now()
					now := refused.Add(skew).UTC()
					w.Header().Set("Date", now.Format(http.TimeFormat))
					w.Header().Set("Retry-After", now.Add(7*time.Second).Format(http.TimeFormat))
					apiError(w, status, `{"msg":"later"}`)
				}, func(t *testing.T, client *Client) {
					if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err != nil {
						t.Fatal(err)
					}
					if waited < 7*time.Second || waited > 11*time.Second { // half of it is added at random
						t.Errorf("waited %s, the service asked for 7 s", waited)
					}
				})
			})
		}
	}
}
