package testserver

import (
	"net/http"
	"net/url"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// The methods in this file change objects out of band, as an admin: without
// other behavior, statistics and log. A path is relative to
// the base URL, for example "/ssh_credentials/" + id. A body is a JSON object.
// If the API refuses a request, the method fails the test, or panics if the
// server was created with New. Do returns the refusal instead.
//
// The Force methods also skip the validation rules for new objects, like the
// control endpoint /_testserver/objects: a real service can hold old objects
// that it would refuse today. Fields must still have the right JSON type,
// timestamps must be valid, and an SSH host certificate needs a public key and
// an existing certificate authority.

// Do sends a request and returns the status and the JSON object of the
// response, or nil if the response has none. body may be empty.
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
	a := s.processOutOfBand(r, r.URL.EscapedPath(), []byte(body), force)
	return a.Status, decodeAnswer(a.Body)
}

// processOutOfBand processes an out-of-band request.
func (s *Server) processOutOfBand(r *http.Request, path string, body []byte, force bool) *engine.Answer {
	c := s.api.NewDirectCall(r, path, body)
	c.Force = force
	return s.api.Process(c)
}

// expect is like do, but calls s.fail if the request is refused.
func (s *Server) expect(method, path, body string, force bool) map[string]any {
	status, answer := s.do(method, path, body, force)
	if status >= http.StatusBadRequest {
		s.fail("%s %s: %d %s", method, path, status, member(answer, "msg"))
	}
	return answer
}

// create creates an object and returns its id, or the type of an event source.
func (s *Server) create(path, body string, force bool) string {
	answer := s.expect(http.MethodPost, path, body, force)
	if id := member(answer, "id"); id != "" {
		return id
	}
	return member(answer, "type")
}

// Create sends a POST request and returns the id of the new object, or the type
// of a new event source.
func (s *Server) Create(path, body string) string {
	return s.create(path, body, false)
}

// ForceCreate is like Create, but skips the validation rules for new objects.
// body may also set id and created_at, issued_at of a TLS certificate, and
// tunnels of a tunnel group backend.
func (s *Server) ForceCreate(path, body string) string {
	return s.create(path, body, true)
}

// Get returns an object or module.
func (s *Server) Get(path string) map[string]any {
	return s.expect(http.MethodGet, path, "", false)
}

// Exists reports whether an object exists, or whether a module is set.
func (s *Server) Exists(path string) bool {
	status, _ := s.Do(http.MethodGet, path, "")
	return status == http.StatusOK
}

// List returns the objects of all pages of a list, newest first.
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

// Edit updates an object with a PATCH request.
func (s *Server) Edit(path, body string) {
	s.expect(http.MethodPatch, path, body, false)
}

// ForceEdit is like Edit, but skips the validation rules for new objects.
func (s *Server) ForceEdit(path, body string) {
	s.expect(http.MethodPatch, path, body, true)
}

// Put replaces a module.
func (s *Server) Put(path, body string) {
	s.expect(http.MethodPut, path, body, false)
}

// ForcePut is like Put, but skips the validation rules for new objects.
func (s *Server) ForcePut(path, body string) {
	s.expect(http.MethodPut, path, body, true)
}

// Delete deletes an object or unsets a module.
func (s *Server) Delete(path string) {
	s.expect(http.MethodDelete, path, "", false)
}

// ForceDelete deletes an object even if other objects refer to it. The other
// objects do not change.
func (s *Server) ForceDelete(path string) {
	s.expect(http.MethodDelete, path, "", true)
}
