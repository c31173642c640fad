package plane

import (
	"io"
	"net"
	"strings"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// stream passes the bytes of a connection to a TLS or TCP edge on.
func (p *Plane) stream(c *conn, r traffic.Request) {
	defer func() { _ = c.Close() }()
	c.begin()
	r.Client = clientOf(c.RemoteAddr().String())
	entry, sizes := p.begin(), map[string]any{}
	defer p.end(entry, "tcp_connection_closed.v0", sizes)
	_, _ = p.route(&r, entry, func(t *tunnel) error {
		to, err := t.dial(c.RemoteAddr())
		if err == nil {
			sizes["bytes_in"], sizes["bytes_out"] = pipe(c, to)
		}
		return err
	})
}

// stream is a connection whose directions end by themselves.
type stream interface {
	io.ReadWriteCloser
	CloseWrite() error
}

// pipe connects two connections until both directions have ended, and returns how many
// bytes came from the first one and went to it.
func pipe(a, b stream) (in, out int64) {
	defer func() { _ = b.Close() }()
	both := make(chan struct{})
	pass := func(to, from stream) int64 {
		n, err := io.Copy(to, from)
		if err != nil || to.CloseWrite() != nil {
			_, _ = to.Close(), from.Close()
		}
		return n
	}
	go func() {
		in = pass(b, a)
		close(both)
	}()
	out = pass(a, b)
	<-both
	return in, out
}

// addresses are the listeners of TCP hostports.
type addresses struct {
	mutex     sync.Mutex
	listeners map[string]net.Listener
	closed    bool
}

func (a *addresses) all() map[string]string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	all := map[string]string{}
	for hostport, listener := range a.listeners {
		all[hostport] = listener.Addr().String()
	}
	return all
}

func (a *addresses) close() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.closed = true
	for _, listener := range a.listeners {
		_ = listener.Close()
	}
}

// openAddresses listens for each hostport of a TCP edge or tunnel, on its port if that
// is free, and for no other.
func (p *Plane) openAddresses() {
	p.addresses.mutex.Lock()
	defer p.addresses.mutex.Unlock()
	wanted := map[string]bool{}
	for _, bound := range []traffic.Bound{p.account.Bound(), p.World().Bound} {
		for name := range bound {
			if hostport, ok := strings.CutPrefix(name, "tcp "); ok {
				wanted[hostport] = true
			}
		}
	}
	for hostport, listener := range p.addresses.listeners {
		if !wanted[hostport] {
			_ = listener.Close()
			delete(p.addresses.listeners, hostport)
		}
	}
	for hostport := range wanted {
		host, port, err := net.SplitHostPort(hostport)
		if p.addresses.listeners[hostport] != nil || p.addresses.closed || err != nil {
			continue
		}
		listener, err := p.listenNear(port)
		if err != nil {
			p.api.Log.Warn("traffic", "hostport", hostport, "error", err)
			continue
		}
		p.addresses.listeners[hostport] = listener
		p.api.Log.Info("traffic: TCP", "hostport", hostport, "listens", listener.Addr())
		go listener.serve(func(c *conn) { p.stream(c, traffic.Request{Protocol: "tcp", Host: host, Port: port}) })
	}
}

// listenNear listens on a port of the address of the traffic, or on a free one.
func (p *Plane) listenNear(port string) (*listener, error) {
	host, _, err := net.SplitHostPort(p.Traffic)
	if err != nil {
		return nil, err
	}
	if wanted, err := p.listen(net.JoinHostPort(host, port)); err == nil {
		return wanted, nil
	}
	return p.listen(net.JoinHostPort(host, "0"))
}
