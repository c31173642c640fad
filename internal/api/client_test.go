package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestClient_sendsKeyVersionAndCaller(t *testing.T) {
	t.Parallel()
	var got http.Header
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		io.WriteString(w, `{"id":"sshcr_1"}`)
	}, func(c *Config) {
		c.Headers = map[string]string{"X-Gateway": "g", "authorization": "mine", "Service-Version": "9", "User-Agent": "me"}
	})
	if _, err := SSHCredentials.Of(client).Read(t.Context(), "sshcr_1", time.Time{}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer " + testKey, "Service-Version": "2", "User-Agent": "test/1", "X-Gateway": "g", "Accept": "application/json",
	} {
		if got.Get(name) != want || len(got.Values(name)) != 1 {
			t.Errorf("%s: %q, want %q", name, got.Values(name), want)
		}
	}
	if sent := got.Values("Content-Type"); len(sent) > 0 {
		t.Errorf("a request without a body has the Content-Type %q", sent)
	}
}

func TestClient_reservesItsHeaders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"Authorization", "authorization", "service-version", "User-Agent", "Accept", "accept", "Accept-Encoding", "accept-encoding",
		"Host", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection",
		"Idempotency-Key", "idempotency-key", "X-Idempotency-Key",
	} {
		if !ReservedHeader(name) {
			t.Errorf("%s can be set", name)
		}
	}
	for _, name := range []string{"X-Gateway", "CF-Access-Client-Id", "Cookie", "Accept-Language"} {
		if ReservedHeader(name) {
			t.Errorf("%s cannot be set", name)
		}
	}
}

func TestClient_appendsPathsToTheBaseURL(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "/", "/tunnel/v2", "/tunnel/v2/"} {
		var path string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path = r.URL.EscapedPath()
			io.WriteString(w, `{"id":"a b %"}`)
		}))
		client := New(testConfig(t, server.URL+suffix))
		if _, err := TLSCertificates.Of(client).Read(t.Context(), "a b %", time.Time{}); err != nil {
			t.Error(err)
		}
		if want := strings.TrimSuffix(suffix, "/") + "/tls_certificates/a%20b%20%25"; path != want {
			t.Errorf("asked for %s, want %s", path, want)
		}
		server.Close()
	}
}

// badIDs are ids that are not valid in a path, or not safe to print.
var badIDs = map[string]string{
	"empty": "", "dot": ".", "two dots": "..", "up": "../x", "slash": "a/b",
	"newline": "a\nb", "escape": "a\x1b[31mb", "NUL": "a\x00b", "C1 control": "a\u009bb", "zero width": "a\u200bb", "right to left": "a\u202eb", "not UTF-8": "a\xffb",
}

func TestClient_neverAsksForABadID(t *testing.T) {
	t.Parallel()
	client := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for name, id := range badIDs {
		for what, call := range map[string]func() error{
			"get":           func() error { _, err := TLSCertificates.Of(client).Read(t.Context(), id, time.Time{}); return err },
			"update":        func() error { _, err := TLSCertificates.Of(client).Update(t.Context(), id, Details{}); return err },
			"delete":        func() error { return deletion(TLSCertificates.Of(client).Delete(t.Context(), id, time.Time{})) },
			"read module":   func() error { _, err := TLSEdgePolicy.Of(client, id).Get(t.Context(), false); return err },
			"put module":    func() error { _, err := Compression.Of(client, "e", id).Put(t.Context(), RouteModule{}); return err },
			"delete module": func() error { return deletion(WebsocketTCPConverter.Of(client, id, "r").Delete(t.Context())) },
			"create nested": func() error {
				_, err := EventSources.Of(client, id).Create(t.Context(), EventSourceCreate{Type: "a.v0"})
				return err
			},
			"list nested": func() error {
				for _, err := range EventSources.Of(client, id).List(t.Context()) {
					return err
				}
				return nil
			},
		} {
			err := call()
			if err == nil || IsGone(err) {
				t.Errorf("%s, %s: got %v", name, what, err)
				continue
			}
			if strings.ContainsFunc(err.Error(), unfit) || len(err.Error()) > 400 {
				t.Errorf("%s, %s: the error repeats it: %q", name, what, err)
			}
		}
	}
}

func TestUpdate_isOnePATCHOfTheWholeBody(t *testing.T) {
	t.Parallel()
	var requests []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		requests = append(requests, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+" "+string(text))
		io.WriteString(w, `{"id":"bkdfo_1","created_at":"2026-11-21T08:15:30Z"}`)
	})
	if _, err := FailoverBackends.Of(client).Update(t.Context(), "bkdfo_1", FailoverBackendBody{Backends: []string{}}); err != nil {
		t.Error(err)
	}
	if want := []string{`PATCH /backends/failover/bkdfo_1 application/json {"description":"","metadata":"","backends":[]}`}; !slices.Equal(requests, want) {
		t.Errorf("sent %q, want %q", requests, want)
	}
}

func TestClient_logsEveryAttempt(t *testing.T) {
	t.Parallel()
	n := 0
	log, lines := newLog()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(operationIDHeader, "op_9")
		if n++; n == 1 {
			hangUp(w)
			return
		}
		io.WriteString(w, `{"id":"a","description":"of nobody's business"}`)
	}, log)
	if _, err := SSHCredentials.Of(client).Read(t.Context(), "a", time.Time{}); err != nil {
		t.Fatal(err)
	}
	text := lines()
	contains(t, text, "request failed", "GET", "/ssh_credentials/a", "200", "op_9", "duration_ms")
	if strings.Contains(text, "business") || strings.Contains(text, testKey) || strings.Count(text, "GET") != 2 {
		t.Errorf("logged %s", text)
	}
}

func TestClient_limitsEachAttempt(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
		if n.Add(1) == 1 {
			w.WriteHeader(200) // the body follows in small pieces
			for range 100 {
				time.Sleep(time.Second)
				io.WriteString(w, " ")
				w.(http.Flusher).Flush() //nolint:forcetypeassert // as in net/http
			}
		}
		io.WriteString(w, `{"id":"a"}`)
	}, func(t *testing.T, client *Client) {
		begun := time.Now()
		if _, err := SSHCredentials.Of(client).Read(t.Context(), "a", time.Time{}); err != nil || time.Since(begun) > 32*time.Second {
			t.Errorf("got %v after %s", err, time.Since(begun))
		}
	})
}
