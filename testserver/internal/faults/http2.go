package faults

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"golang.org/x/net/http2"
)

// net/http can reset a stream of HTTP/2 only with INTERNAL_ERROR, which clients
// do not repeat. So the server decrypts TLS itself, lets net/http write HTTP/2
// to the decrypted connection, and replaces the code there.

// goAway is the value of resetCodes that replaces the reset by a GOAWAY frame
// that calls the request unprocessed.
const goAway = http2.ErrCode(1 << 31)

// resetCodes are the values of Code of a [Fault].
var resetCodes = map[string]http2.ErrCode{
	"":               http2.ErrCodeProtocol,
	"protocol_error": http2.ErrCodeProtocol,
	"refused_stream": http2.ErrCodeRefusedStream,
	"internal_error": http2.ErrCodeInternal,
	"goaway":         goAway,
}

// EnableTLS makes an HTTP server serve HTTPS with HTTP/1.1 and HTTP/2 on the
// returned listener. It uses a new certificate for localhost and the loopback
// addresses, which it returns in PEM.
func EnableTLS(front *http.Server, plain net.Listener) (listener net.Listener, certificate string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tunnel-testserver"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, "", err
	}
	certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	front.Protocols = new(http.Protocols)
	front.Protocols.SetHTTP1(true)
	front.Protocols.SetUnencryptedHTTP2(true)
	front.ConnContext = func(ctx context.Context, connection net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, connection)
	}
	return &http2Listener{plain, &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		NextProtos:   []string{"h2", "http/1.1"},
		MinVersion:   tls.VersionTLS12,
	}}, certificate, nil
}

// connectionKey is the key of the connection in the context of a request.
type connectionKey struct{}

type http2Listener struct {
	net.Listener
	config *tls.Config
}

func (l *http2Listener) Accept() (net.Conn, error) {
	connection, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	secure := tls.Server(connection, l.config)
	return &http2Conn{Conn: secure, tls: secure}, nil
}

// http2Conn is a decrypted connection. It hides the methods by which net/http
// recognizes TLS.
type http2Conn struct {
	net.Conn
	tls     *tls.Conn
	pending []byte // start of a frame that is not complete yet; net/http writes from one goroutine at a time

	mutex sync.Mutex
	codes []http2.ErrCode // for the next streams that net/http resets
}

// Write writes frames of HTTP/2, and replaces those that reset a stream.
func (h *http2Conn) Write(data []byte) (int, error) {
	if h.tls.ConnectionState().NegotiatedProtocol != "h2" {
		return h.Conn.Write(data)
	}
	const header = 9
	h.pending = append(h.pending, data...)
	var out []byte
	for len(h.pending) >= header {
		size := header + int(h.pending[0])<<16 + int(h.pending[1])<<8 + int(h.pending[2])
		if len(h.pending) < size {
			break
		}
		out = append(out, h.replace(h.pending[:size])...)
		h.pending = h.pending[size:]
	}
	if _, err := h.Conn.Write(out); err != nil {
		return 0, err
	}
	return len(data), nil
}

// replace returns the frame to send instead of a frame of net/http.
func (h *http2Conn) replace(frame []byte) []byte {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if http2.FrameType(frame[3]) != http2.FrameRSTStream || len(h.codes) == 0 {
		return frame
	}
	code := h.codes[0]
	h.codes = h.codes[1:]
	if code != goAway {
		return binary.BigEndian.AppendUint32(frame[:len(frame)-4:len(frame)-4], uint32(code))
	}
	stream := binary.BigEndian.Uint32(frame[5:])
	away := []byte{0, 0, 8, byte(http2.FrameGoAway), 0, 0, 0, 0, 0}
	away = binary.BigEndian.AppendUint32(away, stream-min(stream, 2)) // the last stream that was processed
	return binary.BigEndian.AppendUint32(away, uint32(http2.ErrCodeNo))
}

// resetStream resets the stream of a request. Without [EnableTLS], the
// code is INTERNAL_ERROR.
func resetStream(c *engine.Call, code string) {
	if h, ok := c.Request.Context().Value(connectionKey{}).(*http2Conn); ok {
		h.mutex.Lock()
		h.codes = append(h.codes, resetCodes[code])
		h.mutex.Unlock()
	}
	panic(http.ErrAbortHandler)
}
