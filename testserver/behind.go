package testserver

import (
	"net/http"
	"net/url"
	"strings"
)

// The methods of this file act as an admin behind the back of every client: without limits, latency, faults or quirks,
// and without a trace in statistics and log. A path is what follows the base URL, such as "/ssh_credentials/" + id. What
// the API refuses fails the test, or panics in a server that was not made by Start; Do gives it back.

// Do sends a request and gives the status and the JSON object of the answer, nil if it has none. body may be empty.
func (s *Server) Do(method, path, body string) (status int, answer map[string]any) {
	return s.do(method, path, body, false)
}

func (s *Server) do(method, path, body string, force bool) (status int, answer map[string]any) {
	r, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		s.fail("%s %s: %v", method, path, err)
		return 0, nil
	}
	r.Header.Set("Content-Type", "application/json")
	r.Host = "localhost"
	c := s.newCall(r, r.URL.EscapedPath())
	c.direct, c.force = true, force
	a := s.process(c)
	return a.status, decodeAnswer(a.body)
}

// expect is Do for requests that must succeed.
func (s *Server) expect(method, path, body string, force bool) map[string]any {
	status, answer := s.do(method, path, body, force)
	if status >= http.StatusBadRequest {
		s.fail("%s %s: %d %s", method, path, status, member(answer, "msg"))
	}
	return answer
}

// Create makes an object with POST and gives its id; for an event source, its type.
func (s *Server) Create(path, body string) string {
	answer := s.expect(http.MethodPost, path, body, false)
	if id := member(answer, "id"); id != "" {
		return id
	}
	return member(answer, "type")
}

// Get gives an object or module.
func (s *Server) Get(path string) map[string]any {
	return s.expect(http.MethodGet, path, "", false)
}

// Exists tells whether there is an object, or a module is set.
func (s *Server) Exists(path string) bool {
	status, _ := s.Do(http.MethodGet, path, "")
	return status == http.StatusOK
}

// List gives all objects of a list, newest first, however many pages that takes.
func (s *Server) List(path string) []map[string]any {
	all := []map[string]any{}
	for query := ""; ; {
		page := s.expect(http.MethodGet, path+query, "", false)
		for _, values := range page {
			objects, _ := values.([]any)
			for _, object := range objects {
				members, _ := object.(map[string]any)
				all = append(all, members)
			}
		}
		next, err := url.Parse(member(page, "next_page_uri"))
		if err != nil || next.RawQuery == "" {
			return all
		}
		query = "?" + next.RawQuery
	}
}

// Edit changes fields of an object with PATCH. body is a JSON object.
func (s *Server) Edit(path, body string) {
	s.expect(http.MethodPatch, path, body, false)
}

// Put replaces a module. body is a JSON object.
func (s *Server) Put(path, body string) {
	s.expect(http.MethodPut, path, body, false)
}

// Delete deletes an object or unsets a module.
func (s *Server) Delete(path string) {
	s.expect(http.MethodDelete, path, "", false)
}

// ForceDelete deletes an object even if others refer to it; they stay as they are.
func (s *Server) ForceDelete(path string) {
	s.expect(http.MethodDelete, path, "", true)
}
