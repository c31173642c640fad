package plane

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// maxKeys is how many keys a client may offer.
const maxKeys = 20

// startGateway listens for SSH clients.
func (p *Plane) startGateway() (err error) {
	if p.host, err = keys.NewSSH(); err != nil {
		return err
	}
	listener, err := p.listen(p.SSH)
	if err != nil {
		return err
	}
	if p.SSHHost == "" {
		p.SSHHost, _, _ = net.SplitHostPort(p.SSH)
	}
	p.SSH = listener.Addr().String()
	p.stops = append(p.stops, func() {
		_ = listener.Close()
		p.closeTunnels(func(t *tunnel) bool { return t.session.connection.Close() == nil })
	})
	go listener.serve(p.serveSSH)
	return nil
}

// sshConfig is made for each client, because the newest authority certifies the host
// key.
func (p *Plane) sshConfig() *ssh.ServerConfig {
	config := &ssh.ServerConfig{
		MaxAuthTries: maxKeys,
		PublicKeyCallback: func(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			blob := base64.StdEncoding.EncodeToString(key.Marshal())
			if id, _ := p.account.Credential(blob); id == "" {
				text := "No SSH credential of this account has the key " + ssh.FingerprintSHA256(key) + ".\r\n"
				return nil, &ssh.BannerError{Err: errors.New("unknown key"), Message: text}
			}
			return &ssh.Permissions{Extensions: map[string]string{"key": blob}}, nil
		},
	}
	config.AddHostKey(p.host)
	certificate := &ssh.Certificate{
		Key: p.host.PublicKey(), CertType: ssh.HostCert, KeyId: "gateway",
		ValidPrincipals: []string{p.SSHHost}, ValidBefore: ssh.CertTimeInfinity,
	}
	if authority := p.service.GatewayAuthority(); authority != nil && certificate.SignCert(rand.Reader, authority) == nil {
		if certified, err := ssh.NewCertSigner(certificate, p.host); err == nil {
			config.AddHostKey(certified)
		}
	}
	return config
}

// serveSSH serves a client. The replies to its forwards wait for its command, which
// follows them.
func (p *Plane) serveSSH(c *conn) {
	defer func() { _ = c.Close() }()
	c.begun = true // nothing is read again
	connection, channels, requests, err := ssh.NewServerConn(c, p.sshConfig())
	if err != nil {
		p.api.Log.Info("SSH gateway: no login", "client", c.RemoteAddr(), "error", err)
		return
	}
	_ = c.SetDeadline(time.Time{})
	s := newSession(connection)
	go s.serve(channels)
	for r := range requests {
		var f forward
		ok, reply := ssh.Unmarshal(r.Payload, &f) == nil, []byte(nil)
		switch {
		case ok && r.Type == "tcpip-forward":
			s.asked.Store(true)
			reply, err = p.open(s, f)
			if ok = err == nil; !ok {
				p.endSession(s, err)
			}
		case ok && r.Type == "cancel-tcpip-forward":
			ok = p.closeTunnels(func(t *tunnel) bool { return t.session == s && t.bind == f }) > 0
		default:
			ok = false
		}
		if r.WantReply {
			_ = r.Reply(ok, reply)
		}
	}
	p.closeTunnels(func(t *tunnel) bool { return t.session == s })
}

// open opens a tunnel for a forward, and returns the reply to it.
func (p *Plane) open(s *session, f forward) ([]byte, error) {
	wanted, err := s.wanted()
	if err != nil {
		return nil, err
	}
	p.opening.Lock()
	defer p.opening.Unlock()
	t := &tunnel{Tunnel: &kinds.Tunnel{Labels: wanted.labels}, session: s, bind: f}
	if err := p.name(t, wanted.protocol); err != nil {
		return nil, err
	}
	if err := p.allowed(t); err != nil {
		return nil, err
	}
	if p.taken(t.Address) {
		return nil, fmt.Errorf("%s is taken by an edge or another tunnel", t.Address)
	}
	if err := p.service.OpenTunnel(p.api, t.Tunnel); err != nil {
		return nil, err
	}
	t.http = tunnelHTTP(t)
	p.tunnels.change(func(open []*tunnel) []*tunnel { return append(open, t) })
	p.openAddresses()
	s.say(fmt.Sprintf("Tunnel %s is open: %s. Ctrl-C ends it.", t.ID, t.serves()))
	p.api.Log.Info("SSH gateway: tunnel", "id", t.ID, "serves", t.serves(), "credential", t.Credential)
	if f.Port != 0 {
		return nil, nil
	}
	return ssh.Marshal(struct{ Port uint32 }{t.bind.Port}), nil
}

// name decides what a tunnel serves, and what an ACL has to allow for that. If the
// client leaves the name or the port open, it chooses one.
func (p *Plane) name(t *tunnel, protocol string) error {
	host, given, port := strings.ToLower(t.bind.Address), true, strconv.Itoa(int(t.bind.Port))
	if slices.Contains([]string{"", "localhost", "*", "0.0.0.0", "::", "127.0.0.1", "::1"}, host) {
		p.named++
		host, given = fmt.Sprintf("t%d.%s", p.named, kinds.OwnDomain), false
	}
	if t.bind.Port == 0 { // only the client needs it
		t.bind.Port = t.session.nextPort()
	}
	switch {
	case protocol == "" && given:
		return fmt.Errorf("a tunnel with labels has no name: expected -R 0:localhost:3000, found %s", host)
	case protocol == "":
		for _, name := range slices.Sorted(maps.Keys(t.Labels)) {
			t.binds = append(t.binds, name+"="+t.Labels[name])
		}
		return nil
	case protocol == "tcp" && port == "0" && !given:
		below := 20_000 + time.Now().UnixNano()%10_000 // what the system gives to nobody else meanwhile
		listener, err := p.listenNear(strconv.FormatInt(below, 10))
		if err != nil {
			return err
		}
		_ = listener.Close() // the tunnel opens it again
		at := listener.Addr().(*net.TCPAddr)
		port, t.bind.Port = strconv.Itoa(at.Port), uint32(at.Port)
	case protocol == "tcp" && (!given || !p.account.Reserved(net.JoinHostPort(host, port))):
		return fmt.Errorf("%s is not a reserved address of this account: use one, or -R 0:localhost:22 for any address",
			net.JoinHostPort(host, port))
	case protocol != "tcp" && port != "0" && port != "443" && (protocol != "http" || port != "80"):
		return fmt.Errorf("a tunnel for %s has no port %s: expected -R 443:localhost:3000, with a name before it or not", protocol, port)
	}
	if protocol == "tcp" {
		t.binds, t.reserved = []string{net.JoinHostPort(host, port)}, given
		t.Address = "tcp " + t.binds[0]
		return nil
	}
	t.binds = []string{host}
	t.Address = strings.Replace(protocol, "http", "https", 1) + " " + net.JoinHostPort(host, "443")
	return nil
}

// allowed sets the credential of a tunnel, and returns an error if that does not allow
// it, or not any more.
func (p *Plane) allowed(t *tunnel) error {
	id, acl := p.account.Credential(t.session.connection.Permissions.Extensions["key"])
	if t.Credential == "" {
		t.Credential = id
	}
	if id == "" || id != t.Credential {
		return fmt.Errorf("the SSH credential %s does not exist any more", t.Credential)
	}
	if t.reserved && !p.account.Reserved(t.binds[0]) {
		return fmt.Errorf("the reserved address %s does not exist any more", t.binds[0])
	}
	for _, bind := range t.binds {
		if rule := traffic.ACLLacks(acl, bind); rule != "" {
			return fmt.Errorf("the ACL of %s does not allow to bind %s: the rule %s would", id, bind, rule)
		}
	}
	return nil
}

// taken reports whether an edge or a tunnel has an address. TLS and HTTPS share theirs.
func (p *Plane) taken(address string) bool {
	protocol, hostport, named := strings.Cut(address, " ")
	tunnels, edges := p.World().Bound, p.account.Bound()
	has := func(other string) bool { return tunnels[other+" "+hostport] || edges[other+" "+hostport] }
	if protocol == "tcp" {
		return has("tcp")
	}
	return named && (has("https") || has("tls"))
}

// closeTunnels closes tunnels, and returns how many they are.
func (p *Plane) closeTunnels(which func(*tunnel) bool) (closed int) {
	for _, t := range p.tunnels.all(nil) {
		if !which(t) {
			continue
		}
		closed++
		p.tunnels.change(func(open []*tunnel) []*tunnel {
			return slices.DeleteFunc(open, func(one *tunnel) bool { return one == t })
		})
		t.http.CloseIdleConnections()
		if err := p.service.CloseTunnel(t.ID); err != nil {
			p.api.Log.Warn("SSH gateway", "tunnel", t.ID, "error", err)
		}
	}
	return closed
}

// endSession ends the tunnels of a client, and says why.
func (p *Plane) endSession(s *session, reason error) {
	p.api.Log.Info("SSH gateway: the tunnels of a client end", "client", s.connection.RemoteAddr(), "reason", reason)
	p.closeTunnels(func(t *tunnel) bool { return t.session == s })
	s.fail(reason)
}

// checkTunnels ends the sessions whose credentials do not allow their tunnels any more.
func (p *Plane) checkTunnels() {
	if p.off()["credential_closes_tunnels"] {
		return
	}
	for _, t := range p.tunnels.all(nil) {
		if err := p.allowed(t); err != nil {
			p.endSession(t.session, err)
		}
	}
}
