package api

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// notFoundBodies are bodies of a 404. The contract does not describe them, so
// none says more than another.
var notFoundBodies = map[string]http.HandlerFunc{
	"form of the API":     body(404, notFound),
	"empty object":        body(404, `{}`),
	"error":               body(404, `{"error":"not found"}`),
	"message":             body(404, `{"message":"no such object"}`),
	"problem":             body(404, `{"type":"about:blank","title":"Not Found","status":404}`),
	"code is a number":    body(404, `{"error_code":404,"msg":"gone"}`),
	"page":                page(404),
	"text":                func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, nil) },
	"empty":               func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) },
	"null":                body(404, `null`),
	"array":               body(404, `[]`),
	"members of any type": body(404, `{"msg":5,"details":[],"error_code":{}}`),
	"410":                 body(410, `{"msg":"it was deleted"}`),
	"410 page":            page(410),
}

const (
	getBackend  = "GET /backends/failover/bkdfo_1"
	listBackend = "GET /backends/failover"
	backendBody = `{"id":"bkdfo_1","created_at":"2026-11-21T08:15:30Z","backends":[]}`
	noBackends  = `{"backends":[],"next_page_uri":null}`
	oneBackend  = `{"backends":[` + backendBody + `],"next_page_uri":null}`
)

func TestGone_isA404OfAnyFormThatTheListConfirms(t *testing.T) {
	t.Parallel()
	for name, answer := range notFoundBodies {
		s := &routes{answers: map[string]http.HandlerFunc{getBackend: answer, "DELETE /backends/failover/bkdfo_1": answer, listBackend: body(200, noBackends)}}
		client := serve(t, s.ServeHTTP)
		if _, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{}); !IsGone(err) {
			t.Errorf("%s: got %v", name, err)
		}
		if gets, lists := s.count(getBackend), s.count(listBackend); gets != 2 || lists != 1 {
			t.Errorf("%s: %d GETs and %d lists", name, gets, lists)
		}
		if err := deletion(FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{})); err != nil {
			t.Errorf("%s: delete: %v", name, err)
		}
	}
}

func TestGone_needsAListWithoutTheObject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list http.HandlerFunc
		want string
	}{
		"contains it":   {body(200, oneBackend), "contains it"},
		"401":           {body(401, `{"msg":"who"}`), "401 Unauthorized: who"},
		"403":           {body(403, `{"msg":"no lists"}`), "403 Forbidden: no lists"},
		"404":           {body(404, notFound), "404 Not Found"},
		"503":           {body(503, `{"msg":"down"}`), "503 Service Unavailable: down"},
		"page":          {page(200), "not a JSON object"},
		"other field":   {body(200, `{"items":[]}`), "backends"},
		"empty object":  {body(200, `{}`), "backends"},
		"no list":       {body(200, `{"backends":{}}`), "unexpected response"},
		"item is wrong": {body(200, `{"backends":[{}]}`), "no ID"},
		"second page fails": {inOrder(func(w http.ResponseWriter, _ *http.Request) {
			apiError(w, 200, `{"backends":[],"next_page_uri":"?before_id=x"}`)
		}, body(403, `{"msg":"too far"}`)), "403 Forbidden: too far"},
	} {
		for what, path := range map[string]string{"read": getBackend, "delete": "DELETE /backends/failover/bkdfo_1"} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				s := &routes{answers: map[string]http.HandlerFunc{path: body(404, notFound), listBackend: test.list}}
				client := serve(t, s.ServeHTTP, func(c *Config) { c.MaxRetries = 0 })
				var err error
				if what == "delete" {
					err = deletion(FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{}))
				} else {
					_, err = FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{})
				}
				if _, ok := errors.AsType[*UnconfirmedError](err); !ok || IsGone(err) {
					t.Fatalf("got %v, want an unconfirmed 404", err)
				}
				contains(t, err.Error(), what+" failover backend bkdfo_1: 404 Not Found: no such thing", "GET "+client.base+"/backends/failover", test.want, "base_url is "+client.base)
			})
		}
	}
}

func TestGone_isNoSingle404(t *testing.T) {
	t.Parallel()
	s := &routes{answers: map[string]http.HandlerFunc{getBackend: inOrder(body(404, notFound), body(200, backendBody)), listBackend: body(200, noBackends)}}
	client := serve(t, s.ServeHTTP)
	if object, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{}); err != nil || object.ID != "bkdfo_1" {
		t.Errorf("got %v, %v", object, err)
	}
}

func TestGone_isNo404AfterARedirect(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307, 308} {
		redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", status) }
		s := &routes{answers: map[string]http.HandlerFunc{getBackend: redirect, "DELETE /backends/failover/bkdfo_1": redirect, listBackend: body(200, noBackends)}}
		client := serve(t, s.ServeHTTP)
		_, read := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{})
		for what, err := range map[string]error{"read": read, "delete": deletion(FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{}))} {
			if err == nil || IsGone(err) || s.count(listBackend) != 0 {
				t.Errorf("%d, %s: got %v", status, what, err)
				continue
			}
			contains(t, err.Error(), "redirected", "base_url")
		}
	}
}

func TestGone_manyObjectsShareOneWalk(t *testing.T) {
	t.Parallel()
	all := newAccount(1000, 100)
	remaining := newAccount(700, 100)
	client := serve(t, remaining.ServeHTTP)
	if gone := readAll(t, client, all.ids, 10); gone != 300 {
		t.Errorf("%d are gone, want 300", gone)
	}
	if pages, gets := remaining.pages.Load(), remaining.gets.Load(); pages != 7 || gets != 1300 {
		t.Errorf("%d pages and %d GETs; want 7, and one more GET for each object that is gone", pages, gets)
	}
}

// The first DELETE is processed, and its response is lost.
func TestDelete_afterALostAnswerIsDone(t *testing.T) {
	t.Parallel()
	var deleted atomic.Bool
	list := func(w http.ResponseWriter, _ *http.Request) {
		if deleted.Load() {
			apiError(w, 200, noBackends)
			return
		}
		apiError(w, 200, oneBackend)
	}
	s := &routes{answers: map[string]http.HandlerFunc{
		listBackend: list, "GET /backends/failover/other": body(404, notFound),
		"DELETE /backends/failover/bkdfo_1": inOrder(func(w http.ResponseWriter, _ *http.Request) {
			deleted.Store(true)
			hangUp(w)
		}, body(404, notFound)),
	}}
	client := serve(t, s.ServeHTTP)
	var group sync.WaitGroup
	group.Go(func() { // an earlier walk through the list contains the object
		if _, err := FailoverBackends.Of(client).Read(t.Context(), "other", time.Time{}); !IsGone(err) {
			t.Error(err)
		}
	})
	group.Wait()
	if err := deletion(FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{})); err != nil {
		t.Error(err)
	}
}

// Without the response, nobody can know whether the object existed.
func TestDelete_saysWhatIsKnown(t *testing.T) {
	t.Parallel()
	lost := func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }
	for name, test := range map[string]struct {
		answers  []http.HandlerFunc
		want     Deletion
		ofModule Deletion // whose parent is the witness, so there is no second DELETE
	}{
		"204":             {[]http.HandlerFunc{body(204, "")}, Deleted, Deleted},
		"404":             {[]http.HandlerFunc{body(404, notFound)}, AlreadyGone, AlreadyGone},
		"503, then 404":   {[]http.HandlerFunc{body(503, `{}`), body(404, notFound)}, NowGone, NowGone},
		"429, then 404":   {[]http.HandlerFunc{body(429, `{}`), body(404, notFound)}, AlreadyGone, AlreadyGone},
		"404, then 204":   {[]http.HandlerFunc{body(404, notFound), body(204, "")}, Deleted, AlreadyGone},
		"reset, then 404": {[]http.HandlerFunc{lost, body(404, notFound)}, NowGone, NowGone},
	} {
		s := &routes{answers: map[string]http.HandlerFunc{
			"DELETE /backends/failover/bkdfo_1": inOrder(test.answers...), listBackend: body(200, noBackends),
			"DELETE " + policyPath: inOrder(test.answers...), getPolicy: body(404, notFound), "GET /edges/tls/edgtls_1": body(200, `{"id":"edgtls_1","policy":null}`),
		}}
		client := serve(t, s.ServeHTTP)
		if result, err := FailoverBackends.Of(client).Delete(t.Context(), "bkdfo_1", time.Time{}); err != nil || result != test.want {
			t.Errorf("%s: got %v, %v", name, result, err)
		}
		if result, err := TLSEdgePolicy.Of(client, "edgtls_1").Delete(t.Context()); err != nil || result != test.ofModule {
			t.Errorf("module, %s: got %v, %v", name, result, err)
		}
	}
}

// The guide promises the number of seconds that the code has.
func TestGone_secondsOfTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../templates/guides/troubleshooting.md.tmpl")
	if want := fmt.Sprintf("younger than %.0f seconds", recent.Seconds()); err != nil || !strings.Contains(string(guide), want) {
		t.Errorf("the guide does not say %q: %v", want, err)
	}
}

// An object that is new by the service's own times is not gone, and nothing waits.
func TestGone_isNoNewObject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		age  time.Duration // at the 404
		gone bool
	}{
		"just created": {0, false}, "29 seconds": {29 * time.Second, false}, "30 seconds": {30 * time.Second, true}, "in the future": {-time.Second, true},
	} {
		for _, skew := range []time.Duration{0, 7 * time.Hour} {
			reads := 0
			inBubble(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", time.Now().Add(skew).UTC().Format(http.TimeFormat))
				if r.URL.Path == "/backends/failover" {
					apiError(w, 200, noBackends)
					return
				}
				reads++
				apiError(w, 404, notFound)
			}, func(t *testing.T, client *Client) {
				begun := time.Now()
				_, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", begun.Add(skew-test.age))
				switch {
				case IsGone(err) != test.gone || !time.Now().Equal(begun):
					t.Errorf("%s, clock %s off: %v after %s", name, skew, err, time.Since(begun))
				case !test.gone && reads != 1:
					t.Errorf("%s: %d reads", name, reads)
				case !test.gone:
					contains(t, err.Error(), "it was created less than 30 seconds ago, and reads of the service may lag behind")
				}
			})
		}
	}
}
