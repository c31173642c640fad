package plane

import (
	"errors"
	"fmt"
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

// listener is a listener with limits.
type listener struct {
	net.Listener
	plane *Plane
	open  atomic.Int64
	said  time.Time
}

// listen listens on an address, by default only on loopback.
func (p *Plane) listen(address string) (*listener, error) {
	plain, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at := plain.Addr().(*net.TCPAddr); !at.IP.IsLoopback() && !p.AllowRemote {
		_ = plain.Close()
		return nil, fmt.Errorf("other machines can reach %s: expected a loopback address, such as 127.0.0.1:0, or -allow-remote-traffic", address)
	}
	return &listener{Listener: plain, plane: p}, nil
}

// Accept waits for the next connection that is within the limits.
func (l *listener) Accept() (net.Conn, error) {
	for {
		plain, err := l.Listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil, err
		case err != nil: // such as too many open files
			l.plane.api.Log.Warn("traffic", "error", err)
			time.Sleep(100 * time.Millisecond)
		case l.open.Add(1) > maxConnections:
			l.open.Add(-1)
			_ = plain.Close()
			if time.Since(l.said) > time.Second {
				l.said = time.Now()
				l.plane.api.Log.Warn("traffic: too many connections", "address", l.Addr(), "limit", maxConnections)
			}
		default:
			limit := handshakeLimit
			if l.open.Load() > maxConnections/10 {
				limit = busyLimit
			}
			c := &conn{Conn: plain, limit: time.Now().Add(limit), ended: sync.OnceFunc(func() { l.open.Add(-1) })}
			return c, c.SetReadDeadline(c.limit)
		}
	}
}

// serve serves the connections of a listener, until it is closed.
func (l *listener) serve(work func(*conn)) {
	for c, err := l.Accept(); err == nil; c, err = l.Accept() {
		go work(c.(*conn))
	}
}

// conn is a connection of a client. Until it begins, it has a deadline, whatever its
// reader sets, and what is read is kept.
type conn struct {
	net.Conn
	limit  time.Time
	begun  bool
	seen   []byte
	replay []byte // is read again
	ended  func()
}

// begin begins a connection that is no HTTP server's, which sets its own deadlines.
// What was read is read again.
func (c *conn) begin() {
	c.begun, c.replay = true, c.seen
	_ = c.SetDeadline(time.Time{})
}

// SetReadDeadline sets the deadline of reads.
func (c *conn) SetReadDeadline(t time.Time) error {
	if !c.begun && (t.IsZero() || t.After(c.limit)) {
		t = c.limit
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *conn) Read(p []byte) (n int, err error) {
	if len(c.replay) > 0 {
		n = copy(p, c.replay)
		c.replay = c.replay[n:]
		return n, nil
	}
	if n, err = c.Conn.Read(p); !c.begun {
		c.seen = append(c.seen, p[:n]...)
	}
	return n, err
}

// CloseWrite ends what is sent to the client.
func (c *conn) CloseWrite() error { return c.Conn.(*net.TCPConn).CloseWrite() }

func (c *conn) Close() error {
	c.ended()
	return c.Conn.Close()
}
