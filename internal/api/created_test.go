package api

import (
	"net/http"
	"testing"
	"time"
)

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
