package testserver

import (
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// maxDown is how long a server can be down over HTTP, which nothing can end.
const maxDown = 10 * time.Minute

// Listener returns a listener that [Server.Down] can close. Serve the server on it
// instead of the plain one.
func (s *Server) Listener(plain net.Listener) net.Listener {
	s.listener = &listener{current: plain, address: plain.Addr()}
	return s.listener
}

// Down closes the listener, so that connections are refused, and the connections of
// requests that come on older ones. The server listens again after d, or after Up if d is
// 0. Down returns an error if the server does not own its listener; see Listener.
func (s *Server) Down(d time.Duration) error {
	if s.listener == nil {
		return errors.New("the server does not own its listener")
	}
	s.listener.down(d)
	return nil
}

// Up ends Down. It returns an error if the port cannot be used again.
func (s *Server) Up() error {
	if s.listener == nil {
		return nil
	}
	return s.listener.listen()
}

// controlDown takes the server down for a time.
func (s *Server) controlDown(c *engine.Call) (*engine.Answer, error) {
	values, err := body.Parse(c.Body)
	if err != nil {
		return nil, err
	}
	in := body.New(values, false, false)
	text := in.Text("for")
	in.RefuseUnknown()
	var period time.Duration
	if text != nil {
		period, err = time.ParseDuration(*text)
	}
	in.Rule(text != nil && err == nil && period > 0 && period <= maxDown, "for", "expected a duration of at most %s, such as 5s", maxDown)
	if err := in.End(); err != nil {
		return nil, err
	}
	if err := s.Down(period); err != nil {
		return nil, problem.Invalid("", "%v", err)
	}
	down := s.success(c, http.StatusNoContent, nil)
	s.log.Note(c, down, "down for "+period.String())
	return down, nil
}

// listener is a listener that can close and listen again at the same address.
type listener struct {
	address net.Addr

	mutex   sync.Mutex
	current net.Listener
	up      chan struct{} // closed when it listens again; nil while it does
	timer   *time.Timer
	closed  bool
}

// Addr returns the address, also while the listener is down.
func (l *listener) Addr() net.Addr { return l.address }

// Accept returns the next connection. It waits while the listener is down.
func (l *listener) Accept() (net.Conn, error) {
	for {
		l.mutex.Lock()
		current, up := l.current, l.up
		l.mutex.Unlock()
		if up != nil {
			<-up
			continue
		}
		connection, err := current.Accept()
		if err == nil || !l.left(current) {
			return connection, err
		}
	}
}

// Close closes the listener for good.
func (l *listener) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.closed = true
	if l.up == nil {
		return l.current.Close()
	}
	if l.timer != nil {
		l.timer.Stop()
	}
	close(l.up)
	l.up = nil
	return nil
}

// left reports whether an error of a former listener is only that it was closed for a
// time.
func (l *listener) left(former net.Listener) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return !l.closed && (l.up != nil || l.current != former)
}

func (l *listener) isDown() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.up != nil
}

// down closes the listener for d, or until listen if d is 0.
func (l *listener) down(d time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.up != nil || l.closed {
		return
	}
	_ = l.current.Close() // its port is free in any case
	l.up = make(chan struct{})
	if d > 0 {
		l.timer = time.AfterFunc(d, l.again)
	}
}

// again listens again, as soon as nothing else uses the port.
func (l *listener) again() {
	if l.listen() != nil {
		time.AfterFunc(10*time.Millisecond, l.again)
	}
}

// listen ends down.
func (l *listener) listen() (err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.up == nil {
		return nil
	}
	if l.current, err = net.Listen(l.address.Network(), l.address.String()); err != nil {
		return err
	}
	if l.timer != nil {
		l.timer.Stop()
	}
	close(l.up)
	l.up, l.timer = nil, nil
	return nil
}
