package plane

import (
	"errors"
	"fmt"
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

	reserved bool // it serves a reserved address
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

// dialLimit is how long an SSH client has to answer before its connection is closed.
const dialLimit = 10 * time.Second

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
	type opened struct {
		ssh.Channel
		requests <-chan *ssh.Request
		err      error
	}
	done := make(chan opened, 1)
	go func() { // the library waits for ever if the client goes in the wrong moment
		c, requests, err := t.session.connection.OpenChannel("forwarded-tcpip", ssh.Marshal(message))
		done <- opened{c, requests, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, dialError{fmt.Errorf("%s: %w", t.ID, o.err)}
		}
		go ssh.DiscardRequests(o.requests)
		return &channel{o.Channel, t.session.connection}, nil
	case <-time.After(dialLimit):
		_ = t.session.connection.Close() // the client is stopped
		return nil, dialError{fmt.Errorf("%s: no answer within %s", t.ID, dialLimit)}
	}
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
	open    []*tunnel
	changed func() // called after each change
}

// change changes the open tunnels.
func (t *tunnels) change(to func([]*tunnel) []*tunnel) {
	t.mutex.Lock()
	t.open = to(t.open)
	t.mutex.Unlock()
	t.changed()
}

// all returns the open tunnels, without some.
func (t *tunnels) all(without map[*tunnel]bool) []*tunnel {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return slices.DeleteFunc(slices.Clone(t.open), func(one *tunnel) bool { return without[one] })
}

// world returns what decisions depend on besides the account, with these tunnels.
func (p *Plane) world(open []*tunnel) traffic.World {
	w := traffic.World{Bound: traffic.Bound{}, Now: p.api.Now(), Off: p.off()}
	for _, one := range open {
		if one.Address != "" {
			w.Bound[one.Address] = true
		} else {
			w.Tunnels = append(w.Tunnels, one.Labels)
		}
	}
	return w
}

// World returns what decisions depend on besides the account.
func (p *Plane) World() traffic.World { return p.world(p.tunnels.all(nil)) }

// route decides about a request until use has a tunnel that takes a connection, and
// notes it. The decision is the last one: an answer without a tunnel, or why there is
// none.
func (p *Plane) route(r *traffic.Request, entry *Connection, use func(*tunnel) error) (traffic.Decision, error) {
	failed := map[*tunnel]bool{}
	for {
		open := p.tunnels.all(failed)
		d := p.account.Decide(r, p.world(open))
		open = slices.DeleteFunc(open, func(one *tunnel) bool { return !slices.Contains(d.Target.Tunnels, one.serves()) })
		if len(open) == 0 || d.Target.Status != 0 || d.Target.Response != nil {
			p.note(entry, *r, d, "")
			return d, nil
		}
		t := open[rand.IntN(len(open))]
		p.note(entry, *r, d, t.ID)
		err := use(t)
		if !errors.As(err, new(dialError)) {
			return d, err
		}
		p.api.Log.Info("traffic", "request", *r, "error", err)
		failed[t] = true
	}
}
