package testserver

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
)

// inner sends a request to a server behind the back of its client.
func inner(s *Server, method, target, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, (&url.URL{Path: target}).EscapedPath(), strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+s.AdminKey)
	r.Header.Set("Service-Version", "2")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Host = "localhost"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// around is a service that does something around the requests that a method and an end
// of the path select.
func around(method, in string, do doing) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw, _ := io.ReadAll(r.Body)
			serve := func() *httptest.ResponseRecorder {
				again := httptest.NewRecorder()
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
				s.ServeHTTP(again, r)
				return again
			}
			var got *httptest.ResponseRecorder
			if (method == "" || r.Method == method) && strings.Contains(r.URL.Path, in) {
				got = do(s, r, string(raw), serve)
			} else {
				got = serve()
			}
			maps.Copy(w.Header(), got.Header())
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes())
		})
	}
}

type (
	serving = func() *httptest.ResponseRecorder
	doing   = func(s *Server, r *http.Request, body string, serve serving) *httptest.ResponseRecorder
)

// inResponse changes the text of responses with a success.
func inResponse(method, in string, change func(text string) string) func(*Server) http.Handler {
	return around(method, in, func(_ *Server, _ *http.Request, _ string, serve serving) *httptest.ResponseRecorder {
		got := serve()
		if got.Code < http.StatusBadRequest {
			got.Body = bytes.NewBufferString(change(got.Body.String()))
		}
		return got
	})
}

// inPatch changes the text of updates.
func inPatch(in string, change func(text string) string) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if raw, _ := io.ReadAll(r.Body); r.Method == http.MethodPatch && strings.Contains(r.URL.Path, in) {
				text := change(string(raw))
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
			} else {
				r.Body = io.NopCloser(bytes.NewReader(raw))
			}
			s.ServeHTTP(w, r)
		})
	}
}

func replaced(old, by string) func(string) string {
	return func(text string) string { return strings.ReplaceAll(text, old, by) }
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// anyResponse changes all responses.
func anyResponse(change func(r *http.Request, w *httptest.ResponseRecorder)) func(*Server) http.Handler {
	return func(s *Server) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got := httptest.NewRecorder()
			s.ServeHTTP(got, r)
			change(r, got)
			maps.Copy(w.Header(), got.Header())
			w.WriteHeader(got.Code)
			_, _ = w.Write(got.Body.Bytes())
		})
	}
}

// inList changes the decoded list of a collection.
func inList(change func(list map[string]any, query url.Values)) func(*Server) http.Handler {
	return anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
		list := decodeAnswer(w.Body.Bytes())
		if _, isList := list["next_page_uri"]; isList && w.Code == http.StatusOK {
			change(list, r.URL.Query())
			w.Body = bytes.NewBufferString(asJSON(list))
		}
	})
}

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
