package testserver

import (
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// tokenStrangers are services whose API keys are none, or whose tokens are seen again.
func tokenStrangers() map[string]stranger {
	const keys = "/api_keys"
	created := func(change func(members map[string]any)) func(*Server) http.Handler {
		return anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, keys) && w.Code == http.StatusCreated {
				eachObject(w, change)
			}
		})
	}
	return map[string]stranger{
		"a token in a GET": {keys, "a token in the response to the creation only|expected that nothing changes", anyResponse(
			func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, keys) {
					eachObject(w, func(members map[string]any) { members["token"] = "the token" })
				}
			})},
		"a token in a PATCH": {keys, "a token in the response to the creation only|expected that nothing changes", anyResponse(
			func(r *http.Request, w *httptest.ResponseRecorder) {
				if r.Method == http.MethodPatch && w.Code == http.StatusOK && strings.HasPrefix(r.URL.Path, keys) {
					eachObject(w, func(members map[string]any) { members["token"] = "the token" })
				}
			})},
		"no token": {keys, "a token in the response to the creation", created(func(members map[string]any) { members["token"] = nil })},
		"the same token": {keys, "another token for each object|status 200, found status 401", created(func(members map[string]any) {
			members["token"] = "the token"
		})},
		"a new key is refused": {keys, "status 200, found status 401", func(s *Server) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.Header.Get("Authorization"), kinds.TokenPrefix) {
					r.Header.Set("Authorization", "Bearer none")
				}
				s.ServeHTTP(w, r)
			})
		}},
		"a deleted key works": {keys, "because the key has no such right", func(s *Server) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.Header.Get("Authorization"), kinds.TokenPrefix) {
					r.Header.Set("Authorization", "Bearer "+s.AdminKey)
				}
				s.ServeHTTP(w, r)
			})
		}},
	}
}
