package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// serve runs a handler and returns a client for it.
func serve(t *testing.T, handler http.HandlerFunc, change ...func(*Config)) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	base, err := ParseBaseURL(server.URL, false)
	if err != nil {
		t.Fatal(err)
	}
	config := Config{BaseURL: base, APIKey: "key-of-the-test", UserAgent: "test/1", MaxRetries: 2, RequestTimeout: 5 * time.Second}
	for _, c := range change {
		c(&config)
	}
	client := New(config)
	client.retry.RetryWaitMin, client.retry.RetryWaitMax = time.Millisecond, 10*time.Millisecond
	return client
}

func apiError(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

const gone = `{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"no such thing","details":{"operation_id":"op_1"}}`

func TestRequestsCarryKeyVersionAndCaller(t *testing.T) {
	t.Parallel()
	var got http.Header
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		io.WriteString(w, `{"id":"sshcr_1"}`)
	}, func(c *Config) {
		c.Headers = map[string]string{"X-Gateway": "g", "authorization": "mine", "Service-Version": "9", "User-Agent": "me"}
	})
	if _, err := client.SSHCredentials().Get(t.Context(), "sshcr_1"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer key-of-the-test", "Service-Version": "2", "User-Agent": "test/1", "X-Gateway": "g", "Accept": "application/json",
	} {
		if got.Get(name) != want || len(got.Values(name)) != 1 {
			t.Errorf("%s: %q, want %q", name, got.Values(name), want)
		}
	}
}

func TestBaseURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://api.example.com":          "https://api.example.com",
		"https://api.example.com/":         "https://api.example.com",
		"https://api.example.com/tunnel//": "https://api.example.com/tunnel",
		"http://127.0.0.1:8480":            "http://127.0.0.1:8480",
		"http://localhost/v2/":             "http://localhost/v2",
		"http://[::1]:80":                  "http://[::1]:80",
		"https://h/a%2Fb/":                 "https://h/a%2Fb",
	} {
		if base, err := ParseBaseURL(raw, false); err != nil || base.String() != want {
			t.Errorf("%s: %v, %v; want %s", raw, base, err, want)
		}
	}
	for raw, want := range map[string]string{
		"api.example.com":           "https://",
		"ftp://api.example.com":     `"ftp"`,
		"https://":                  "no host",
		"https:///path":             "no host",
		"http://api.example.com":    "allow_plain_http",
		"https://u:sec@host":        "user name",
		"https://host?x=1":          "query",
		"https://host#f":            "fragment",
		"https://host:port":         "is not a URL",
		"https://u:sec/ret@host":    "is not a URL",
		"http://127.0.0.1.evil.com": "allow_plain_http",
		"://":                       "is not a URL",
	} {
		if _, err := ParseBaseURL(raw, false); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sec") {
			t.Errorf("%s: error %v, want one with %q", raw, err, want)
		}
	}
	if _, err := ParseBaseURL("http://api.example.com", true); err != nil {
		t.Errorf("allowed plain HTTP: %v", err)
	}
}

func TestPathsFollowTheBaseURL(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "/", "/tunnel/v2", "/tunnel/v2/"} {
		var path string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path = r.URL.EscapedPath()
			io.WriteString(w, `{"id":"a/b %"}`)
		}))
		base, err := ParseBaseURL(server.URL+suffix, false)
		if err != nil {
			t.Fatal(err)
		}
		client := New(Config{BaseURL: base, RequestTimeout: time.Second})
		if _, err := client.TLSCertificates().Get(t.Context(), "a/b %"); err != nil {
			t.Error(err)
		}
		if want := strings.TrimSuffix(suffix, "/") + "/tls_certificates/a%2Fb%20%25"; path != want {
			t.Errorf("asked for %s, want %s", path, want)
		}
		server.Close()
	}
}

func TestIdsThatWouldLeaveTheirPathAreNotSent(t *testing.T) {
	t.Parallel()
	client := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.TLSCertificates().Get(t.Context(), id); err == nil {
			t.Errorf("%q was taken for an id", id)
		}
		if err := client.TLSCertificates().Delete(t.Context(), id); err == nil {
			t.Errorf("%q was taken for an id to delete", id)
		}
	}
}

func TestOnlyTheServicesOwn404IsGone(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		gone   bool
	}{
		"whole form":             {404, gone, true},
		"no code, no details":    {404, `{"msg":"no such thing"}`, true},
		"details null":           {404, `{"msg":"no","details":null,"error_code":null}`, true},
		"details of wrong types": {404, `{"msg":"no","details":{"operation_id":7}}`, true},
		"HTML":                   {404, `<html>not here</html>`, false},
		"empty":                  {404, ``, false},
		"JSON of somebody else":  {404, `{"message":"no Route matched"}`, false},
		"JSON, no object":        {404, `[]`, false},
		"null":                   {404, `null`, false},
		"body says 404":          {400, gone, false},
		"server error":           {500, gone, false},
	} {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { apiError(w, test.status, test.body) })
		_, err := client.SSHCredentials().Get(t.Context(), "sshcr_1")
		if err == nil || IsGone(err) != test.gone {
			t.Errorf("%s: IsGone(%v) = %v", name, err, IsGone(err))
		}
	}
}

func TestErrorsTellWhatHappenedAndNoSecret(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		apiError(w, 400, `{"error_code":"ERR_TUNNEL_609","msg":"key key-of-the-test and hhhhhhhhhh \u001b[31m: -----BEGIN EC PRIVATE KEY-----\nabc","details":{"operation_id":"op_7","field":"acl[1]"}}`)
	}, func(c *Config) { c.Headers = map[string]string{"X-Gateway": "hhhhhhhhhh"} })
	_, err := client.SSHCredentials().Update(t.Context(), "sshcr_1", SSHCredentialUpdate{})
	want := "update SSH credential sshcr_1: 400 Bad Request: key (API key) and (header X-Gateway) [31m: (private key) (ERR_TUNNEL_609, field acl[1], operation op_7)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestHTMLErrorNamesTheProxy(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(403)
		io.WriteString(w, "<html>Forbidden</html>")
	})
	_, err := client.SSHCredentials().Get(t.Context(), "sshcr_1")
	if err == nil || !strings.Contains(err.Error(), "403 Forbidden") || !strings.Contains(err.Error(), "text/html") || !strings.Contains(err.Error(), "base_url") {
		t.Errorf("got %v", err)
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	collection := func(c *Client) SSHCredentials { return c.SSHCredentials() }
	calls := map[string]func(context.Context, *Client) error{
		"GET": func(ctx context.Context, c *Client) error { _, err := collection(c).Get(ctx, "x"); return err },
		"POST": func(ctx context.Context, c *Client) error {
			_, err := collection(c).Create(ctx, SSHCredentialCreate{})
			return err
		},
		"PATCH": func(ctx context.Context, c *Client) error {
			_, err := collection(c).Update(ctx, "x", SSHCredentialUpdate{})
			return err
		},
		"DELETE": func(ctx context.Context, c *Client) error { return collection(c).Delete(ctx, "x") },
	}
	for _, test := range []struct {
		fault string
		spoil func(http.ResponseWriter)
		again map[string]bool
	}{
		{"429", func(w http.ResponseWriter) { apiError(w, 429, `{"msg":"slow down"}`) }, map[string]bool{"GET": true, "POST": true, "PATCH": true, "DELETE": true}},
		{"502", func(w http.ResponseWriter) { w.WriteHeader(502) }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(503) }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"504", func(w http.ResponseWriter) { w.WriteHeader(504) }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"500", func(w http.ResponseWriter) { w.WriteHeader(500) }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"a proxy's page", func(w http.ResponseWriter) { io.WriteString(w, "<html>") }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"empty", func(w http.ResponseWriter) { w.WriteHeader(200) }, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"400", func(w http.ResponseWriter) { apiError(w, 400, `{"msg":"no"}`) }, nil},
		{"hung up", hangUp, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
		{"cut in the middle", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"id":`)
		}, map[string]bool{"GET": true, "PATCH": true, "DELETE": true}},
	} {
		for method, call := range calls {
			t.Run(test.fault+" "+method, func(t *testing.T) {
				t.Parallel()
				var tries atomic.Int32
				client := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if tries.Add(1) == 1 {
						test.spoil(w)
						return
					}
					if r.Method == http.MethodDelete {
						w.WriteHeader(204)
						return
					}
					io.WriteString(w, `{"id":"x"}`)
				})
				err := call(t.Context(), client)
				if again := tries.Load() == 2; again != test.again[method] || again != (err == nil) {
					t.Errorf("%d tries, error %v; again should be %v", tries.Load(), err, test.again[method])
				}
			})
		}
	}
}

func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		conn.Close()
	}
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		tries.Add(1)
		apiError(w, 503, `{"msg":"down for maintenance"}`)
	})
	_, err := client.SSHCredentials().Get(t.Context(), "x")
	if err == nil || !strings.Contains(err.Error(), "down for maintenance") || tries.Load() != 3 {
		t.Errorf("%d tries, error %v; want 3 and the last answer", tries.Load(), err)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	var first, second time.Time
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if tries.Add(1) == 1 {
			first = time.Now()
			w.Header().Set("Retry-After", "1")
			apiError(w, 429, `{"msg":"slow down"}`)
			return
		}
		second = time.Now()
		io.WriteString(w, `{"id":"x"}`)
	})
	if _, err := client.SSHCredentials().Get(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	if waited := second.Sub(first); waited < time.Second {
		t.Errorf("waited %s, the service asked for 1 s", waited)
	}
}

func TestWaitBeforeRetryIsWithinReason(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][2]time.Duration{
		"":                    {time.Second, 1500 * time.Millisecond},
		"7":                   {7 * time.Second, 10500 * time.Millisecond},
		"86400":               {longestAsked, longestAsked + longWait},
		"9223372036854775807": {longestAsked, longestAsked + longWait},
		"-1":                  {time.Second, 1500 * time.Millisecond},
		"soon":                {time.Second, 1500 * time.Millisecond},
	} {
		resp := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {header}}}
		if got := waitBeforeRetry(firstWait, longWait, 1, resp); got < want[0] || got > want[1] {
			t.Errorf("Retry-After %q: waits %s, want %s to %s", header, got, want[0], want[1])
		}
	}
	if got := waitBeforeRetry(firstWait, longWait, 90, nil); got < longWait {
		t.Errorf("the 90th wait is %s", got)
	}
}

func TestWhatWillNotChangeIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(untrusted.Close)
	for _, raw := range []string{untrusted.URL, "https://no-such-host.invalid"} {
		base, err := ParseBaseURL(raw, false)
		if err != nil {
			t.Fatal(err)
		}
		client := New(Config{BaseURL: base, MaxRetries: 1, RequestTimeout: time.Minute})
		tries := 0
		client.retry.Backoff = func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { tries++; return 0 }
		if _, err := client.SSHCredentials().Get(t.Context(), "x"); err == nil || tries > 0 {
			t.Errorf("%s: %v, tried again %d times", raw, err, tries)
		}
	}
}

func TestPostToAClosedPortIsTriedAgain(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := &url.URL{Scheme: "http", Host: listener.Addr().String()}
	listener.Close()
	client := New(Config{BaseURL: base, MaxRetries: 20, RequestTimeout: time.Second})
	client.retry.RetryWaitMin, client.retry.RetryWaitMax = 20*time.Millisecond, 20*time.Millisecond
	go func() {
		time.Sleep(50 * time.Millisecond)
		again, err := net.Listen("tcp", base.Host)
		if err != nil {
			return
		}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":"x"}`) })}
		t.Cleanup(func() { server.Close() })
		server.Serve(again)
	}()
	if _, err := client.SSHCredentials().Create(t.Context(), SSHCredentialCreate{}); err != nil {
		t.Error(err)
	}
}

func TestCancelEndsAWait(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		apiError(w, 429, `{"msg":"slow down"}`)
	})
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errors.New("enough"))
	defer cancel()
	begun := time.Now()
	_, err := client.SSHCredentials().Get(ctx, "x")
	if err == nil || !strings.Contains(err.Error(), "enough") || time.Since(begun) > 5*time.Second {
		t.Errorf("after %s: %v", time.Since(begun), err)
	}
}

func TestSlowAnswerIsNamed(t *testing.T) {
	t.Parallel()
	client := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}, func(c *Config) { c.RequestTimeout, c.MaxRetries = 30*time.Millisecond, 0 })
	if _, err := client.SSHCredentials().Get(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "request_timeout") {
		t.Errorf("got %v", err)
	}
}

func TestAnswerOverTenMiBIsRefused(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		tries.Add(1)
		io.WriteString(w, `{"id":"x","description":"`)
		for range 11 {
			io.WriteString(w, strings.Repeat("a", 1<<20))
		}
	})
	if _, err := client.SSHCredentials().Get(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "10 MiB") || tries.Load() != 1 {
		t.Errorf("%d tries, error %v", tries.Load(), err)
	}
}

func TestKeyStaysWithItsOrigin(t *testing.T) {
	t.Parallel()
	var foreign atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { foreign.Add(1) }))
	t.Cleanup(other.Close)
	for name, handler := range map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) },
		"next page": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"ssh_credentials":[],"next_page_uri":%q}`, other.URL+"/ssh_credentials")
		},
		"metadata service": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"ssh_credentials":[],"next_page_uri":"http://169.254.169.254/latest"}`)
		},
		"file": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"ssh_credentials":[],"next_page_uri":"file:///etc/passwd"}`)
		},
		"relative": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"ssh_credentials":[],"next_page_uri":"//evil.example/x"}`)
		},
	} {
		client := serve(t, handler)
		var last error
		for _, err := range client.SSHCredentials().List(t.Context()) {
			last = err
		}
		if last == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if foreign.Load() != 0 {
		t.Errorf("%d requests went to another origin", foreign.Load())
	}
}

func TestRedirectWithinTheOriginIsFollowedForReadsOnly(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/new") {
			http.Redirect(w, r, "/new"+r.URL.Path, http.StatusMovedPermanently)
			return
		}
		if r.Header.Get("Authorization") == "" {
			t.Error("the key got lost")
		}
		io.WriteString(w, `{"id":"x"}`)
	})
	if _, err := client.SSHCredentials().Get(t.Context(), "x"); err != nil {
		t.Error(err)
	}
	if _, err := client.SSHCredentials().Create(t.Context(), SSHCredentialCreate{}); err == nil || !strings.Contains(err.Error(), "redirects POST") {
		t.Errorf("a redirected POST: %v", err)
	}
}

func TestListFollowsPages(t *testing.T) {
	t.Parallel()
	var client *Client
	client = serve(t, func(w http.ResponseWriter, r *http.Request) {
		before := r.URL.Query().Get("before_id")
		page := map[string]any{"uri": "u", "more": map[string]any{"deep": []int{1}}}
		switch before {
		case "":
			page["ssh_credentials"] = []map[string]any{{"id": "a", "new_field": 1}, {"id": "b"}}
			page["next_page_uri"] = client.base + "/ssh_credentials?before_id=b"
		case "b":
			page["ssh_credentials"] = []map[string]any{{"id": "c", "acl": nil}}
			page["next_page_uri"] = nil
		}
		json.NewEncoder(w).Encode(page)
	})
	var ids []string
	for object, err := range client.SSHCredentials().List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, object.ID)
	}
	if strings.Join(ids, " ") != "a b c" {
		t.Errorf("got %v", ids)
	}
}

func TestListWithoutAnEndIsAnError(t *testing.T) {
	t.Parallel()
	var pages atomic.Int32
	var client *Client
	client = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"ssh_credentials":[],"next_page_uri":"%s/ssh_credentials?n=%d"}`, client.base, pages.Add(1))
	})
	for _, err := range client.SSHCredentials().List(t.Context()) {
		if err == nil || !strings.Contains(err.Error(), "never end") {
			t.Fatalf("after %d pages: %v", pages.Load(), err)
		}
	}
	if pages.Load() != mostPages {
		t.Errorf("%d pages were asked for, expected %d", pages.Load(), mostPages)
	}
}

func TestListStopsWhereTheCallerDoes(t *testing.T) {
	t.Parallel()
	var pages atomic.Int32
	var client *Client
	client = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"ssh_credentials":[{"id":"a"},{"id":"b"}],"next_page_uri":"%s/ssh_credentials?n=%d"}`, client.base, pages.Add(1))
	})
	for range client.SSHCredentials().List(t.Context()) {
		break
	}
	if pages.Load() != 1 {
		t.Errorf("%d pages were fetched for one object", pages.Load())
	}
}

func TestBrokenListsAreErrors(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"circle":     `{"ssh_credentials":[],"next_page_uri":"BASE/ssh_credentials"}`,
		"no field":   `{"items":[]}`,
		"no object":  `[]`,
		"no JSON":    `<html>`,
		"cut":        `{"ssh_credentials":[{"id":"a"}`,
		"wrong type": `{"ssh_credentials":[{"id":5}]}`,
		"no id":      `{"ssh_credentials":[{}]}`,
		"next is 5":  `{"ssh_credentials":[],"next_page_uri":5}`,
		"empty":      ``,
	} {
		var client *Client
		client = serve(t, func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, strings.ReplaceAll(body, "BASE", client.base))
		})
		var last error
		rounds := 0
		for _, err := range client.SSHCredentials().List(t.Context()) {
			last = err
			if rounds++; rounds > 10 {
				break
			}
		}
		if last == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestAnswersAboutSomethingElseAreErrors(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no id": `{}`, "null": `null`, "another": `{"id":"y"}`, "HTML": `<html>`, "number for string": `{"id":"x","description":5}`, "empty": ``,
	} {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		if _, err := client.SSHCredentials().Get(t.Context(), "x"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
