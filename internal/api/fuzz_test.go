package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

const fuzzKey = "key-of-the-fuzz-test"

// hostile is a service that gives the same response to every request.
type hostile struct {
	t      *testing.T
	answer func(*http.Request) (status int, body []byte)
	asked  int

	location string // of a redirect
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
	resp := &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)}},
		Body:   io.NopCloser(bytes.NewReader(body)),
	}
	if h.location != "" {
		resp.Header.Set("Location", h.location)
	}
	return resp, nil
}

// against returns a client for a hostile service.
func against(t *testing.T, answer func(*http.Request) (int, []byte)) *Client {
	return redirecting(t, "", answer)
}

// redirecting is like against, with the Location of a redirect in each response.
func redirecting(t *testing.T, location string, answer func(*http.Request) (int, []byte)) *Client {
	base := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/v2"}
	client := newClient(Config{BaseURL: base, APIKey: fuzzKey, RequestTimeout: time.Minute, BulkReads: true}, &hostile{t: t, answer: answer, location: location})
	client.minWait, client.maxWait = 0, 0
	client.searchDelay, client.settleTime = 0, 0
	return client
}

// FuzzAnswer gives every operation the same response. No operation may panic or
// run forever, and no error may repeat the API key or contain control
// characters.
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
			return // net/http has no other statuses, and 429 makes the client wait
		}
		client := against(t, func(*http.Request) (int, []byte) { return status, body })
		ctx := t.Context()
		credentials := SSHCredentials.Of(client)
		var ids []string
		note := func(id string, err error) error {
			if err == nil {
				ids = append(ids, id)
			}
			return err
		}
		credential := func(o *SSHCredential, err error) error {
			if err != nil {
				return err
			}
			return note(o.ID, nil)
		}
		errs := []error{
			credential(credentials.Create(ctx, SSHCredentialCreate{PublicKey: "ssh-ed25519 AAAA"})), credential(credentials.Read(ctx, "a", time.Time{})),
			credential(credentials.Update(ctx, "a", SSHCredentialUpdate{})), deletion(credentials.Delete(ctx, "a", time.Time{})), verified(ctx, client),
		}
		if o, err := TLSCertificates.Of(client).Read(ctx, "a", time.Time{}); note("a", err) == nil {
			ids = append(ids, o.ID)
		}
		if o, err := SSHHostCertificates.Of(client).Read(ctx, "a", time.Time{}); note("a", err) == nil {
			ids = append(ids, o.ID)
		}
		if o, err := GroupBackends.Of(client).Read(ctx, "a", time.Time{}); note("a", err) == nil {
			ids = append(ids, o.ID)
		}
		_, policy := TLSEdgePolicy.Of(client, "a").Get(ctx, false)
		_, put := TCPEdgePolicy.Of(client, "a").Put(ctx, EdgePolicy{})
		_, source := EventSources.Of(client, "a").Read(ctx, "b", time.Time{})
		errs = append(errs, policy, put, source)
		for object, err := range credentials.List(ctx) {
			errs = append(errs, err)
			if err == nil {
				ids = append(ids, object.ID)
			}
		}
		for _, id := range ids {
			if checkID(id) != nil || strings.Contains(id, fuzzKey) {
				t.Errorf("an object has the id %q", id)
			}
		}
		for _, err := range errs {
			checkErrorText(t, err)
		}
	})
}

// verified is like Check, but does not wait.
func verified(ctx context.Context, client *Client) error {
	if err := client.verify(ctx); err != nil {
		return client.failed("check", err)
	}
	return nil
}

// checkErrorText checks that an error is short and safe to print.
func checkErrorText(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	text := errorTexts(err)
	if strings.Contains(text, fuzzKey) {
		t.Errorf("the error repeats the API key: %s", text)
	}
	if strings.ContainsFunc(text, unfit) {
		t.Errorf("the error has control characters: %q", text)
	}
	if len(err.Error()) > 5000 {
		t.Errorf("the error has %d characters", len(err.Error()))
	}
}

// FuzzRedirect answers every request with a redirect.
func FuzzRedirect(f *testing.F) {
	for _, location := range []string{
		"", "/x", "https://api.example.com/v2/ssh_credentials", "https://evil.example/", "//evil.example", "http://%zz", ":", "?", "#", "https://api.example.com:443/", "javascript:1",
		"/" + fuzzKey, "/%1b%5b2J", "http://a%c2%9b", "https://" + fuzzKey + ".example/", "/?a=b", "https://u:p@api.example.com/x", "..", strings.Repeat("/a", 1000),
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			f.Add(status, location)
		}
	}
	f.Fuzz(func(t *testing.T, status int, location string) {
		if status < 300 || status > 399 {
			return
		}
		client := redirecting(t, location, func(*http.Request) (int, []byte) { return status, nil })
		ctx := t.Context()
		_, created := SSHCredentials.Of(client).Create(ctx, SSHCredentialCreate{PublicKey: "ssh-ed25519 AAAA"})
		_, got := SSHCredentials.Of(client).Read(ctx, "a", time.Time{})
		_, updated := SSHCredentials.Of(client).Update(ctx, "a", SSHCredentialUpdate{})
		for _, err := range []error{created, got, updated, deletion(SSHCredentials.Of(client).Delete(ctx, "a", time.Time{})), verified(ctx, client)} {
			if err == nil {
				t.Error("no error")
			}
			checkErrorText(t, err)
		}
		if _, ok := errors.AsType[*UnknownOutcomeError](created); !ok {
			t.Errorf("a redirected creation: %v", created)
		}
	})
}

// FuzzNextPage gives a list an arbitrary next page. No request may leave the
// origin, and the list must end.
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
		for _, err := range SSHCredentials.Of(client).List(t.Context()) {
			n++
			if err != nil && strings.Contains(err.Error(), fuzzKey) {
				t.Errorf("the error repeats the API key: %s", err)
			}
		}
		if n > 4 {
			t.Errorf("%d objects of one page", n)
		}
		for _, id := range []string{"a", "b", "c"} { // read from pages
			_, _ = SSHCredentials.Of(client).Read(t.Context(), id, time.Time{})
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
		decoded, next, err := decodePage(page, "backends")
		items := len(decoded)
		if err != nil {
			if next != "" {
				t.Errorf("a page that is wrong has the next page %q", next)
			}
			return
		}
		if items > maxItems {
			t.Errorf("%d items", items)
		}
		var whole map[string]json.RawMessage
		if json.Unmarshal(page, &whole) != nil {
			t.Errorf("%q was taken for a page", page)
		}
	})
}
