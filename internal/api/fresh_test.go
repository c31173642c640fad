package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// A replica may not know yet what this client has just created: the parent in
// the path, or an object in the body.
func TestFresh_requestsAreRepeatedUntilTheReplicaKnowsTheParent(t *testing.T) {
	t.Parallel()
	unknownField := func(field string) http.HandlerFunc {
		return body(400, fmt.Sprintf(`{"msg":"does not exist","details":{"field":%q}}`, field))
	}
	for name, test := range map[string]struct {
		refusal http.HandlerFunc
		path    string
		answer  http.HandlerFunc
		call    func(context.Context, *Client) error
		again   bool
	}{
		"event source": {body(404, notFound), "POST /event_subscriptions/esb_1/sources", body(201, `{"type":"a.v0"}`), func(ctx context.Context, c *Client) error {
			_, err := EventSources.Of(c, "esb_1").Create(ctx, EventSourceCreate{Type: "a.v0"})
			return err
		}, true},
		"list in a parent": {body(404, notFound), "GET /event_subscriptions/esb_1/sources", body(200, `{"sources":[]}`), func(ctx context.Context, c *Client) error {
			_, err := EventSources.Of(c, "esb_1").Lists(ctx, "a.v0")
			return err
		}, true},
		"another parent": {body(404, notFound), "POST /event_subscriptions/esb_2/sources", body(201, `{"type":"a.v0"}`), func(ctx context.Context, c *Client) error {
			_, err := EventSources.Of(c, "esb_2").Create(ctx, EventSourceCreate{Type: "a.v0"})
			return err
		}, false},
		"policy": {body(404, notFound), "PUT /edges/tls/esb_1/policy", body(200, policyBody), func(ctx context.Context, c *Client) error {
			_, err := TLSEdgePolicy.Of(c, "esb_1").Put(ctx, EdgePolicy{})
			return err
		}, true},
		"in the blamed field": {unknownField("backends[0]"), "POST /backends/failover", body(201, backendBody), func(ctx context.Context, c *Client) error {
			_, err := FailoverBackends.Of(c).Create(ctx, FailoverBackendBody{Backends: []string{"esb_1"}})
			return err
		}, true},
		"in another field": {unknownField("description"), "POST /backends/failover", body(201, backendBody), func(ctx context.Context, c *Client) error {
			_, err := FailoverBackends.Of(c).Create(ctx, FailoverBackendBody{Backends: []string{"esb_1"}})
			return err
		}, false},
		"in no field": {body(422, `{"msg":"no such backend"}`), "POST /backends/failover", body(201, backendBody), func(ctx context.Context, c *Client) error {
			_, err := FailoverBackends.Of(c).Create(ctx, FailoverBackendBody{Backends: []string{"esb_1"}})
			return err
		}, true},
		"a page of a proxy": {page(404), "POST /event_subscriptions/esb_1/sources", body(201, `{"type":"a.v0"}`), func(ctx context.Context, c *Client) error {
			_, err := EventSources.Of(c, "esb_1").Create(ctx, EventSourceCreate{Type: "a.v0"})
			return err
		}, false},
		"a text, as of a proxy": {
			body(404, "no route to esb_1"), "POST /event_subscriptions/esb_1/sources", body(201, `{"type":"a.v0"}`),
			func(ctx context.Context, c *Client) error {
				_, err := EventSources.Of(c, "esb_1").Create(ctx, EventSourceCreate{Type: "a.v0"})
				return err
			}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &routes{answers: map[string]http.HandlerFunc{
				"POST /event_subscriptions": body(201, `{"id":"esb_1","created_at":"2026-11-21T08:15:30Z"}`),
				test.path:                   inOrder(test.refusal, test.refusal, test.answer),
			}}
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				if _, err := EventSubscriptions.Of(client).Create(t.Context(), EventSubscriptionBody{}); err != nil {
					t.Fatal(err)
				}
				err := test.call(t.Context(), client)
				if requests := s.count(test.path); test.again && (err != nil || requests != 3) || !test.again && (err == nil || requests != 1) {
					t.Errorf("got %v after %d requests", err, requests)
				}
			})
		})
	}
}

// A replica may not know yet that the last user of an object is gone, and Terraform sets
// the modules of a parent at once, which a service may refuse. A conflict of any other
// request has another reason, and so has one without a write before it.
func TestFresh_conflictsThatPass(t *testing.T) {
	t.Parallel()
	inUse := body(409, `{"msg":"in use"}`)
	for name, test := range map[string]struct {
		writes bool
		path   string
		call   func(context.Context, *Client) error
		want   int
	}{
		"deletion": {true, "DELETE /backends/failover/bkdfo_1", func(ctx context.Context, c *Client) error {
			return deletion(FailoverBackends.Of(c).Delete(ctx, "bkdfo_1", time.Time{}))
		}, 3},
		"deletion without a write": {false, "DELETE /backends/failover/bkdfo_1", func(ctx context.Context, c *Client) error {
			return deletion(FailoverBackends.Of(c).Delete(ctx, "bkdfo_1", time.Time{}))
		}, 1},
		"module": {true, "PUT /edges/tls/edgtls_2/backend", func(ctx context.Context, c *Client) error {
			_, err := TLSEdgeBackend.Of(c, "edgtls_2").Put(ctx, EdgeBackend{})
			return err
		}, 3},
		"update": {true, "PATCH /backends/failover/bkdfo_1", func(ctx context.Context, c *Client) error {
			_, err := FailoverBackends.Of(c).Update(ctx, "bkdfo_1", FailoverBackendBody{})
			return err
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &routes{answers: map[string]http.HandlerFunc{
				"DELETE /edges/tls/edgtls_1": body(204, ""), test.path: inOrder(inUse, inUse, body(200, backendBody)),
			}}
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				if test.writes {
					if err := deletion(TLSEdges.Of(client).Delete(t.Context(), "edgtls_1", time.Time{})); err != nil {
						t.Fatal(err)
					}
				}
				err := test.call(t.Context(), client)
				if requests := s.count(test.path); requests != test.want || (err == nil) != (test.want > 1) {
					t.Errorf("got %v after %d requests, want %d", err, requests, test.want)
				}
			})
		})
	}
}

// The wait ends, and the refusal stays the error.
func TestFresh_endsAfterTenSeconds(t *testing.T) {
	t.Parallel()
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/event_subscriptions" {
			apiError(w, 201, `{"id":"esb_1","created_at":"2026-11-21T08:15:30Z"}`)
			return
		}
		apiError(w, 404, notFound)
	}, func(t *testing.T, client *Client) {
		if _, err := EventSubscriptions.Of(client).Create(t.Context(), EventSubscriptionBody{}); err != nil {
			t.Fatal(err)
		}
		for _, age := range []time.Duration{0, time.Minute} {
			time.Sleep(age)
			begun := time.Now()
			_, err := EventSources.Of(client, "esb_1").Create(t.Context(), EventSourceCreate{Type: "a.v0"})
			if _, unknown := errors.AsType[*UnknownOutcomeError](err); err == nil || unknown {
				t.Errorf("got %v", err)
			}
			if took := time.Since(begun); age == 0 && took != settleTime || age > 0 && took > time.Second {
				t.Errorf("a parent that is %s old: %s", age, took)
			}
		}
	})
}

// Right after a creation, a 404 is a replica's, whatever the service's clocks
// say.
func TestFresh_objectIsNotGone(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-time.Hour, 0, time.Hour} {
		t.Run(skew.String(), func(t *testing.T) {
			t.Parallel()
			reads := 0
			s := &routes{answers: map[string]http.HandlerFunc{
				"POST /backends/failover": func(w http.ResponseWriter, _ *http.Request) {
					apiError(w, 201, fmt.Sprintf(`{"id":"bkdfo_1","created_at":%q}`, time.Now().Add(skew).Format(time.RFC3339)))
				},
				getBackend: func(w http.ResponseWriter, _ *http.Request) {
					if reads++; reads < 3 {
						apiError(w, 404, notFound)
						return
					}
					apiError(w, 200, backendBody)
				},
				listBackend: body(200, noBackends),
			}}
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				created := time.Now().Add(skew)
				if _, err := FailoverBackends.Of(client).Create(t.Context(), twin); err != nil {
					t.Fatal(err)
				}
				if _, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", created); err != nil || reads != 3 {
					t.Errorf("got %v after %d reads", err, reads)
				}
			})
		})
	}
}
