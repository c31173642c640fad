package plane

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// tunnel is an open forward of an SSH client.
type tunnel struct {
	*kinds.Tunnel
	session *session
	bind    forward  // as the client knows it
	binds   []string // as an ACL allows it
	http    *http.Transport
}

// forward is an address in the messages of RFC 4254, section 7.
type forward struct {
	Address string
	Port    uint32
}

// serves returns the labels, or the protocol and hostport, as decisions name a tunnel.
func (t *tunnel) serves() string {
	if t.Address != "" {
		return t.Address
	}
	return traffic.LabelText(t.Labels)
}

// dialError means that a tunnel does not take connections.
type dialError struct{ error }

// dial opens a connection through the tunnel.
func (t *tunnel) dial(from net.Addr) (*channel, error) {
	message := struct {
		Address       string
		Port          uint32
		ClientAddress string
		ClientPort    uint32
	}{t.bind.Address, t.bind.Port, "127.0.0.1", 0}
	if at, ok := from.(*net.TCPAddr); ok {
		message.ClientAddress, message.ClientPort = at.IP.String(), uint32(at.Port)
	}
	c, requests, err := t.session.connection.OpenChannel("forwarded-tcpip", ssh.Marshal(message))
	if err != nil {
		return nil, dialError{fmt.Errorf("%s: %w", t.ID, err)}
	}
	go ssh.DiscardRequests(requests)
	return &channel{c, t.session.connection}, nil
}

// channel is a connection without deadlines.
type channel struct {
	ssh.Channel
	*ssh.ServerConn
}

func (c *channel) Close() error                     { return c.Channel.Close() }
func (c *channel) SetDeadline(time.Time) error      { return nil }
func (c *channel) SetReadDeadline(time.Time) error  { return nil }
func (c *channel) SetWriteDeadline(time.Time) error { return nil }

// tunnels are those that are open.
type tunnels struct {
	mutex   sync.Mutex
	open    map[string][]*tunnel // by what they serve
	changed func()               // called after each change
}

func (t *tunnels) add(one *tunnel) {
	t.mutex.Lock()
	if t.open == nil {
		t.open = map[string][]*tunnel{}
	}
	t.open[one.serves()] = append(t.open[one.serves()], one)
	t.mutex.Unlock()
	t.changed()
}

func (t *tunnels) remove(one *tunnel) {
	t.mutex.Lock()
	rest := slices.DeleteFunc(t.open[one.serves()], func(each *tunnel) bool { return each == one })
	if t.open[one.serves()] = rest; len(rest) == 0 {
		delete(t.open, one.serves())
	}
	t.mutex.Unlock()
	t.changed()
}

// all returns all open tunnels.
func (t *tunnels) all() []*tunnel {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.Concat(slices.Collect(maps.Values(t.open))...)
}

// world returns the tunnels of a decision, without some.
func (t *tunnels) world(without map[*tunnel]bool) (w traffic.World) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	w.Bound = traffic.Bound{}
	for _, same := range t.open {
		for _, one := range same {
			if without[one] {
				continue
			}
			if one.Address != "" {
				w.Bound[one.Address] = true
			} else {
				w.Tunnels = append(w.Tunnels, one.Labels)
			}
			break // the others serve the same
		}
	}
	return w
}

// pick returns one of the tunnels that serve, without some. It is nil if there is none.
func (t *tunnels) pick(serve []string, without map[*tunnel]bool) *tunnel {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	var all []*tunnel
	for _, name := range serve {
		for _, one := range t.open[name] {
			if !without[one] {
				all = append(all, one)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[rand.IntN(len(all))]
}

// route decides about a request until use has a tunnel that takes a connection, and
// notes it. The decision is the last one: an answer without a tunnel, or why there is
// none.
func (p *Plane) route(r *traffic.Request, entry *Connection, use func(*tunnel) error) (traffic.Decision, error) {
	without := map[*tunnel]bool{}
	for {
		d := p.account.Decide(r, p.world(without))
		var t *tunnel
		if d.Target.Status == 0 && d.Target.Response == nil {
			if t = p.tunnels.pick(d.Target.Tunnels, without); t == nil {
				continue // it was closed since
			}
		}
		p.note(entry, *r, d, t)
		if t == nil {
			return d, nil
		}
		err := use(t)
		if !errors.As(err, new(dialError)) {
			return d, err
		}
		p.api.Log.Info("traffic", "request", *r, "error", err)
		without[t] = true
	}
}
