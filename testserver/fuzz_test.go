package testserver

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// fuzzed is an API operation on existing objects.
type fuzzed struct {
	method, path string
	sample       string // valid body
}

// FuzzRequests sends arbitrary bodies and queries to every operation. The
// server must not panic, return a 5xx or violate the contract, and the list of
// the objects must remain readable.
func FuzzRequests(f *testing.F) {
	var violation error
	s := New(WithContractCheck(func(err error) { violation = err }))
	operations := fuzzedOperations(f, s)
	for i, operation := range operations {
		f.Add(uint8(i), operation.sample, "")
		f.Add(uint8(i), `{"valid_until":"9999-12-31T23:59:59-10:00"}`, "limit=1&before_id=x")
		f.Add(uint8(i), `{"description":null,"id":"x","created_at":"0000-01-01T00:00:00Z","x":[{}]}`, "%zz")
	}
	start := s.api.Store.Snapshot()
	f.Fuzz(func(t *testing.T, index uint8, body, query string) {
		if strings.Contains(body, `"rsa"`) {
			t.Skip("generating an RSA key is slow")
		}
		operation := operations[int(index)%len(operations)]
		for _, prefix := range []string{"", "/_testserver/objects"} {
			if status := fuzzOnce(t, s, operation, prefix, body, query); status >= http.StatusInternalServerError {
				t.Errorf("%s %s%s: status %d", operation.method, prefix, operation.path, status)
			}
			list, _, _ := strings.Cut(routeOf(s, operation.path), "/{")
			s.List(list)
			if violation != nil {
				t.Error(violation)
				violation = nil
			}
		}
		if err := s.api.Store.Restore(start); err != nil {
			t.Fatal(err)
		}
	})
}

func fuzzOnce(t *testing.T, s *Server, operation fuzzed, prefix, body, query string) int {
	t.Helper()
	r := httptest.NewRequest(operation.method, "http://localhost"+prefix+operation.path, strings.NewReader(body))
	r.URL.RawQuery = query
	r.Header.Set("Authorization", "Bearer "+s.AdminKey)
	r.Header.Set("Service-Version", "2")
	r.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, r)
	return recorder.Code
}

// fuzzedOperations returns all operations, with an object of each kind.
func fuzzedOperations(f *testing.F, s *Server) []fuzzed {
	f.Helper()
	run := newConformance(s, s)
	var operations []fuzzed
	for route, item := range document().Paths.Map() {
		path, err := run.Path(route)
		if err != nil {
			f.Fatal(err)
		}
		for method, operation := range item.Operations() {
			sample := ""
			if operation.RequestBody != nil {
				sample = asJSON(run.Sample(route, method))
			}
			operations = append(operations, fuzzed{method, path, sample})
		}
	}
	slices.SortFunc(operations, func(a, b fuzzed) int {
		return strings.Compare(routeOf(s, a.path)+a.method, routeOf(s, b.path)+b.method) // the order must not depend on ids
	})
	return operations
}

func routeOf(s *Server, path string) string {
	endpoint, _, _ := s.api.Routes.Find(path)
	return endpoint.Pattern
}
