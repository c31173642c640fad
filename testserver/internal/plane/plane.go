// Package plane lets traffic flow: SSH clients open tunnels, edges serve connections,
// and destinations get events. What happens to a connection is decided by package
// traffic, and never here.
package plane

import (
	"crypto/tls"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
	"golang.org/x/crypto/ssh"
)

// Settings say what is open. Nothing is by default.
type Settings struct {
	Traffic      string // address of the edges, such as 127.0.0.1:8443
	ClientHeader string // header of HTTPS requests with the IP address of the client; empty for that of the connection
	SSH          string // address of the SSH gateway; needs Traffic
	SSHHost      string // name for which the host key is certified; defaults to the host of SSH
	Events       bool   // destinations with a callback_url get events
	AllowRemote  bool   // listens beyond loopback, and sends events there
}

// Plane is the data plane of a server.
type Plane struct {
	Settings
	api       *engine.API
	service   *kinds.Service
	off       func() map[string]bool
	account   *traffic.Live
	tunnels   tunnels
	addresses addresses
	authority *authority
	host      ssh.Signer // of the gateway
	opening   sync.Mutex // held from the check of a name until it is taken
	named     int        // names that were chosen
	proxy     *httputil.ReverseProxy
	events    events
	stops     []func()

	mutex       sync.Mutex
	connections ring[*Connection]
	deliveries  ring[*Delivery]
}

// Start opens what the settings say. off returns the assumptions that do not hold.
func Start(settings Settings, api *engine.API, service *kinds.Service, off func() map[string]bool) (p *Plane, err error) {
	p = &Plane{Settings: settings, api: api, service: service, off: off}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	if settings.SSH != "" && settings.Traffic == "" {
		return p, errors.New("an SSH gateway needs edges: set the address of the traffic too")
	}
	if settings.Events {
		p.startEvents()
	}
	if settings.Traffic != "" {
		if err := p.startEdges(); err != nil {
			return p, fmt.Errorf("traffic: %w", err)
		}
	}
	if settings.SSH != "" {
		if err := p.startGateway(); err != nil {
			return p, fmt.Errorf("SSH gateway: %w", err)
		}
	}
	return p, nil
}

// Close ends all connections and tunnels.
func (p *Plane) Close() {
	for _, stop := range slices.Backward(p.stops) {
		stop()
	}
	p.stops = nil
}

// startEdges listens for clients of edges.
func (p *Plane) startEdges() (err error) {
	if p.authority, err = newAuthority(); err != nil {
		return err
	}
	listener, err := p.listen(p.Traffic)
	if err != nil {
		return err
	}
	p.Traffic = listener.Addr().String()
	changed, ended := make(chan struct{}, 1), make(chan struct{})
	p.tunnels.changed = func() {
		select {
		case changed <- struct{}{}:
		default: // what is about to look will see it
		}
	}
	account, unwatch := traffic.Watch(p.api.Store, p.tunnels.changed)
	p.account, p.addresses.listeners = account, map[string]net.Listener{}
	p.proxy = p.newProxy()
	server := &http.Server{
		Handler: p, ReadHeaderTimeout: handshakeLimit, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		TLSConfig: p.edgeTLS(), ErrorLog: log.New(errorLog{p}, "", 0),
	}
	p.stops = append(p.stops, func() {
		close(ended)
		unwatch()
		_ = server.Close()
		p.addresses.close()
	})
	go func() { _ = server.Serve(tls.NewListener(listener, server.TLSConfig)) }()
	go func() {
		for {
			p.openAddresses()
			p.checkTunnels()
			select {
			case <-changed:
			case <-ended:
				return
			}
		}
	}()
	return nil
}

// errorLog logs what the HTTP server complains about.
type errorLog struct{ *Plane }

func (l errorLog) Write(line []byte) (int, error) {
	if !strings.Contains(string(line), net.ErrClosed.Error()) { // a connection to a TLS edge
		l.api.Log.Info("traffic: " + strings.TrimSpace(string(line)))
	}
	return len(line), nil
}

// Authority returns the certificate, as PEM, of the authority of all certificates whose
// private keys are not here.
func (p *Plane) Authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.authority.certificate.Raw})
}

// Connection is a connection to a TLS or TCP edge, or a request to an HTTPS edge.
type Connection struct {
	Number   int               `json:"number"`
	Time     time.Time         `json:"time"`
	Request  traffic.Request   `json:"request"`
	Answer   string            `json:"answer"`
	Stops    []traffic.Stop    `json:"stops"`
	Tunnel   string            `json:"tunnel,omitempty"` // id
	Open     bool              `json:"open"`
	Duration float64           `json:"duration_ms"`
	Logged   []json.RawMessage `json:"logged,omitempty"` // configs of the actions log
}

// begin adds a connection to the log.
func (p *Plane) begin() *Connection {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	entry := &Connection{Time: time.Now(), Open: true}
	entry.Number = p.connections.add(entry)
	return entry
}

// note notes what becomes of a connection.
func (p *Plane) note(entry *Connection, r traffic.Request, d traffic.Decision, tunnel string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	entry.Request, entry.Answer, entry.Stops, entry.Logged, entry.Tunnel = r, d.Answer, d.Stops, d.Target.Logged, tunnel
}

// end notes that a connection has ended, and sends the event.
func (p *Plane) end(entry *Connection, eventType string, more map[string]any) {
	p.mutex.Lock()
	entry.Open, entry.Duration = false, float64(time.Since(entry.Time))/float64(time.Millisecond)
	more["connection"] = *entry
	p.mutex.Unlock()
	p.events.emit(eventType, fmt.Sprint("connection ", entry.Number), more)
}

// State is what a plane has, for the page.
type State struct {
	Traffic     string            `json:"traffic,omitempty"` // address of the edges
	SSH         string            `json:"ssh,omitempty"`     // address of the gateway
	Addresses   map[string]string `json:"addresses"`         // where TCP hostports are open
	Connections []Connection      `json:"connections"`       // the newest 1,000, oldest first
	Deliveries  []Delivery        `json:"deliveries"`        // of events, likewise
	Unreachable map[string]int    `json:"unreachable"`       // events for other targets, by target
}

// State returns what the plane has.
func (p *Plane) State() State {
	found := State{Traffic: p.Traffic, SSH: p.SSH, Addresses: p.addresses.all()}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	found.Connections, found.Deliveries = values(p.connections.all), values(p.deliveries.all)
	found.Unreachable = maps.Clone(p.events.unreachable)
	return found
}

func values[T any](pointers []*T) []T {
	all := []T{}
	for _, one := range pointers {
		all = append(all, *one)
	}
	return all
}

// ring has the newest entries.
type ring[T any] struct {
	all  []T
	last int
}

const maxEntries = 1000

// add adds an entry, and returns its number.
func (r *ring[T]) add(entry T) int {
	if r.all = append(r.all, entry); len(r.all) > 2*maxEntries {
		r.all = slices.Clone(r.all[maxEntries:])
	}
	r.last++
	return r.last
}

// Forget forgets the connections and the deliveries, also those that are not done.
func (p *Plane) Forget() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, d := range p.deliveries.all {
		d.forgotten = true
	}
	p.connections.all, p.deliveries.all = nil, nil
}

// clientOf returns the address of a client.
func clientOf(address string) netip.Addr {
	at, _ := netip.ParseAddrPort(address)
	return at.Addr().Unmap()
}
