package api

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The key of a file that changes is used for the next request. A request that the
// service refuses is not sent again.
func TestAPIKey_changes(t *testing.T) {
	t.Parallel()
	const next = "next-key-of-the-test"
	var accepted, file atomic.Value // strings
	accepted.Store(testKey)
	file.Store("")
	requests := 0
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		if key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); key != accepted.Load() {
			apiError(w, http.StatusUnauthorized, fmt.Sprintf(`{"msg": "invalid key %s"}`, key))
			return
		}
		apiError(w, http.StatusOK, `{"id": "bkdfo_1"}`)
	}, func(c *Config) { c.ChangedKey = func() string { return file.Swap("").(string) } })
	for i, step := range []struct {
		accepted, file string
		fails          bool
	}{
		{testKey, "", false},
		{next, "", true},
		{next, next, false},
		{next, "", false},
		{testKey, "", true},
	} {
		accepted.Store(step.accepted)
		file.Store(step.file)
		requests = 0
		_, err := FailoverBackends.Of(client).Read(t.Context(), "bkdfo_1", time.Time{})
		answer, refused := errors.AsType[*Error](err)
		if (err != nil) != step.fails || err != nil && (!refused || answer.Status != http.StatusUnauthorized) || requests != 1 {
			t.Errorf("step %d: got %v after %d requests", i, err, requests)
		}
		if err != nil && (strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), next)) {
			t.Errorf("step %d: the error shows a key: %v", i, err)
		}
	}
}

func TestSecrets_laterKeys(t *testing.T) {
	t.Parallel()
	known := newSecrets(Config{APIKey: longKey})
	shared := known // the client and the log have copies
	known.learn("second-key-of-the-test")
	known.learn("hunter3-43")
	for _, key := range []string{longKey, "second-key-of-the-test", "hunter3-43"} {
		for form, text := range forms(key) {
			if key == longKey || !strings.HasPrefix(form, "base64") { // a short key is secret as a whole word only
				if got := shared.redact("key " + text + " is not valid"); got != redacted {
					t.Errorf("%s of %s: %q", form, key, got)
				}
			}
		}
	}
	if text := "an ordinary message"; shared.redact(text) != text {
		t.Error("an ordinary message is hidden")
	}
}
