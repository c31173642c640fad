package testserver

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"unicode/utf8"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// changedRequest returns a mutant that changes requests before the server
// processes them.
func changedRequest(change func(*Server, *http.Request)) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(s, r)
			s.ServeHTTP(w, r)
		})
	}
}

// changedBody returns a mutant that changes the JSON objects of requests.
func changedBody(change func(map[string]any)) func(*Server) http.Handler {
	return changedRequest(func(_ *Server, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var body map[string]any
		if json.Unmarshal(raw, &body) == nil && body != nil && utf8.Valid(raw) {
			before := asJSON(body)
			if change(body); asJSON(body) != before {
				raw = []byte(asJSON(body))
			}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	})
}

// changedAnswer returns a mutant that changes responses.
func changedAnswer(change func(*http.Request, *engine.Answer)) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			recorder := httptest.NewRecorder()
			s.ServeHTTP(recorder, r)
			a := &engine.Answer{Status: recorder.Code, Header: recorder.Header(), Body: recorder.Body.Bytes()}
			change(r, a)
			maps.Copy(w.Header(), a.Header)
			w.WriteHeader(a.Status)
			_, _ = w.Write(a.Body)
		})
	}
}
