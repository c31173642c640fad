package testserver

import (
	"net/http/httptest"
	"testing"
)

// Start runs a server on a loopback port for the duration of a test. Its URL
// field is the base URL. Each request and response is checked against the
// contract, and a violation is a test error. Go methods of the server fail the
// test if they cannot do what was requested.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	checked := append([]Option{WithContractCheck(func(err error) { t.Errorf("contract: %v", err) })}, options...)
	s := New(checked...)
	s.fail = func(format string, arguments ...any) {
		t.Helper()
		t.Fatalf(format, arguments...)
	}
	front := httptest.NewServer(s)
	s.URL = front.URL
	t.Cleanup(func() {
		s.Close()
		front.Close()
	})
	return s
}
