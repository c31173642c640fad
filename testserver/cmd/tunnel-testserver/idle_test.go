package main

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestIdle_connectionIsClosed leaves a connection open after a request, or without one.
func TestIdle_connectionIsClosed(t *testing.T) {
	t.Parallel()
	for name, sent := range map[string]string{
		"HTTP/1.1": "GET /ssh_credentials HTTP/1.1\r\nHost: test\r\n\r\n",
		"h2":       "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", // preface and settings
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.New()
			front := frontOf(server, slog.New(slog.DiscardHandler))
			if front.IdleTimeout != maxIdle || maxIdle > 2*time.Minute {
				t.Errorf("connections stay open for %s", front.IdleTimeout)
			}
			front.IdleTimeout = 20 * time.Millisecond
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			connection, err := net.Dial("tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if name == "h2" {
				connection = tls.Client(connection, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{name}}) //nolint:gosec // on this machine
				if listener, err = server.EnableTLS(front, listener); err != nil {
					t.Fatal(err)
				}
			}
			go func() { _ = front.Serve(listener) }()
			defer front.Close()
			_ = connection.SetDeadline(time.Now().Add(time.Minute))
			if _, err = io.WriteString(connection, sent); err == nil {
				_, err = io.Copy(io.Discard, connection)
			}
			if err != nil {
				t.Errorf("the idle connection is not closed: %v", err)
			}
		})
	}
}
