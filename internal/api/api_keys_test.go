package api

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAPIKeys_errorsShowNoToken gets the token of an API key in the error of each
// request: this client did not send it, so it knows only that there can be one.
func TestAPIKeys_errorsShowNoToken(t *testing.T) {
	t.Parallel()
	const token = "2abcDEFghiJKLmnoPQRstuVWXyz_5jKlMnOpQrStUvWxYz0123"
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error_code": "ERR_1", "msg": "the key ` + token + ` is bad"}`))
	})
	keys := APIKeys.Of(client)
	_, created := keys.Create(t.Context(), APIKeyCreate{})
	_, updated := keys.Update(t.Context(), "ak_1", Details{Description: "new"})
	_, read := keys.Read(t.Context(), "ak_1", time.Time{})
	_, deleted := keys.Delete(t.Context(), "ak_1", time.Time{})
	_, listed := keys.Lists(t.Context(), "ak_1")
	for name, err := range map[string]error{"create": created, "update": updated, "read": read, "delete": deleted, "list": listed} {
		if err == nil || strings.Contains(err.Error(), token) || !strings.Contains(err.Error(), "ERR_1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
