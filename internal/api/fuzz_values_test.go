package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api/gate"
)

// FuzzID puts ids into paths. Each must stay one element of its path.
func FuzzID(f *testing.F) {
	for _, id := range []string{"sshcr_1", "", ".", "..", "../x", "a/b", "%2f", "%2F..%2f", "a\x00b", "a?b", "a#b", "a;b", "a b", "a\nb", "é", "\xff", "a\\b", "%", "%zz", "http://evil.example"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		path, err := fill("/event_subscriptions/{subscription_id}/sources", id)
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
		if back, err := url.PathUnescape(elements[3]); err != nil || back != id || checkID(back) != nil {
			t.Errorf("%q arrives as %q, %v", id, back, err)
		}
	})
}

// FuzzBaseURL parses base URLs. An accepted URL must not send the API key
// unencrypted over the network, or to another host.
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
		if base.Scheme != "https" && !Loopback(base.Hostname()) {
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

// FuzzRetryAfter parses the header. A wait must not be negative, and must be
// limited.
func FuzzRetryAfter(f *testing.F) {
	for _, header := range []string{"", "0", "1", "-1", "99999999999999999999", "9223372036854775807", "1e9", " 1", "Sat, 21 Nov 2026 08:15:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		resp := &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {header}}}
		if wait, _ := gate.RetryAfter(resp); wait < 0 || wait > 24*time.Hour {
			t.Errorf("%q is a wait of %s", header, wait)
		}
		asked, _ := gate.RetryAfter(resp)
		if wait := backoff(minRetryWait, maxRetryWait, 1, asked); wait < minRetryWait || wait > 24*time.Hour+maxRetryWait {
			t.Errorf("%q on a 503 is a wait of %s", header, wait)
		}
	})
}
