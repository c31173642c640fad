package testserver

import (
	"net/http"
	"net/url"
)

// The methods of this file act as an admin behind the back of every client: without limits, latency, faults or quirks,
// and without a trace in statistics and log. A path is what follows the base URL, such as "/ssh_credentials/" + id; a body
// is a JSON object. What the API refuses fails the test, or panics in a server that was not made by Start; Do returns it.
//
// The Force methods also skip the rules for new objects, as the control endpoint /_testserver/objects does: a service
// holds old objects that it would refuse today. Fields must have the right JSON type, timestamps must be valid, and a host
// certificate needs its certificate authority and a key; anything else goes.

// Do sends a request and returns the status and the JSON object of the answer, nil if it has none. body may be empty.
func (s *Server) Do(method, path, body string) (status int, answer map[string]any) {
	return s.do(method, path, body, false)
}

func (s *Server) do(method, path, body string, force bool) (status int, answer map[string]any) {
	r, err := http.NewRequest(method, path, nil)
	if err != nil {
		s.fail("%s %s: %v", method, path, err)
		return 0, nil
	}
	r.Host = "localhost"
	a := s.processDirectly(r, r.URL.EscapedPath(), []byte(body), force)
	return a.status, decodeAnswer(a.body)
}

// processDirectly answers a request behind the client's back.
func (s *Server) processDirectly(r *http.Request, path string, body []byte, force bool) *answer {
	c := s.newCall(r, path)
	c.body, c.direct, c.force = body, true, force
	return s.process(c)
}

// expect is do for requests that must succeed.
func (s *Server) expect(method, path, body string, force bool) map[string]any {
	status, answer := s.do(method, path, body, force)
	if status >= http.StatusBadRequest {
		s.fail("%s %s: %d %s", method, path, status, member(answer, "msg"))
	}
	return answer
}

// create makes an object and returns its id; for an event source, its type.
func (s *Server) create(path, body string, force bool) string {
	answer := s.expect(http.MethodPost, path, body, force)
	if id := member(answer, "id"); id != "" {
		return id
	}
	return member(answer, "type")
}

// Create makes an object with POST and returns its id; for an event source, its type.
func (s *Server) Create(path, body string) string {
	return s.create(path, body, false)
}

// ForceCreate is Create without the rules for new objects. body may also have id and created_at, the issued_at of a TLS
// certificate, and the tunnels of a tunnel group backend.
func (s *Server) ForceCreate(path, body string) string {
	return s.create(path, body, true)
}

// Get returns an object or module.
func (s *Server) Get(path string) map[string]any {
	return s.expect(http.MethodGet, path, "", false)
}

// Exists reports whether there is an object, or a module is set.
func (s *Server) Exists(path string) bool {
	status, _ := s.Do(http.MethodGet, path, "")
	return status == http.StatusOK
}

// List returns all objects of a list, newest first, however many pages that takes.
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

// Edit changes fields of an object with PATCH.
func (s *Server) Edit(path, body string) {
	s.expect(http.MethodPatch, path, body, false)
}

// ForceEdit is Edit without the rules for new objects.
func (s *Server) ForceEdit(path, body string) {
	s.expect(http.MethodPatch, path, body, true)
}

// Put replaces a module.
func (s *Server) Put(path, body string) {
	s.expect(http.MethodPut, path, body, false)
}

// ForcePut is Put without the rules for new objects.
func (s *Server) ForcePut(path, body string) {
	s.expect(http.MethodPut, path, body, true)
}

// Delete deletes an object or unsets a module.
func (s *Server) Delete(path string) {
	s.expect(http.MethodDelete, path, "", false)
}

// ForceDelete deletes an object even if others refer to it; they stay as they are.
func (s *Server) ForceDelete(path string) {
	s.expect(http.MethodDelete, path, "", true)
}
