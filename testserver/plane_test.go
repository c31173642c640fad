package testserver

import (
	"bytes"
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/net/websocket"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/plane"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// openTraffic opens edges and a gateway for the duration of a test. HTTPS requests name
// their clients in a header.
func openTraffic(t testing.TB, s *Server) *Traffic {
	t.Helper()
	opened, err := s.OpenTraffic(TrafficSettings{
		Traffic: "127.0.0.1:0", SSH: "127.0.0.1:0", SSHHost: "ssh.example.com", ClientHeader: "Client", Events: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.Close)
	return opened
}

// sshTunnel is an SSH client with one forward.
type sshTunnel struct {
	client *ssh.Client
	output *bytes.Buffer // what the session shows; complete when ended is closed
	status int
	ended  chan struct{}
	port   uint32 // that was allocated
	err    error  // of the forward
}

// dialSSH logs in to the gateway.
func dialSSH(opened *Traffic, key crypto.Signer) (*ssh.Client, error) {
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return nil, err
	}
	return ssh.Dial("tcp", opened.SSH, &ssh.ClientConfig{
		Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), //nolint:gosec // another test checks it
	})
}

// forward asks for a forward to a backend, as OpenSSH does: before the session.
func forward(t testing.TB, opened *Traffic, key crypto.Signer, address string, port uint32, command string, backend net.Addr) *sshTunnel {
	t.Helper()
	client, err := dialSSH(opened, key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	go func() {
		for asked := range client.HandleChannelOpen("forwarded-tcpip") {
			to, err := net.Dial(backend.Network(), backend.String())
			if err != nil {
				_ = asked.Reject(ssh.ConnectionFailed, "the backend is down")
				continue
			}
			c, requests, err := asked.Accept()
			if err != nil {
				return
			}
			go ssh.DiscardRequests(requests)
			go func() { _, _ = io.Copy(to, c); _ = to.(interface{ CloseWrite() error }).CloseWrite() }()
			go func() { _, _ = io.Copy(c, to); _ = c.CloseWrite() }()
		}
	}()
	tunnel := &sshTunnel{client: client, output: new(bytes.Buffer), ended: make(chan struct{})}
	replied := make(chan struct{})
	go func() {
		defer close(replied)
		message := struct {
			Address string
			Port    uint32
		}{address, port}
		ok, reply, err := client.SendRequest("tcpip-forward", true, ssh.Marshal(message))
		if tunnel.err = err; err == nil && !ok {
			tunnel.err = errors.New("refused")
		}
		var allocated struct{ Port uint32 }
		if ssh.Unmarshal(reply, &allocated) == nil {
			tunnel.port = allocated.Port
		}
	}()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	session.Stderr = tunnel.output
	go func() {
		defer close(tunnel.ended)
		var exit *ssh.ExitError
		if err := session.Run(command); errors.As(err, &exit) {
			tunnel.status = exit.ExitStatus()
		}
	}()
	<-replied
	return tunnel
}

// credential creates an SSH credential with an ACL, and returns its key and id.
func credential(t testing.TB, s *Server, acl ...string) (key crypto.Signer, id string) {
	key = newKey(t, "ed25519")
	return key, s.Create("/ssh_credentials", asJSON(map[string]any{"public_key": sshLine(t, key), "acl": acl}))
}

// edgeClient returns a client of edges, which knows where they listen.
func edgeClient(opened *Traffic, protocols ...string) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(opened.Authority())
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, NextProtos: protocols}, DisableKeepAlives: true, ForceAttemptHTTP2: len(protocols) == 0,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", opened.Traffic)
		},
	}}
}

// fetch gets a URL of an edge, and returns the response with its body.
func fetch(t testing.TB, client *http.Client, url string, changes ...func(*http.Request)) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		change(r)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// TestPlane_answersAsDecided sends the requests of the account for decisions over
// sockets.
func TestPlane_answersAsDecided(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "tunnel") }))
	t.Cleanup(backend.Close)
	key, _ := credential(t, s)
	forward(t, opened, key, "localhost", 0, "tunnel --label app=web --label dc=fra", backend.Listener.Addr())
	client := edgeClient(opened)
	for _, path := range []string{
		"www.example.com/", "www.example.com:8443/", "WWW.EXAMPLE.COM/x", "blog.example.com/", "a.blog.example.com/", "bare.example.org/",
		"www.example.com/api", "www.example.com/api/", "www.example.com/admin/", "www.example.com/nobody", "www.example.com/all",
		"www.example.com/off", "www.example.com/bare",
	} {
		for _, from := range []string{"192.0.2.1", "192.0.2.66", "198.51.100.1", "2001:db8::1", "::ffff:192.0.2.1"} {
			decided, err := s.Decide("https://" + path + " from " + from)
			if err != nil {
				t.Fatal(err)
			}
			response, text := fetch(t, client, "https://"+path, header("Client", from))
			got := strings.TrimSpace(fmt.Sprintf("%d %s", response.StatusCode, text))
			wanted := strings.Replace(strings.ReplaceAll(decided.Answer, `"`, ""), " (b06e0030)", "", 1)
			if strings.HasPrefix(wanted, "tunnel") {
				wanted = "200 tunnel"
			} else if !strings.Contains(decided.Answer, `"`) {
				wanted = wanted[:3] + " " + wanted
			}
			equal(t, path+" from "+from, got, strings.TrimSpace(wanted))
		}
	}
	addresses := opened.State().Addresses
	equal(t, "TCP addresses", len(addresses), 5)
	answer := func(c net.Conn, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		fmt.Fprint(c, "GET / HTTP/1.0\r\n\r\n")
		text, _ := io.ReadAll(c) // a reset is closed too
		return string(text[max(0, len(text)-6):])
	}
	for hostport, at := range addresses {
		decided, err := s.Decide("tcp://" + hostport + " from 127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, hostport, answer(net.Dial("tcp", at)) == "tunnel", decided.Served)
	}
	equal(t, "closed by the edge", addresses["2.tcp.example.com:20002"] != "" && addresses["3.tcp.example.com:20003"] != "", true)
}

// TestPlane_httpsRequests is what a backend and a client see of a request.
func TestPlane_httpsRequests(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	s.Put("/edges/https/edghts_www/routes/edghtsrt_root/compression", `{}`)
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/socket" {
			websocket.Handler(func(ws *websocket.Conn) { _, _ = io.Copy(ws, ws) }).ServeHTTP(w, r)
			return
		}
		sent, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, r.Host, " ", r.Header.Get("X-Forwarded-For"), " ", r.Header.Get("X-Forwarded-Proto"), " ", r.Header.Get("X-Forwarded-Host"), " ", string(sent))
	}))
	t.Cleanup(backend.Close)
	key, _ := credential(t, s)
	tunnel := forward(t, opened, key, "", 0, "tunnel --label app=web", backend.Listener.Addr())
	client := edgeClient(opened)
	post := func(r *http.Request) { r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader("body")) }
	response, text := fetch(t, client, "https://www.example.com/x", post, header("X-Forwarded-For", "192.0.2.99"), header("Accept-Encoding", "br, gzip;q=0"))
	equal(t, "request", text, "www.example.com 127.0.0.1 https www.example.com body")
	equal(t, "not compressed", response.Header.Get("Content-Encoding"), "")
	response, text = fetch(t, client, "https://www.example.com/x") // asks for gzip
	equal(t, "uncompressed by the client", response.Uncompressed, true)
	equal(t, "response", text, "www.example.com 127.0.0.1 https www.example.com ")
	equal(t, "protocol", response.Proto, "HTTP/2.0")

	config, err := websocket.NewConfig("wss://www.example.com/socket", "https://elsewhere.example.com")
	if err != nil {
		t.Fatal(err)
	}
	echo := func(message string) string {
		transport := edgeClient(opened, "http/1.1").Transport.(*http.Transport)
		c, err := tls.Dial("tcp", opened.Traffic, &tls.Config{RootCAs: transport.TLSClientConfig.RootCAs, ServerName: "www.example.com"})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		ws, err := websocket.NewClient(config, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := websocket.Message.Send(ws, []byte(message)); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for len(got) < len(message) && err == nil {
			var part []byte
			err = websocket.Message.Receive(ws, &part)
			got = append(got, part...)
		}
		return string(got)
	}
	equal(t, "WebSocket", echo("hello"), "hello")

	// The converter passes bytes of frames on, to what is no WebSocket server.
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	go func() {
		for c, err := plain.Accept(); err == nil; c, err = plain.Accept() {
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	_ = tunnel.client.Close()
	<-tunnel.ended
	forward(t, opened, key, "", 0, "tunnel --label app=web", plain.Addr())
	s.Put("/edges/https/edghts_www/routes/edghtsrt_root/websocket_tcp_converter", `{}`)
	equal(t, "converted", echo("SSH-2.0-hello\r\n"), "SSH-2.0-hello\r\n")
}

// TestPlane_failover takes the next backend if no tunnel of the first one can be
// dialed, and the first one again when it can, and shows the tunnels in the API.
func TestPlane_failover(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	opened := openTraffic(t, s)
	backend := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "busy", http.StatusServiceUnavailable) }))
	_ = backend.Listener.Close() // the tunnel is open, and its backend is down
	address := &net.UnixAddr{Net: "unix", Name: filepath.Join(t.TempDir(), "s")}
	client := edgeClient(opened)
	get := func() string {
		_, text := fetch(t, client, "https://www.example.com/api")
		return strings.TrimSpace(text)
	}
	equal(t, "no tunnel", get(), "hello")
	key, _ := credential(t, s)
	tunnel := forward(t, opened, key, "", 0, "tunnel --label app=down", address)
	shown := s.Get("/backends/tunnel_group/bkdtg_down")["tunnels"].([]any)
	equal(t, "tunnels of the group", len(shown), 1)
	equal(t, "of another group", len(s.Get("/backends/tunnel_group/bkdtg_web")["tunnels"].([]any)), 0)
	equal(t, "the tunnel cannot be dialed", get(), "hello")
	listener, err := net.ListenUnix("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	backend.Listener = listener
	backend.Start()
	t.Cleanup(backend.Close)
	equal(t, "the answer of a child does not lead to the next one", get(), "busy")
	connections := opened.State().Connections
	equal(t, "the tunnel of the connection", connections[len(connections)-1].Tunnel, member(shown[0].(map[string]any), "id"))
	version := s.api.Store.Version()
	_ = tunnel.client.Close()
	<-tunnel.ended
	eventually(t, func() bool { return len(s.Get("/backends/tunnel_group/bkdtg_down")["tunnels"].([]any)) == 0 })
	equal(t, "closed", get(), "hello")
	if s.api.Store.Version() == version {
		t.Error("the version of the objects does not say that a tunnel has closed")
	}
}

// TestPlane_certificates serves the certificate of the domain with its key, which is in
// memory only, and a certificate of the local authority where it has none.
func TestPlane_certificates(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	ca := issue(t, nil, newKey(t, "ecdsa"), authority("CA"))
	key := newKey(t, "ecdsa")
	leaf := issue(t, ca, key, func(c *x509.Certificate) { c.DNSNames = []string{"www.example.com"} })
	roots := x509.NewCertPool()
	roots.AddCert(ca.cert)
	issuerOf := func(opened *Traffic, host string) string {
		local := x509.NewCertPool()
		local.AppendCertsFromPEM(opened.Authority())
		for name, pool := range map[string]*x509.CertPool{"the CA": roots, "the local authority": local} {
			if c, err := tls.Dial("tcp", opened.Traffic, &tls.Config{RootCAs: pool, ServerName: host}); err == nil {
				_ = c.Close()
				return name
			}
		}
		return "none"
	}
	run := func(work func(s *Server, opened *Traffic)) {
		store, err := OpenStore(folder)
		if err != nil {
			t.Fatal(err)
		}
		s := Start(t, WithStore(store))
		work(s, openTraffic(t, s))
		s.plane.Load().Close()
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	secret := strings.TrimSpace(pkcs8(t, key))
	run(func(s *Server, opened *Traffic) {
		cert := s.Create("/tls_certificates", upload(leaf.pem+ca.pem, secret))
		s.Create("/reserved_domains", asJSON(map[string]any{"domain": "www.example.com", "certificate_id": cert}))
		s.Create("/reserved_domains", `{"domain": "managed.example.com", "certificate_management_policy": {"authority": "letsencrypt"}}`)
		s.Edit("/tls_certificates/"+cert, `{"description": "changed"}`)
		equal(t, "with its key", issuerOf(opened, "www.example.com"), "the CA")
		equal(t, "no domain", issuerOf(opened, "other.example.com"), "the local authority")
		if _, err := tls.Dial("tcp", opened.Traffic, &tls.Config{InsecureSkipVerify: true}); err == nil { //nolint:gosec // there is no handshake
			t.Error("a handshake without a host works")
		}
		for _, line := range strings.Split(secret, "\n")[1:3] {
			if file, _ := os.ReadFile(filepath.Join(folder, "tunnel.db")); bytes.Contains(file, []byte(line)) || bytes.Contains(s.Export(), []byte(line)) {
				t.Error("the private key is in the file or in the export")
			}
		}
	})
	run(func(_ *Server, opened *Traffic) {
		equal(t, "after a restart", issuerOf(opened, "www.example.com"), "the local authority")
	})
}

// TestGateway_forwards is what a client sees of each form of a forward.
func TestGateway_forwards(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	reserved := member(s.Get("/reserved_addrs/"+s.Create("/reserved_addrs", `{}`)), "addr")
	host, port, _ := net.SplitHostPort(reserved)
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(backend.Close)
	for name, test := range map[string]struct {
		acl     []string
		address string
		port    uint32
		command string
		shows   string // what the session shows; an error if it begins with tunnel:
	}{
		"labels":            {nil, "localhost", 0, "tunnel --label app=a --label dc=fra", "app=a,dc=fra"},
		"a name":            {nil, "one.example.com", 443, "", "https one.example.com:443"},
		"port 80":           {nil, "Two.Example.com", 80, "http", "https two.example.com:443"},
		"a wildcard":        {nil, "*.three.example.com", 443, "tls", "tls *.three.example.com:443"},
		"a chosen name":     {[]string{"bind:*.tunnel.example"}, "localhost", 443, "", ".tunnel.example:443"},
		"an address":        {[]string{"bind:" + reserved}, host, uint32(number), "tcp", "tcp " + reserved},
		"a chosen address":  {nil, "", 0, "tcp", "tcp t"},
		"bind of all names": {[]string{"bind:*"}, "four.example.com", 443, "http", "https four.example.com:443"},
		"bind of all":       {[]string{"bind:x=y", "*"}, "", 0, "tunnel --label app=b", "app=b"},
		"bind of a key":     {[]string{"bind:app=*"}, "", 0, "tunnel --label app=c", "app=c"},

		"one label not allowed": {[]string{"bind:app=d"}, "", 0, "tunnel --label app=d --label dc=fra", "tunnel: the ACL of ID does not allow to bind dc=fra: the rule bind:dc=fra would"},
		"name not allowed":      {[]string{"bind:*.example.org"}, "www.example.net", 443, "", "tunnel: the ACL of ID does not allow to bind www.example.net: the rule bind:www.example.net would"},
		"name of an edge":       {nil, "www.example.com", 443, "", "tunnel: https www.example.com:443 is taken by an edge or another tunnel"},
		"name of a TLS edge":    {nil, "tls.example.com", 443, "http", "tunnel: https tls.example.com:443 is taken by an edge or another tunnel"},
		"another address":       {nil, "9.tcp.tunnel.example", 20999, "tcp", "tunnel: 9.tcp.tunnel.example:20999 is not a reserved address of this account: use one, or -R 0:localhost:22 for any address"},
		"a port":                {nil, "five.example.com", 8080, "http", "tunnel: a tunnel for http has no port 8080: expected -R 443:localhost:3000, with a name before it or not"},
		"a command":             {nil, "", 443, "bash -i", `tunnel: invalid command "bash -i": expected none, http, tls, tcp, or tunnel --label app=web`},
		"no label":              {nil, "", 0, "tunnel", `tunnel: invalid command "tunnel": expected none, http, tls, tcp, or tunnel --label app=web`},
		"labels with a name":    {nil, "six.example.com", 0, "tunnel --label a=b", "tunnel: a tunnel with labels has no name: expected -R 0:localhost:3000, found six.example.com"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, id := credential(t, s, test.acl...)
			tunnel := forward(t, opened, key, test.address, test.port, test.command, backend.Listener.Addr())
			refused := strings.HasPrefix(test.shows, "tunnel: ")
			equal(t, "refused", tunnel.err != nil, refused)
			if !refused {
				_ = tunnel.client.Close()
			}
			<-tunnel.ended
			shown := strings.ReplaceAll(tunnel.output.String(), id, "ID")
			// This client, unlike OpenSSH, may begin its session before it asks for the
			// forward.
			shown = strings.TrimPrefix(shown, "No tunnel is open: add -R 443:localhost:3000 before the host.\r\n")
			if !strings.Contains(shown, test.shows) || refused && (tunnel.status != 1 || shown != test.shows+"\r\n") {
				t.Errorf("status %d, shown:\n%s\nwant: %s", tunnel.status, shown, test.shows)
			}
			if test.port == 0 && !refused && tunnel.port == 0 {
				t.Error("no port was told")
			}
			if _, err := dialSSH(opened, newKey(t, "ed25519")); err == nil {
				t.Error("an unknown key can log in")
			}
		})
	}
}

// TestGateway_tunnels is what becomes of tunnels: a name is never taken from another
// one, and a credential that does not allow them any more ends them.
func TestGateway_tunnels(t *testing.T) {
	t.Parallel()
	s := Start(t)
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	t.Cleanup(backend.Close)
	key, id := credential(t, s)
	first := forward(t, opened, key, "www.example.com", 443, "", backend.Listener.Addr())
	_, text := fetch(t, edgeClient(opened), "https://www.example.com/")
	equal(t, "through the first", text, "hello")
	second := forward(t, opened, key, "www.example.com", 443, "", backend.Listener.Addr())
	<-second.ended
	equal(t, "the second is refused", second.status, 1)

	address := forward(t, opened, key, "", 0, "tcp", backend.Listener.Addr())
	c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", address.port))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(c, "GET / HTTP/1.0\r\n\r\n")
	answer, err := io.ReadAll(c)
	equal(t, "TCP", err == nil && strings.HasSuffix(string(answer), "hello"), true)

	if _, err := first.client.Dial("tcp", backend.Listener.Addr().String()); err == nil || !strings.Contains(err.Error(), "only -R is allowed") {
		t.Errorf("a forward of the other direction: %v", err)
	}
	s.SetBehavior("credential_closes_tunnels=off")
	s.Edit("/ssh_credentials/"+id, `{"acl": ["bind:app=web"]}`)
	s.Edit("/ssh_credentials/"+id, `{"acl": ["bind:app=web", "bind:app=api"]}`)
	equal(t, "with the behavior", len(s.World(nil).Bound), 2)
	s.Edit("/ssh_credentials/"+id, `{"acl": []}`) // before the tunnels are looked at without it
	s.SetBehavior()
	s.Edit("/ssh_credentials/"+id, `{"acl": ["bind:*"]}`)
	<-address.ended
	if !strings.Contains(address.output.String(), "does not allow to bind") || address.status != 1 {
		t.Errorf("status %d, shown: %s", address.status, address.output)
	}
	s.Delete("/ssh_credentials/" + id)
	<-first.ended
	if !strings.HasSuffix(first.output.String(), "tunnel: the SSH credential "+id+" does not exist any more\r\n") {
		t.Errorf("shown: %s", first.output)
	}
	response, _ := fetch(t, edgeClient(opened), "https://www.example.com/")
	equal(t, "without tunnels", response.StatusCode, 404)
}

// TestGateway_hostCertificate lets a client accept the gateway by the newest authority
// of the account.
func TestGateway_hostCertificate(t *testing.T) {
	t.Parallel()
	s := Start(t)
	s.Create("/ssh_certificate_authorities", `{"private_key_type": "rsa"}`)
	newest := member(s.Get("/ssh_certificate_authorities/"+s.Create("/ssh_certificate_authorities", `{}`)), "public_key")
	opened := openTraffic(t, s)
	key, _ := credential(t, s)
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for host, ok := range map[string]bool{"ssh.example.com:22": true, "other.example.com:22": false} {
		checker := &ssh.CertChecker{IsHostAuthority: func(key ssh.PublicKey, _ string) bool {
			return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) == newest
		}}
		_, err := ssh.Dial("tcp", opened.SSH, &ssh.ClientConfig{
			Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyAlgorithms: []string{ssh.CertAlgoED25519v01},
			HostKeyCallback: func(_ string, at net.Addr, key ssh.PublicKey) error { return checker.CheckHostKey(host, at, key) },
		})
		equal(t, host, err == nil, ok)
	}
}

// TestEvents_delivery sends the events of changes to a webhook: in order for one
// object, again until it takes them, and as the API shows the object.
func TestEvents_delivery(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var got []plane.Event
	refusals := 1
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		var event plane.Event
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Error(err, r.Header)
		}
		if refusals > 0 {
			refusals--
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		got = append(got, event)
	}))
	t.Cleanup(hook.Close)
	count := func() int { mutex.Lock(); defer mutex.Unlock(); return len(got) }
	s := Start(t)
	opened := openTraffic(t, s)
	var ids []string
	for _, target := range []string{
		`{"debug": {"callback_url": "` + hook.URL + `"}}`, `{"datadog": {"api_key": "secret"}}`, `{"debug": {"callback_url": "http://192.0.2.1/"}}`,
	} {
		ids = append(ids, s.Create("/event_destinations", `{"target": `+target+`}`))
	}
	types := []map[string]string{{"type": "ip_policy_created.v0"}, {"type": "ip_policy_updated.v0"}, {"type": "ip_policy_deleted.v0"}, {"type": "domain_created.v0"}}
	s.Create("/event_subscriptions", asJSON(map[string]any{"sources": types, "destination_ids": ids}))
	policy := s.Create("/ip_policies", `{"description": "one"}`)
	s.Edit("/ip_policies/"+policy, `{"description": "two"}`)
	s.Edit("/ip_policies/"+policy, `{"description": "two"}`) // changes nothing
	s.Delete("/ip_policies/" + policy)
	s.Create("/ip_policy_rules", asJSON(map[string]any{"ip_policy_id": s.Create("/ip_policies", `{}`), "action": "allow", "cidr": "192.0.2.0/24"})) // no source
	s.Create("/reserved_domains", `{"domain": "www.example.com"}`)
	eventually(t, func() bool { return count() == 5 })
	var of []string
	for _, event := range got {
		object := event.Object.(map[string]any)
		if object["id"] == policy {
			of = append(of, fmt.Sprint(event.Type, " ", object["description"]))
		}
		equal(t, "uri", strings.Contains(member(object, "uri"), member(object, "id")), true)
	}
	equal(t, "events of one object", of, []string{"ip_policy_created.v0 one", "ip_policy_updated.v0 two", "ip_policy_deleted.v0 two"})
	state := opened.State()
	equal(t, "for other targets", state.Unreachable, map[string]int{"datadog": 5})
	refused := slices.IndexFunc(state.Deliveries, func(d plane.Delivery) bool { return strings.Contains(d.Answer, "not on this machine") })
	equal(t, "beyond loopback", refused >= 0 && !state.Deliveries[refused].Done, true)

	for behavior, times := range map[string]int{"event_lost": 0, "event_twice": 2, "event_late": 1} {
		s.SetBehavior(behavior)
		before, began := count(), time.Now()
		s.Create("/ip_policies", `{}`)
		eventually(t, func() bool {
			isLost := func(d plane.Delivery) bool { return d.Answer == "lost" && d.Time.After(began) }
			return count() == before+times && slices.ContainsFunc(opened.State().Deliveries, isLost) == (times == 0)
		})
		equal(t, behavior+": late", time.Since(began) > time.Second, behavior == "event_late")
	}
}

// TestPlane_hostileClients sends garbage and silence to all listeners. Other clients
// notice nothing.
func TestPlane_hostileClients(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	opened := openTraffic(t, s)
	for _, garbage := range []string{"", "\x16\x03\x01\xff\xff\xff", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n\x00\x00", strings.Repeat("\x16\x03\x01\x00\x05\x01", 4000)} {
		for _, at := range slices.Concat([]string{opened.Traffic, opened.SSH}, slices.Collect(maps.Values(opened.State().Addresses))) {
			c, err := net.Dial("tcp", at)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = c.Close() })
			fmt.Fprint(c, garbage)
		}
	}
	_, text := fetch(t, edgeClient(opened), "https://www.example.com/api")
	equal(t, "another client", text, "hello")
	response, _ := fetch(t, edgeClient(opened), "https://www.example.com/api", func(r *http.Request) { r.Host = "[::1" })
	equal(t, "a host of garbage", response.StatusCode, 404)
}

// TestPlane_opensNothingElse refuses settings that would open more than they say.
func TestPlane_opensNothingElse(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	for wanted, settings := range map[string]TrafficSettings{
		"other machines can reach": {Traffic: "0.0.0.0:0"},
		"needs edges":              {SSH: "127.0.0.1:0"},
		"SSH gateway: other":       {Traffic: "127.0.0.1:0", SSH: ":0"},
		"address already in use":   {Traffic: taken.Addr().String()},
		"missing port":             {Traffic: "127.0.0.1"},
	} {
		if _, err := Start(t).OpenTraffic(settings); err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%+v: %v, want %s", settings, err, wanted)
		}
	}
}

// TestACL_lacks is a table of what ACLs allow.
func TestACL_lacks(t *testing.T) {
	t.Parallel()
	for bind, lacks := range map[string]string{
		"www.example.com": "", "a.b.example.org": "", "*.example.org": "", "example.org": "bind:example.org", "www.example.com:443": "bind:www.example.com:443",
		"1.tcp.example.com:20001": "", "a.example.org:443": "bind:a.example.org:443", "app=web": "", "app=WEB": "bind:app=WEB", "x=any": "", "y=b": "", "y=c": "bind:y=c",
	} {
		acl := []string{"bind:WWW.example.com", "bind:*.Example.org", "bind:1.tcp.example.com:20001", "bind:app=web", "bind:x=*", "bind:*=b"}
		equal(t, bind, traffic.ACLLacks(acl, bind), lacks)
	}
}

// TestPlane_tunnelsEndDuringRequests closes and opens tunnels while requests run. Each
// request gets the answer of a tunnel as a whole, or 502.
func TestPlane_tunnelsEndDuringRequests(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	opened := openTraffic(t, s)
	body := strings.Repeat("x", 100_000)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
	t.Cleanup(backend.Close)
	key, _ := credential(t, s)
	ended := make(chan struct{})
	var clients sync.WaitGroup
	var mutex sync.Mutex
	answers := map[string]int{}
	count := func(answer string) int { mutex.Lock(); defer mutex.Unlock(); return answers[answer] }
	for range 4 {
		clients.Go(func() {
			client := edgeClient(opened)
			for {
				select {
				case <-ended:
					return
				default:
				}
				response, err := client.Get("https://www.example.com/")
				answer := "cut"
				if err == nil {
					var text []byte
					if text, err = io.ReadAll(response.Body); err == nil {
						answer = fmt.Sprint(response.StatusCode, " ", len(text) == len(body))
					}
					_ = response.Body.Close()
				}
				mutex.Lock()
				answers[answer]++
				mutex.Unlock()
			}
		})
	}
	for range 30 {
		tunnel := forward(t, opened, key, "", 0, "tunnel --label app=web", backend.Listener.Addr())
		before := count("200 true")
		eventually(t, func() bool { return count("200 true") > before })
		_ = tunnel.client.Close()
	}
	close(ended)
	clients.Wait()
	for answer, n := range answers {
		if answer != "200 true" && answer != "502 false" && answer != "cut" {
			t.Errorf("%d times %s", n, answer)
		}
	}
	if answers["200 true"] == 0 || answers["502 false"] == 0 {
		t.Errorf("answers: %v", answers)
	}
	eventually(t, func() bool {
		return !slices.ContainsFunc(opened.State().Connections, func(c plane.Connection) bool { return c.Open }) && len(s.World(nil).Tunnels) == 0
	})
}

// BenchmarkPlane compares requests to an edge, through a tunnel, with those to a plain
// reverse proxy, whose backend it reaches without a tunnel.
func BenchmarkPlane(b *testing.B) {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	b.Cleanup(backend.Close)
	s := New()
	if err := s.Seed([]byte(trafficAccount)); err != nil {
		b.Fatal(err)
	}
	opened := openTraffic(b, s)
	key, _ := credential(b, s)
	forward(b, opened, key, "", 0, "tunnel --label app=web", backend.Listener.Addr())
	to, err := url.Parse(backend.URL)
	if err != nil {
		b.Fatal(err)
	}
	plain := httptest.NewUnstartedServer(&httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to); r.SetXForwarded() },
		Transport: &http.Transport{MaxIdleConnsPerHost: 100},
	})
	plain.EnableHTTP2 = true
	plain.StartTLS()
	b.Cleanup(plain.Close)
	for name, at := range map[string]string{"edge": opened.Traffic, "proxy": plain.Listener.Addr().String()} {
		b.Run(name, func(b *testing.B) {
			transport := &http.Transport{
				TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, MaxIdleConnsPerHost: 100, //nolint:gosec // any certificate does
				DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, at)
				},
			}
			defer transport.CloseIdleConnections()
			var mutex sync.Mutex
			var all []time.Duration
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				client, own := &http.Client{Transport: transport}, []time.Duration(nil)
				for pb.Next() {
					began := time.Now()
					if response, text := fetch(b, client, "https://www.example.com/"); response.StatusCode != 200 || text != "hello" {
						b.Error(response.Status, text)
					}
					own = append(own, time.Since(began))
				}
				mutex.Lock()
				defer mutex.Unlock()
				all = append(all, own...)
			})
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)*99/100])/float64(time.Millisecond), "p99-ms")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}

// TestPlane_responses is what clients see of responses and requests that proxies like
// to change.
func TestPlane_responses(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.RawQuery) }))
	t.Cleanup(backend.Close)
	key, _ := credential(t, s)
	forward(t, opened, key, "", 0, "tunnel --label app=web", backend.Listener.Addr())
	client := edgeClient(opened)
	for _, want := range []string{"502 502: the status 101 of the backend ends no response\n", "204 ", "304 ", "404 body", "599 body"} {
		s.Edit("/backends/http_response/bkdhr_hello", fmt.Sprintf(`{"status_code": %s, "body": "body"}`, strings.Replace(want[:3], "502", "101", 1)))
		response, text := fetch(t, client, "https://www.example.com/api")
		equal(t, "response backend", fmt.Sprint(response.StatusCode, " ", text), want)
	}
	for _, query := range []string{"x=1&y=%20;z&w=2", "x=%zz&y=1"} {
		_, text := fetch(t, client, "https://www.example.com/?"+query)
		equal(t, "query", text, query)
	}
	large := func(r *http.Request) {
		r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader(strings.Repeat("x", 500_000)))
	}
	for range 5 {
		response, text := fetch(t, client, "https://www.example.com/api", large)
		equal(t, "after a large request", fmt.Sprint(response.StatusCode, text), "599body")
	}
	s.Put("/edges/https/edghts_www/routes/edghtsrt_api/websocket_tcp_converter", `{}`)
	_, text := fetch(t, edgeClient(opened, "http/1.1"), "https://www.example.com/api", header("Upgrade", "websocket"), header("Connection", "Upgrade"))
	equal(t, "an upgrade without a tunnel", text, "body")
	response, _ := fetch(t, client, "https://www.example.com:9443/")
	equal(t, "another port", response.StatusCode, 404)
	if len(opened.State().Connections) == 0 {
		t.Error("no connections are noted")
	}
	s.Reset()
	equal(t, "connections after a reset", len(opened.State().Connections), 0)
	if err := s.behavior.Use([]Rule{{Behavior: "event_lost", Method: "POST"}}); err == nil {
		t.Error("a rule about events has a condition of requests")
	}
}

// TestGateway_names is which tunnel or edge has a name, and what ends with a reserved
// address.
func TestGateway_names(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	address := s.Create("/reserved_addrs", `{}`)
	host, port, _ := net.SplitHostPort(member(s.Get("/reserved_addrs/"+address), "addr"))
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	opened := openTraffic(t, s)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "tunnel") }))
	t.Cleanup(backend.Close)
	key, _ := credential(t, s)
	forward(t, opened, key, "exact.example.com", 443, "", backend.Listener.Addr()) // *.example.com is an edge
	_, text := fetch(t, edgeClient(opened), "https://exact.example.com/")
	equal(t, "a tunnel before a wildcard edge", text, "tunnel")
	tunnel := forward(t, opened, key, host, uint32(number), "tcp", backend.Listener.Addr())
	s.Delete("/reserved_addrs/" + address)
	<-tunnel.ended
	if !strings.Contains(tunnel.output.String(), "does not exist any more") {
		t.Errorf("shown: %s", tunnel.output)
	}
	client, err := dialSSH(opened, key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := session.StderrPipe()
	if err == nil {
		err = session.Shell()
	}
	line := make([]byte, 17)
	if _, readErr := io.ReadFull(shown, line); err != nil || readErr != nil || string(line) != "No tunnel is open" {
		t.Errorf("%v %v %q", err, readErr, line)
	}
}
