package api

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"
)

const fuzzKey = "key-of-the-fuzz-test"

// A hostile service answers every request with the same, whatever it is asked.
type hostile struct {
	t      *testing.T
	answer func(*http.Request) (status int, body []byte)
	asked  int
}

func (h *hostile) RoundTrip(req *http.Request) (*http.Response, error) {
	h.asked++
	if to := origin(req.URL); to != "https://api.example.com:443" {
		h.t.Errorf("a request went to %s", req.URL)
	}
	if h.asked > 100 {
		h.t.Fatal("the requests never end")
	}
	status, body := h.answer(req)
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)}},
		Body:   io.NopCloser(bytes.NewReader(body)),
	}, nil
}

// against returns a client for a hostile service.
func against(t *testing.T, answer func(*http.Request) (int, []byte)) *Client {
	base := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/v2"}
	client := newClient(Config{BaseURL: base, APIKey: fuzzKey, RequestTimeout: time.Minute, BulkReads: true}, &hostile{t: t, answer: answer})
	client.retry.RetryWaitMin, client.retry.RetryWaitMax = 0, 0
	client.looks = []time.Duration{0, 0}
	return client
}

// FuzzAnswer gives every operation the same answer: none panics or goes on for
// ever, and no error repeats the API key or anything that a terminal obeys.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"id":"sshcr_1","uri":"u","created_at":"2026-11-21T08:15:30Z","acl":null}`, `{"id":5}`, `{"id":"a","id":"b"}`, `null`, `{}`, `[]`, `<html>`, ``, "\x00",
		`{"ssh_credentials":[{"id":"a"}],"next_page_uri":null}`, `{"ssh_credentials":[{"id":"a"}],"ssh_credentials":[]}`,
		`{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"no key-of-the-fuzz-test","details":{"operation_id":"op_1","field":"acl[0]"}}`,
		`{"msg":"-----BEGIN PRIVATE KEY-----\nabc","details":{"field":7}}`, `{"enabled":"yes"}`, `{"inbound":[{"actions":[{"type":"log","config":{"a":1e999}}]}]}`,
		strings.Repeat(`{"a":`, 2000), strings.Repeat("[", 20000), `{"id":"` + strings.Repeat("x", 5000) + `"}`, `{"id":"../../x"}`, `{"type":"a.v0","uri":"\ud800"}`,
	} {
		for _, status := range []int{200, 201, 204, 301, 307, 400, 404, 500} {
			f.Add(status, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		if status < 200 || status > 599 || status == http.StatusTooManyRequests {
			return // net/http has no others, and a limit is waited for
		}
		client := against(t, func(*http.Request) (int, []byte) { return status, body })
		ctx := t.Context()
		credentials := client.SSHCredentials()
		_, created := credentials.Create(ctx, SSHCredentialCreate{PublicKey: "ssh-ed25519 AAAA"})
		_, got := credentials.Get(ctx, "a")
		_, updated := credentials.Update(ctx, "a", SSHCredentialUpdate{})
		deleted := credentials.Delete(ctx, "a")
		_, certificate := client.TLSCertificates().Get(ctx, "a")
		_, host := client.SSHHostCertificates().Get(ctx, "a")
		_, group := client.GroupBackends().Get(ctx, "a")
		_, policy := client.TLSEdgePolicy("a").Get(ctx)
		_, put := client.TCPEdgePolicy("a").Put(ctx, EdgePolicy{})
		_, source := client.EventSources("a").Get(ctx, "b")
		var listed error
		for _, listed = range credentials.List(ctx) { //nolint:revive // it is enough to come to the end
		}
		for _, err := range []error{created, got, updated, deleted, certificate, host, group, policy, put, source, listed} {
			if err == nil {
				continue
			}
			text := err.Error()
			if strings.Contains(text, fuzzKey) {
				t.Errorf("the error repeats the API key: %s", text)
			}
			if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
				t.Errorf("the error has control characters: %q", text)
			}
		}
	})
}

// FuzzNextPage lets a service point to a next page: no request leaves the origin,
// and the list ends.
func FuzzNextPage(f *testing.F) {
	for _, next := range []string{
		"", "https://api.example.com/v2/ssh_credentials?before_id=a", "https://api.example.com/v2/ssh_credentials", "/v2/ssh_credentials?n=1", "?n=1", "//evil.example/x",
		"https://evil.example/", "http://api.example.com/", "https://api.example.com:444/", "https://api.example.com@evil.example/", "https://API.EXAMPLE.COM:443/x",
		"http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "https://2852039166/", "file:///etc/passwd", "gopher://x", "javascript:alert(1)",
		"https://api.example.com\\@evil.example", "https://api.example.com%2eevil.example/", "https://api.example.com\n.evil.example", "https://api.example.com\x00", "https:api.example.com",
		"%zz", ":", "https://", "https://api.example.com#.evil.example", "\thttps://api.example.com", "https://user:pass@api.example.com/",
	} {
		f.Add(next)
	}
	f.Fuzz(func(t *testing.T, next string) {
		page, err := json.Marshal(map[string]any{"ssh_credentials": []map[string]string{{"id": "a"}}, "next_page_uri": next})
		if err != nil {
			return
		}
		client := against(t, func(*http.Request) (int, []byte) { return http.StatusOK, page })
		n := 0
		for _, err := range client.SSHCredentials().List(t.Context()) {
			n++
			if err != nil && strings.Contains(err.Error(), fuzzKey) {
				t.Errorf("the error repeats the API key: %s", err)
			}
		}
		if n > 4 {
			t.Errorf("%d objects of one page", n)
		}
		for _, id := range []string{"a", "b", "c"} { // from pages
			_, _ = client.SSHCredentials().Get(t.Context(), id)
		}
	})
}

// FuzzPage decodes pages.
func FuzzPage(f *testing.F) {
	for _, page := range []string{
		`{"backends":[{"id":"a"},{"id":"b","labels":{"a":"b"},"tunnels":[{"id":"t"}]}],"next_page_uri":"u","uri":"v"}`, `{"backends":null}`, `{"backends":[null]}`,
		`{"backends":[],"backends":[{"id":"x"}]}`, `{"next_page_uri":5}`, `{"backends":{}}`, `{"backends":[{"id":5}]}`, `{`, `[`, ``, `{"a":` + strings.Repeat("[", 20000), `{"backends":[]}x`,
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		decoded, err := decodePage[GroupBackend](page, "backends")
		if err != nil {
			if len(decoded.items) > 0 || decoded.next != "" {
				t.Errorf("a page that is wrong has %d objects and the next page %q", len(decoded.items), decoded.next)
			}
			return
		}
		var whole map[string]json.RawMessage
		if rest := json.NewDecoder(bytes.NewReader(page)); rest.Decode(&whole) != nil {
			t.Errorf("%q was taken for a page", page)
		}
	})
}

// FuzzID puts ids into paths: each stays one element of its path.
func FuzzID(f *testing.F) {
	for _, id := range []string{"sshcr_1", "", ".", "..", "../x", "a/b", "%2f", "%2F..%2f", "a\x00b", "a?b", "a#b", "a;b", "a b", "a\nb", "é", "\xff", "a\\b", "%", "%zz", "http://evil.example"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		path, err := join("event_subscriptions", id, "sources")
		if err != nil {
			return
		}
		address, err := url.Parse("https://api.example.com/v2" + path)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", id, path, err)
		}
		elements := strings.Split(address.EscapedPath(), "/")
		if address.Host != "api.example.com" || address.RawQuery != "" || address.Fragment != "" || len(elements) != 5 {
			t.Fatalf("%q becomes %s", id, address)
		}
		if back, err := url.PathUnescape(elements[3]); err != nil || back != id || back == "." || back == ".." {
			t.Errorf("%q arrives as %q, %v", id, back, err)
		}
	})
}

// FuzzBaseURL reads addresses: what is taken keeps the API key from the network
// in clear, and from anybody else.
func FuzzBaseURL(f *testing.F) {
	for _, raw := range []string{
		"https://api.example.com", "https://api.example.com/v2//", "http://127.0.0.1:8480", "http://localhost", "http://[::1]:80/x", "http://[::ffff:127.0.0.1]", "http://127.1",
		"http://localhost.evil.example", "http://0x7f000001", "http://127.0.0.1@evil.example", "https://u:p@h", "https://h?x", "https://h#f", "https://h/%2f", "https://h:99999",
		"HTTPS://H", "https:h", "//h", "", ":", "https://[::1%25eth0]/", "https://h\x00", "https://h /", "http:\\\\localhost",
	} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		base, err := ParseBaseURL(raw, false)
		if err != nil {
			return
		}
		if base.Scheme != "https" && !loopback(base.Hostname()) {
			t.Errorf("%q sends the key in clear to %s", raw, base.Host)
		}
		if base.User != nil || base.RawQuery != "" || base.Fragment != "" || base.Hostname() == "" || strings.HasSuffix(base.EscapedPath(), "/") {
			t.Errorf("%q was taken as %+v", raw, base)
		}
		again, err := url.Parse(base.String() + "/tls_certificates/cert_1")
		if err != nil || origin(again) != origin(base) || again.EscapedPath() != base.EscapedPath()+"/tls_certificates/cert_1" {
			t.Errorf("%q: requests go to %v, %v", raw, again, err)
		}
	})
}

// FuzzRetryAfter reads the header: a wait is never negative, and never for ever.
func FuzzRetryAfter(f *testing.F) {
	for _, header := range []string{"", "0", "1", "-1", "99999999999999999999", "9223372036854775807", "1e9", " 1", "Sat, 21 Nov 2026 08:15:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if wait := retryAfter(header); wait < 0 || wait > 24*time.Hour {
			t.Errorf("%q is a wait of %s", header, wait)
		}
		resp := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {header}}}
		if wait := waitBeforeRetry(firstWait, longWait, 1, resp); wait < firstWait || wait > 36*time.Hour {
			t.Errorf("%q on a 503 is a wait of %s", header, wait)
		}
	})
}

// FuzzSame compares what comes back with what was sent: equal texts that mean
// anything are the same, whichever way round.
func FuzzSame(f *testing.F) {
	for _, pair := range [][2]string{
		{"ssh-ed25519 AAAA me", "ssh-ed25519 AAAA"}, {"ssh-ed25519 AAAA", "ssh-rsa AAAA"}, {"", ""}, {"x", "x"}, {"ssh-ed25519 %%%%", "ssh-ed25519 %%%%"},
		{"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\r\nAAAA\r\n-----END CERTIFICATE-----"},
		{"2026-11-21T08:15:30Z", "2026-11-21T09:15:30+01:00"}, {"2026-11-21T08:15:30.0Z", "2026-11-21T08:15:30Z"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for name, same := range map[string]func(a, b string) bool{"key": sameKey, "PEM": samePEM, "time": sameTime} {
			if same(a, b) != same(b, a) {
				t.Errorf("%s: %q and %q are the same one way round only", name, a, b)
			}
			if same(a, b) && (!same(a, a) || !same(b, b)) {
				t.Errorf("%s: %q or %q is not the same as itself", name, a, b)
			}
		}
	})
}
