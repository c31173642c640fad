package api

import (
	"context"
	"net/http"
	"testing"
	"time"
)

// A replica may not know yet that the last user of an object is gone, and Terraform sets
// the modules of a parent at once, which a service may refuse. A conflict of any other
// request has another reason, and so has one without a write before it.
func TestConflict_passes(t *testing.T) {
	t.Parallel()
	put := func(ctx context.Context, c *Client) error {
		_, err := TLSEdgeBackend.Of(c, "edgtls_2").Put(ctx, EdgeBackend{})
		return err
	}
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
		"module":             {true, "PUT /edges/tls/edgtls_2/backend", put, 3},
		"ID of a wrong kind": {true, "PUT /edges/tls/edgtls_2/backend", put, 1},
		"update": {true, "PATCH /backends/failover/bkdfo_1", func(ctx context.Context, c *Client) error {
			_, err := FailoverBackends.Of(c).Update(ctx, "bkdfo_1", FailoverBackendBody{})
			return err
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inUse := body(409, `{"msg":"in use"}`)
			if name == "ID of a wrong kind" {
				inUse = body(409, `{"msg":"no such backend","details":{"field":"backend_id"}}`)
			}
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
func TestConflict_endsAfterTenSeconds(t *testing.T) {
	t.Parallel()
	s := &routes{answers: map[string]http.HandlerFunc{
		"POST /edges/tls": body(201, `{"id":"edgtls_1"}`), "DELETE /backends/failover/bkdfo_1": body(409, `{"msg":"in use"}`),
	}}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		if _, err := TLSEdges.Of(client).Create(t.Context(), EdgeBody{}); err != nil {
			t.Fatal(err)
		}
		for _, age := range []time.Duration{0, time.Minute} {
			time.Sleep(age)
			begun := time.Now()
			err := deletion(FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{}))
			if took := time.Since(begun); err == nil || age == 0 && took != settleTime || age > 0 && took > time.Second {
				t.Errorf("%s after the last write: %v after %s", age, err, took)
			}
		}
	})
}
