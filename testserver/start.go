package testserver

import (
	"net/http/httptest"
	"testing"
)

// Start runs a server on a loopback port for the length of a test; its URL field says where. Each request and each answer
// is held against the contract, and a violation is an error of the test. Its Go methods fail the test if they cannot
// do what they were asked.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	checked := append([]Option{WithContractCheck(func(err error) { t.Errorf("contract: %v", err) })}, options...)
	s := New(checked...)
	s.fail = func(format string, arguments ...any) {
		t.Helper()
		t.Fatalf(format, arguments...)
	}
	listener := httptest.NewServer(s)
	s.URL = listener.URL + s.basePath
	t.Cleanup(func() {
		s.Close()
		listener.Close()
	})
	return s
}
