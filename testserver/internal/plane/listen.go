package plane

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxConnections is how many connections a listener has at a time.
	maxConnections = 10_000
	// handshakeLimit is how long a client has until it says what it wants, and
	// busyLimit if a tenth of the connections is used, so that clients that say nothing
	// keep nobody out.
	handshakeLimit = time.Minute
	busyLimit      = 5 * time.Second
)

// listen listens on an address, by default only on loopback.
func (p *Plane) listen(address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at := listener.Addr().(*net.TCPAddr); !at.IP.IsLoopback() && !p.AllowRemote {
		_ = listener.Close()
		return nil, fmt.Errorf("other machines can reach %s: expected a loopback address, such as 127.0.0.1:0, or -allow-remote-traffic", address)
	}
	return listener, nil
}

// accept serves the connections of a listener until it is closed.
func (p *Plane) accept(listener net.Listener, serve func(*conn)) {
	var open atomic.Int64
	var said time.Time
	for {
		plain, err := listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			p.api.Log.Warn("traffic", "error", err)
			time.Sleep(100 * time.Millisecond)
		case open.Add(1) > maxConnections:
			open.Add(-1)
			_ = plain.Close()
			if time.Since(said) > time.Second {
				said = time.Now()
				p.api.Log.Warn("traffic: too many connections", "address", listener.Addr(), "limit", maxConnections)
			}
		default:
			limit := handshakeLimit
			if open.Load() > maxConnections/10 {
				limit = busyLimit
			}
			_ = plain.SetDeadline(time.Now().Add(limit))
			go serve(&conn{Conn: plain, ended: sync.OnceFunc(func() { open.Add(-1) })})
		}
	}
}

// conn is a connection of a client. It has a deadline until the client has said what it
// wants.
type conn struct {
	net.Conn
	begun io.Reader // what was read already, and then the rest; nil if nothing was
	ended func()
}

// begin removes the deadline.
func (c *conn) begin() { _ = c.SetDeadline(time.Time{}) }

func (c *conn) Read(p []byte) (int, error) {
	if c.begun != nil {
		return c.begun.Read(p)
	}
	return c.Conn.Read(p)
}

func (c *conn) Close() error {
	c.ended()
	return c.Conn.Close()
}

// CloseWrite ends what is sent to the client.
func (c *conn) CloseWrite() error { return c.Conn.(*net.TCPConn).CloseWrite() }

// handed is a listener of connections that were accepted already.
type handed struct {
	net.Listener
	connections <-chan net.Conn
	ended       <-chan struct{}
}

func (h *handed) Accept() (net.Conn, error) {
	select {
	case c := <-h.connections:
		return c, nil
	case <-h.ended:
		return nil, net.ErrClosed
	}
}
