package api

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// lists answers requests for the given paths, and all others with 404. It
// counts the requests for each path.
func lists(counts *sync.Map, answers map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n, _ := counts.LoadOrStore(r.URL.Path, new(atomic.Int32))
		n.(*atomic.Int32).Add(1) //nolint:forcetypeassert // stored above
		if answer, ok := answers[r.URL.Path]; ok {
			answer(w, r)
			return
		}
		apiError(w, 404, notFound)
	}
}

func counted(counts *sync.Map, path string) int {
	n, ok := counts.Load(path)
	if !ok {
		return 0
	}
	return int(n.(*atomic.Int32).Load()) //nolint:forcetypeassert // as stored
}

func body(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { apiError(w, status, text) }
}

// goneReads are requests for something that the service says is gone, with the
// list that proves it.
var goneReads = map[string]struct {
	list, field string
	read        func(context.Context, *Client) error
}{
	"collection": {"/tls_certificates", "tls_certificates", func(ctx context.Context, c *Client) error {
		_, err := c.TLSCertificates().Read(ctx, "a")
		return err
	}},
	"update": {"/ssh_credentials", "ssh_credentials", func(ctx context.Context, c *Client) error {
		_, err := c.SSHCredentials().Update(ctx, "a", SSHCredentialUpdate{})
		return err
	}},
	"nested collection": {"/backends/failover", "backends", func(ctx context.Context, c *Client) error {
		_, err := c.EventSources("esb_1").Read(ctx, "a.v0")
		return err
	}},
	"module": {"/backends/failover", "backends", func(ctx context.Context, c *Client) error {
		_, err := c.TLSEdgePolicy("edgtls_1").Get(ctx)
		return err
	}},
	"module put": {"/backends/failover", "backends", func(ctx context.Context, c *Client) error {
		_, err := c.Compression("e", "r").Put(ctx, RouteModule{})
		return err
	}},
}

func TestProof_isAskedForOnce(t *testing.T) {
	t.Parallel()
	for name, test := range goneReads {
		for what, answer := range map[string]http.HandlerFunc{
			"proof":       body(200, `{"`+test.field+`":[],"next_page_uri":null}`),
			"null":        body(200, `{"`+test.field+`":null}`),
			"401":         body(401, `{"msg":"who"}`),
			"403":         body(403, `{"msg":"no"}`),
			"404":         body(404, notFound),
			"page":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 200) },
			"other field": body(200, `{"items":[]}`),
			"{}":          body(200, `{}`),
			"not a list":  body(200, `{"`+test.field+`":{}}`),
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				proven := what == "proof" || what == "null"
				var counts sync.Map
				client := serve(t, lists(&counts, map[string]http.HandlerFunc{test.list: answer}), func(c *Config) { c.MaxRetries = 0 })
				for range 2 {
					var group sync.WaitGroup
					for range 20 {
						group.Go(func() {
							err := test.read(t.Context(), client)
							unproven, ok := errors.AsType[*UnprovenError](err)
							if IsGone(err) != proven || ok == proven || !IsNotFound(err) {
								t.Errorf("got %v", err)
							}
							if ok {
								contains(t, unproven.Error(), "404 Not Found: no such thing", "base_url ("+client.base+")", "GET "+test.list)
							}
						})
					}
					group.Wait()
				}
				if n := counted(&counts, test.list); n != 1 {
					t.Errorf("the list was asked for %d times", n)
				}
			})
		}
	}
}

func TestProof_isAnEarlierAnswer(t *testing.T) {
	t.Parallel()
	for name, earlier := range map[string]func(context.Context, *Client) error{
		"object": func(ctx context.Context, c *Client) error { _, err := c.SSHCredentials().Read(ctx, "here"); return err },
		"list": func(ctx context.Context, c *Client) error {
			for _, err := range c.GroupBackends().List(ctx) {
				return err
			}
			return nil
		},
		"creation": func(ctx context.Context, c *Client) error {
			_, err := c.TLSCertificates().Create(ctx, TLSCertificateCreate{})
			return err
		},
		"check": func(ctx context.Context, c *Client) error { return c.Check(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var counts sync.Map
			client := serve(t, lists(&counts, map[string]http.HandlerFunc{
				"/ssh_credentials/here":  body(200, `{"id":"here"}`),
				"/backends/tunnel_group": body(200, `{"backends":[]}`),
				"/tls_certificates":      body(201, `{"id":"cert_1"}`),
				"/backends/failover":     body(200, `{"backends":[]}`),
			}))
			if err := earlier(t.Context(), client); err != nil {
				t.Fatal(err)
			}
			before := counted(&counts, "/backends/failover")
			for what, test := range goneReads {
				if err := test.read(t.Context(), client); !IsGone(err) {
					t.Errorf("%s: got %v", what, err)
				}
			}
			if counted(&counts, "/backends/failover") != before {
				t.Error("a list was asked for although there was a proof")
			}
		})
	}
}

// A response that says nothing about the address is not a proof.
func TestProof_isNoOtherAnswer(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"401": body(401, `{"msg":"who"}`), "403": body(403, `{"msg":"no"}`), "400": body(400, `{"msg":"no"}`), "page": func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 200) },
		"object without an id": body(200, `{"name":"x"}`), "another object": body(200, `{"id":"other"}`), "{}": body(200, `{}`),
	} {
		var counts sync.Map
		client := serve(t, lists(&counts, map[string]http.HandlerFunc{"/ssh_credentials/here": answer}), func(c *Config) { c.MaxRetries = 0 })
		client.SSHCredentials().Read(t.Context(), "here") //nolint:errcheck // it fails
		if _, err := client.SSHCredentials().Read(t.Context(), "gone"); err == nil || IsGone(err) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestDelete_isDoneOnlyIfTheServiceSaysSo(t *testing.T) {
	t.Parallel()
	proof := body(200, `{"backends":[]}`)
	page := func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 200) }
	for name, test := range map[string]struct {
		answers  []http.HandlerFunc // the last one is repeated
		proof    http.HandlerFunc
		done     bool
		requests int
	}{
		"204":                      {[]http.HandlerFunc{body(204, "")}, body(404, notFound), true, 1},
		"404 with proof":           {[]http.HandlerFunc{body(404, notFound)}, proof, true, 1},
		"404 without proof":        {[]http.HandlerFunc{body(404, notFound)}, body(401, `{"msg":"who"}`), false, 1},
		"404 page":                 {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 404) }}, proof, false, 1},
		"200 and {}":               {[]http.HandlerFunc{body(200, `{}`)}, proof, false, 3},
		"200 without a body":       {[]http.HandlerFunc{body(200, ``)}, proof, false, 3},
		"200 and a page":           {[]http.HandlerFunc{page}, proof, false, 3},
		"202":                      {[]http.HandlerFunc{body(202, `{}`)}, proof, false, 3},
		"page, then 404 and proof": {[]http.HandlerFunc{page, body(404, notFound)}, proof, true, 2},
		"page, then 404":           {[]http.HandlerFunc{page, body(404, notFound)}, body(404, notFound), false, 2},
		"page, then 204":           {[]http.HandlerFunc{page, body(204, "")}, proof, true, 2},
		"409":                      {[]http.HandlerFunc{body(409, `{"msg":"in use"}`)}, proof, false, 1},
	} {
		for what, path := range map[string]string{"object": "/backends/failover/a", "module": "/edges/tls/a/policy", "nested": "/event_subscriptions/s/sources/a"} {
			t.Run(name+" "+what, func(t *testing.T) {
				t.Parallel()
				var counts sync.Map
				n := 0
				client := serve(t, lists(&counts, map[string]http.HandlerFunc{
					"/backends/failover": test.proof,
					path: func(w http.ResponseWriter, r *http.Request) {
						n = min(n+1, len(test.answers))
						test.answers[n-1](w, r)
					},
				}))
				var err error
				switch what {
				case "object":
					err = client.FailoverBackends().Delete(t.Context(), "a")
				case "nested":
					err = client.EventSources("s").Delete(t.Context(), "a")
				default:
					err = client.TLSEdgePolicy("a").Delete(t.Context())
				}
				if (err == nil) != test.done || counted(&counts, path) != test.requests {
					t.Errorf("got %v after %d requests", err, counted(&counts, path))
				}
				if err != nil {
					contains(t, err.Error(), "delete ")
				}
			})
		}
	}
}
