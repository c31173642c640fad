package api

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestError_saysWhatHappened(t *testing.T) {
	t.Parallel()
	answer := `{"error_code":"ERR_TUNNEL_609","msg":"bad \u001b[31mrule\u200b\n1","details":{"operation_id":"op_7","field":"acl[1]"}}`
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(operationIDHeader, "op-of-40-characters-or-more-4567890123456")
		apiError(w, 400, answer)
	})
	for id := range strings.FieldsSeq("op_7 op-of-40-characters-or-more-4567890123456") { // of the body, and of the header
		_, err := SSHCredentials.Of(client).Update(t.Context(), "sshcr_1", SSHCredentialUpdate{})
		want := "update SSH credential sshcr_1: 400 Bad Request: bad [31mrule\\n1 (ERR_TUNNEL_609, field acl[1], operation ID " + id + ")"
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		answer = strings.Replace(answer, "operation_id", "id", 1)
	}
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
		for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 415, 422} {
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
	const hostile = "a\x1b[2J\u009b2J\u202e\u200b\abc"
	for place, answer := range places {
		log, lines := newLog()
		client := serve(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r, hostile) }, log, func(c *Config) { c.MaxRetries = 0 })
		printed := ""
		for _, err := range everyCall(t, client, "key") {
			if err != nil {
				printed += err.Error()
			}
		}
		if printed == "" || strings.ContainsFunc(printed+lines(), unfit) {
			t.Errorf("%s: %q", place, printed)
		}
	}
}
