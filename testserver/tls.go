package testserver

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// EnableTLS makes an HTTP server serve HTTPS with HTTP/1.1 and HTTP/2 on the
// returned listener. It uses a new certificate for localhost and the loopback
// addresses, which clients must trust: see the field Certificate of [Server].
func (s *Server) EnableTLS(front *http.Server, plain net.Listener) (net.Listener, error) {
	der, key, err := keys.SelfSigned(&x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tunnel-testserver"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		IsCA: true, BasicConstraintsValid: true,
	})
	if err != nil {
		return nil, err
	}
	s.Certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	front.TLSConfig = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		NextProtos:   []string{"h2", "http/1.1"},
		MinVersion:   tls.VersionTLS12,
	}
	return tls.NewListener(plain, front.TLSConfig), nil
}
