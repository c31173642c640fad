package api

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
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
	return resp, nil
}

// against returns a client for a hostile service.
func against(t *testing.T, answer func(*http.Request) (int, []byte)) *Client {
	base := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/v2"}
	client := newClient(Config{BaseURL: base, APIKey: fuzzKey, RequestTimeout: time.Minute, BulkReads: true}, &hostile{t: t, answer: answer})
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
		ids, err := listIDs(t, client)
		errs := append(slices.Collect(maps.Values(everyCall(t, client, "key"))), err, client.verify(t.Context()))
		if object, err := TLSCertificates.Of(client).Create(t.Context(), TLSCertificateCreate{}); err == nil {
			ids = append(ids, object.ID)
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
