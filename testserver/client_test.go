package testserver

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"golang.org/x/crypto/ssh"
)

// result is a response as a client sees it.
type result struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

func (r result) text(name string) string {
	text, _ := r.body[name].(string)
	return text
}

// field returns details.field of an error.
func (r result) field() string {
	details, _ := r.body["details"].(map[string]any)
	field, _ := details["field"].(string)
	return field
}

// request creates a request with the admin key and then applies changes to it.
func request(t *testing.T, s *Server, method, path, body string, changes ...func(*http.Request)) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.AdminKey)
	r.Header.Set("Service-Version", "2")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, change := range changes {
		change(r)
	}
	return r
}

// try sends a request and reads the response. It returns only network errors.
func try(t *testing.T, s *Server, method, path, body string, changes ...func(*http.Request)) (result, error) {
	t.Helper()
	response, err := http.DefaultClient.Do(request(t, s, method, path, body, changes...))
	if err != nil {
		return result{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	got := result{status: response.StatusCode, header: response.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &got.body) // the body may not be a JSON object
	return got, err
}

// send is like try, but fails the test on a network error.
func send(t *testing.T, s *Server, method, path, body string, changes ...func(*http.Request)) result {
	t.Helper()
	got, err := try(t, s, method, path, body, changes...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return got
}

// want sends a request and fails the test if the status is not the given one.
func want(t *testing.T, s *Server, status int, method, path, body string, changes ...func(*http.Request)) result {
	t.Helper()
	got := send(t, s, method, path, body, changes...)
	if got.status != status {
		t.Fatalf("%s %s %s: status %d, want %d: %s", method, path, cut(body), got.status, status, got.raw)
	}
	return got
}

// serveInMemory serves a handler on an in-memory network, for a test in virtual
// time. It returns a client whose requests all go to the handler.
func serveInMemory(handler http.Handler) (client *http.Client, closeAll func()) {
	listener := &memoryListener{make(chan net.Conn), make(chan struct{})}
	server := &http.Server{Handler: handler} //nolint:gosec // in memory
	go func() { _ = server.Serve(listener) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		mine, its := net.Pipe()
		listener.accepted <- its
		return mine, nil
	}}
	return &http.Client{Transport: transport}, func() {
		transport.CloseIdleConnections()
		server.Close()
	}
}

type memoryListener struct {
	accepted chan net.Conn
	closed   chan struct{}
}

func (m *memoryListener) Accept() (net.Conn, error) {
	select {
	case conn := <-m.accepted:
		return conn, nil
	case <-m.closed:
		return nil, net.ErrClosed
	}
}
func (m *memoryListener) Close() error   { close(m.closed); return nil }
func (m *memoryListener) Addr() net.Addr { return &net.TCPAddr{} }

func cut(text string) string {
	return text[:min(len(text), 200)]
}

func as(key string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+key) }
}

// slogTo returns a logger that writes to out.
func slogTo(out io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(out, nil))
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if asJSON(got) != asJSON(want) {
		t.Errorf("%s is %s, want %s", what, asJSON(got), asJSON(want))
	}
}

// clock is a clock that a test advances.
type clock struct {
	nanoseconds chan int64
}

func newClock() *clock {
	c := &clock{make(chan int64, 1)}
	c.nanoseconds <- time.Date(2026, 11, 21, 8, 15, 30, 0, time.UTC).UnixNano()
	return c
}

func (c *clock) now() time.Time {
	return c.advance(0)
}

func (c *clock) advance(d time.Duration) time.Time {
	now := <-c.nanoseconds + int64(d)
	c.nanoseconds <- now
	return time.Unix(0, now).UTC()
}

// newKey creates a key of the given kind: rsa, rsa1024, p256, p384, p521 or
// ed25519.
func newKey(t testing.TB, kind string) crypto.Signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch kind {
	case "rsa":
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case "rsa1024":
		key, err = rsa.GenerateKey(rand.Reader, 1024)
	case "p256", "p384", "p521":
		curves := map[string]elliptic.Curve{"p256": elliptic.P256(), "p384": elliptic.P384(), "p521": elliptic.P521()}
		key, err = ecdsa.GenerateKey(curves[kind], rand.Reader)
	default:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// sshLine returns the public key in authorized-keys format, without a line
// ending.
func sshLine(t testing.TB, key crypto.Signer) string {
	t.Helper()
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))
}

// issued is a certificate with its key. It can issue other certificates.
type issued struct {
	cert *x509.Certificate
	key  crypto.Signer
	pem  string
}

// issue creates a certificate. change modifies its template. Without an issuer,
// the certificate is self-signed.
func issue(t testing.TB, issuer *issued, key crypto.Signer, change func(*x509.Certificate)) *issued {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(0x0a1b),
		Subject:               pkix.Name{CommonName: "test"},
		NotBefore:             time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC),
		BasicConstraintsValid: true,
	}
	if change != nil {
		change(template)
	}
	parent, signer := template, key
	if issuer != nil {
		parent, signer = issuer.cert, issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &issued{cert, key, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))}
}

func authority(name string) func(*x509.Certificate) {
	return func(template *x509.Certificate) {
		template.Subject = pkix.Name{CommonName: name}
		template.IsCA = true
		template.KeyUsage = x509.KeyUsageCertSign
	}
}

// pkcs8 returns a private key in PKCS#8 form as PEM.
func pkcs8(t testing.TB, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// document returns the contract.
func document() *openapi3.T {
	return apiContract().T
}

const mediaType = "application/json"

// withKey adds an API key of another owner.
func withKey(key, owner string) Option {
	return func(s *Server) { s.api.Accounts[key] = engine.Account{Owner: owner} }
}
