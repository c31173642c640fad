package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// nested are the kinds whose list is in their parent.
var nested = map[string]struct {
	path, list, parent, parents  string // paths
	noun                         string
	full, other, empty, noMember string // bodies of the list
	parentBody, parentList       string
	noParents                    string
	read                         func(context.Context, *Client) error
	remove                       func(context.Context, *Client) error
}{
	"event source": {
		path: "/event_subscriptions/esb_1/sources/a.v0", list: "/event_subscriptions/esb_1/sources",
		parent: "/event_subscriptions/esb_1", parents: "/event_subscriptions", noun: "event source a.v0",
		full: `{"sources":[{"type":"b.v0"},{"type":"a.v0"}]}`, other: `{"sources":[{"type":"b.v0"}]}`, empty: `{"sources":[]}`, noMember: `{}`,
		parentBody: `{"id":"esb_1"}`, parentList: `{"event_subscriptions":[{"id":"esb_1"}]}`, noParents: `{"event_subscriptions":[{"id":"esb_2"}]}`,
		read: func(ctx context.Context, c *Client) error {
			_, err := EventSources.Of(c, "esb_1").Read(ctx, "a.v0", time.Time{})
			return err
		},
		remove: func(ctx context.Context, c *Client) error {
			return deletion(EventSources.Of(c, "esb_1").Delete(ctx, "a.v0", time.Time{}))
		},
	},
	"route": {
		path: "/edges/https/edghts_1/routes/edghtsrt_1", list: "/edges/https/edghts_1",
		parent: "/edges/https/edghts_1", parents: "/edges/https", noun: "HTTPS edge route edghtsrt_1",
		full: `{"id":"edghts_1","routes":[{"id":"edghtsrt_2"},{"id":"edghtsrt_1"}]}`, other: `{"id":"edghts_1","routes":[{"id":"edghtsrt_2"}]}`,
		empty: `{"id":"edghts_1","routes":null}`, noMember: `{"id":"edghts_1"}`,
		parentBody: `{"id":"edghts_1"}`, parentList: `{"https_edges":[{"id":"edghts_1"}]}`, noParents: `{"https_edges":[{"id":"edghts_2"}]}`,
		read: func(ctx context.Context, c *Client) error {
			_, err := HTTPSEdgeRoutes.Of(c, "edghts_1").Read(ctx, "edghtsrt_1", time.Time{})
			return err
		},
		remove: func(ctx context.Context, c *Client) error {
			return deletion(HTTPSEdgeRoutes.Of(c, "edghts_1").Delete(ctx, "edghtsrt_1", time.Time{}))
		},
	},
}

func TestNested_isGoneIfItsParentSaysSo(t *testing.T) {
	t.Parallel()
	for kind, n := range nested {
		routeOnly, sourceOnly := kind == "route", kind == "event source"
		for name, test := range map[string]struct {
			answers map[string]http.HandlerFunc
			skip    bool
			want    string // "" if the object is gone
		}{
			"list without it": {answers: map[string]http.HandlerFunc{n.list: body(200, n.other)}},
			"empty list":      {answers: map[string]http.HandlerFunc{n.list: body(200, n.empty)}},
			"list absent":     {answers: map[string]http.HandlerFunc{n.list: body(200, n.noMember)}, skip: sourceOnly},
			"parent is gone":  {answers: map[string]http.HandlerFunc{n.parents: body(200, n.noParents)}},
			"list with it":    {answers: map[string]http.HandlerFunc{n.list: body(200, n.full)}, want: "contains it"},
			"list has no sources": {
				answers: map[string]http.HandlerFunc{n.list: body(200, `{}`)}, skip: routeOnly, want: "no field sources",
			},
			"list of another parent": {
				answers: map[string]http.HandlerFunc{n.list: body(200, `{"id":"edghts_9"}`)}, skip: sourceOnly, want: `expected the ID "edghts_1"`,
			},
			"parent exists": {
				answers: map[string]http.HandlerFunc{n.parent: body(200, n.parentBody)}, skip: routeOnly, want: "sources failed (list event sources: 404 Not Found",
			},
			"parent is in its list": {answers: map[string]http.HandlerFunc{n.parents: body(200, n.parentList)}, want: "GET BASE" + n.parents + " contains it"},
			"403 for the parents":   {answers: map[string]http.HandlerFunc{n.parents: body(403, `{"msg":"no lists"}`)}, want: "403 Forbidden: no lists"},
			"404 everywhere":        {answers: map[string]http.HandlerFunc{}, want: "GET BASE" + n.parents + " failed"},
			"403 for the list":      {answers: map[string]http.HandlerFunc{n.list: body(403, `{"msg":"not you"}`)}, want: "403 Forbidden: not you"},
		} {
			for operation, call := range map[string]func(context.Context, *Client) error{"read": n.read, "delete": n.remove} {
				if test.skip {
					continue
				}
				s := &routes{answers: map[string]http.HandlerFunc{"DELETE " + n.path: body(404, notFound)}}
				for path, answer := range test.answers {
					s.answers["GET "+path] = answer
				}
				client := serve(t, s.ServeHTTP, func(c *Config) { c.MaxRetries = 0 })
				err := call(t.Context(), client)
				_, unconfirmed := errors.AsType[*UnconfirmedError](err)
				switch {
				case test.want == "" && operation == "read":
					if !IsGone(err) {
						t.Errorf("%s, %s, %s: got %v", kind, name, operation, err)
					}
				case test.want == "":
					if err != nil {
						t.Errorf("%s, %s, %s: got %v", kind, name, operation, err)
					}
				case !unconfirmed || IsGone(err):
					t.Errorf("%s, %s, %s: got %v", kind, name, operation, err)
				default:
					contains(t, err.Error(), operation+" "+n.noun+": ", "404 Not Found", "base_url is "+client.base, strings.ReplaceAll(test.want, "BASE", client.base))
				}
			}
		}
	}
}
