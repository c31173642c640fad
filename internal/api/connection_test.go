package api

import (
	"errors"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestCreate_isSentAgainIfTheConnectionFailed(t *testing.T) {
	t.Parallel()
	temporary := &net.DNSError{Err: "server misbehaving", Name: "api.example.com", IsTemporary: true}
	missing := &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}
	for name, test := range map[string]struct {
		fails   func(dial int) error
		dials   int
		created bool
	}{
		"connection refused once":   {func(n int) error { return []error{syscall.ECONNREFUSED, nil}[n-1] }, 2, true},
		"name service fails twice":  {func(n int) error { return []error{temporary, temporary, nil}[n-1] }, 3, true},
		"connection refused always": {func(int) error { return syscall.ECONNREFUSED }, 3, false},
		"no such host":              {func(int) error { return missing }, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &backendService{}
				network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{}), fails: test.fails}
				inBubbleOn(t, network, s.ServeHTTP, func(t *testing.T, client *Client) {
					_, err := FailoverBackends.Of(client).Create(t.Context(), twin)
					if _, unknown := errors.AsType[*UnknownOutcomeError](err); unknown || (err == nil) != test.created {
						t.Errorf("got %v", err)
					}
					if network.dials != test.dials || len(s.ids()) != s.read(&s.posts) || (s.read(&s.posts) == 1) != test.created {
						t.Errorf("%d connections, %d POSTs", network.dials, s.read(&s.posts))
					}
					if err != nil {
						contains(t, err.Error(), "create failover backend: ", "could not connect to the service at base_url")
					}
				})
			})
		})
	}
}

// A server closes each connection without notice, a moment after its response.
// The first request shows that, so no creation is lost.
func TestCreate_survivesConnectionsThatCloseWithoutNotice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &backendService{}
		network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{}), closesIdle: time.Millisecond}
		slow := func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(2 * network.closesIdle)
			s.ServeHTTP(w, r)
		}
		inBubbleOn(t, network, slow, func(t *testing.T, client *Client) {
			transport := newTransport(func(shared *http.Transport) { shared.DialContext = network.dial })
			client = newClient(testConfig(t, client.base), transport)
			defer transport.shared.CloseIdleConnections()
			if err := client.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			unknown := 0
			for range 60 {
				if _, err := FailoverBackends.Of(client).Create(t.Context(), twin); err != nil {
					unknown++
				}
			}
			if unknown > 0 || len(s.ids()) != 60 {
				t.Errorf("%d of 60 creations have an unknown outcome, and %d objects exist", unknown, len(s.ids()))
			}
		})
	})
}
