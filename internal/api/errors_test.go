package api

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestError_saysWhatHappened(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		apiError(w, 400, `{"error_code":"ERR_TUNNEL_609","msg":"bad \u001b[31mrule\u200b","details":{"operation_id":"op_7","field":"acl[1]"}}`)
	})
	_, err := SSHCredentials.Of(client).Update(t.Context(), "sshcr_1", SSHCredentialUpdate{})
	want := "update SSH credential sshcr_1: 400 Bad Request: bad [31mrule (ERR_TUNNEL_609, field acl[1], operation ID op_7)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestError_namesTheProxy(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 403) })
	_, err := SSHCredentials.Of(client).Read(t.Context(), "sshcr_1", time.Time{})
	if err == nil {
		t.Fatal("no error")
	}
	contains(t, err.Error(), "403 Forbidden", "text/html", "base_url")
}

// The contract does not show how errors look. An error in any form shows its reason. Only
// a JSON object proves that the request was not processed.
func TestError_ofAnyForm(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body string
		message           string
		page              bool
	}{
		"text":              {"text/plain; charset=utf-8", "certificate chain incomplete\n", "certificate chain incomplete", false},
		"text without type": {"", "certificate chain incomplete", "certificate chain incomplete", false},
		"empty":             {"text/plain", "", "", false},
		"JSON string":       {"application/json", `"no such label"`, "no such label", false},
		"JSON list":         {"application/json", `["no such label"]`, "no such label", false},
		"JSON number":       {"application/json", "42", "42", false},
		"JSON null":         {"application/json", "null", "", false},
		"problem":           {"application/problem+json", `{"title":"Invalid","status":400,"detail":"no such label"}`, "no such label", false},
		"list of errors":    {"application/json", `{"errors":[{"message":"quota exceeded"},{"message":"b"}]}`, "quota exceeded", false},
		"object in error":   {"application/json", `{"error":{"code":3,"message":"quota exceeded"}}`, "quota exceeded", false},
		"no known member":   {"application/json", `{"reason":"quota exceeded"}`, "", false},
		"page":              {"text/html", "<html><body>Blocked</body></html>", "", true},
		"page named text":   {"text/plain", "\n<!DOCTYPE html><p>Blocked", "", true},
		"text named page":   {"text/html", "Blocked", "", true},
		"bytes":             {"", "\x1f\x8b\xff", "", true},
	} {
		for _, status := range []int{400, 401, 403, 409, 413, 422} {
			client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header()["Content-Type"] = []string{test.contentType}
				w.WriteHeader(status)
				_, _ = w.Write([]byte(test.body))
			})
			_, err := GroupBackends.Of(client).Create(t.Context(), GroupBackendBody{})
			answer, ok := errors.AsType[*Error](err)
			if !ok || answer.FromService == test.page || PossiblyProcessed(err) == strings.HasPrefix(test.body, "{") || answer.Message != test.message {
				t.Errorf("%s, %d: %v", name, status, err)
			}
			if text := err.Error(); strings.Contains(text, "Blocked") || strings.Contains(text, "()") || strings.Contains(text, "check base_url") != test.page {
				t.Errorf("%s, %d: %v", name, status, err)
			}
		}
	}
}

// No control character of a response appears in an error or the log.
func TestError_hasNoControlCharacters(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"fields": func(w http.ResponseWriter, _ *http.Request) {
			apiError(w, 400, `{"msg":"\u001b[2Ja","error_code":"\u009b2J","details":{"field":"\u202ea","operation_id":"\u0007"}}`)
		},
		"operation id": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(operationIDHeader, "op\u009b2J")
			htmlPage(w, 400)
		},
		"content type": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "a\u009b2J")
			w.WriteHeader(400)
			_, _ = w.Write([]byte("x"))
		},
		"path of a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/%1b%5b2J%c2%9b2J")
			w.WriteHeader(307)
		},
		"see other": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/%1b%5b2J%c2%9b2J")
			w.WriteHeader(303)
		},
		"host of a redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://a%c2%9b2J%e2%80%ae/")
			w.WriteHeader(307)
		},
		"host of a next page": func(w http.ResponseWriter, _ *http.Request) {
			apiError(w, 200, `{"ssh_credentials":[],"next_page_uri":"http://a%c2%9b2J%e2%80%ae/"}`)
		},
		"path of a next page": func(w http.ResponseWriter, r *http.Request) {
			apiError(w, 200, `{"ssh_credentials":[],"next_page_uri":"http://`+r.Host+`/%1b%5b2J"}`)
		},
		"another id": func(w http.ResponseWriter, _ *http.Request) { apiError(w, 200, `{"id":"a\u001b[2J"}`) },
		"no HTTP":    func(w http.ResponseWriter, _ *http.Request) { answerRaw(w, "a\x1b[2Jb\r\n\r\n") },
		"bad header": func(w http.ResponseWriter, _ *http.Request) { answerRaw(w, "HTTP/1.1 200 OK\r\na\x1b[2Jb\r\n\r\n") },
		"bad status": func(w http.ResponseWriter, _ *http.Request) { answerRaw(w, "HTTP/1.1 20\x1b OK\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, lines := newLog()
			client := serve(t, answer, log, func(c *Config) { c.MaxRetries = 0 })
			texts := map[string]string{}
			note := func(what string, err error) {
				if err != nil {
					texts[what] = err.Error()
				}
			}
			_, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{})
			note("get", err)
			_, err = SSHCredentials.Of(client).Create(t.Context(), SSHCredentialCreate{})
			note("create", err)
			note("check", verified(t.Context(), client))
			for _, err := range SSHCredentials.Of(client).List(t.Context()) {
				note("list", err)
			}
			if len(texts) == 0 {
				t.Error("no error")
			}
			texts["log"] = lines()
			for what, text := range texts {
				if strings.ContainsFunc(text, unfit) {
					t.Errorf("%s: %q", what, text)
				}
			}
		})
	}
}
