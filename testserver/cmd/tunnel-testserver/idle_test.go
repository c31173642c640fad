package main

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// pipes is a listener of connections in memory.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.accepted:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// pipe records that the server closed it.
type pipe struct {
	net.Conn
	closed *atomic.Bool
}

func (p pipe) Close() error {
	p.closed.Store(true)
	return p.Conn.Close()
}

// TestIdle_connectionIsClosed leaves a connection open after a request.
func TestIdle_connectionIsClosed(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"HTTP/1.1": false, "HTTP/2.0": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := testserver.New()
				front := frontOf(server, slog.New(slog.DiscardHandler))
				plain := &pipes{make(chan net.Conn), make(chan struct{})}
				var listener net.Listener = plain
				url := "http://test/ssh_credentials"
				if secure {
					var err error
					if listener, err = server.EnableTLS(front, plain); err != nil {
						t.Fatal(err)
					}
					url = "https://test/ssh_credentials"
				}
				go func() { _ = front.Serve(listener) }()
				defer front.Close()

				var closed atomic.Bool
				transport := &http.Transport{
					DialContext: func(context.Context, string, string) (net.Conn, error) {
						mine, its := net.Pipe()
						plain.accepted <- pipe{its, &closed}
						return mine, nil
					},
					TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // a connection in memory
					ForceAttemptHTTP2: true,
				}
				defer transport.CloseIdleConnections()
				resp, err := (&http.Client{Transport: transport}).Get(url)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
				if resp.Proto != name {
					t.Fatalf("the request was %s", resp.Proto)
				}
				time.Sleep(maxIdle - time.Second)
				if closed.Load() {
					t.Error("the connection was closed early")
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if !closed.Load() {
					t.Error("the idle connection is still open")
				}
			})
		})
	}
}
