package plane

import (
	"crypto"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// edgeTLS returns the configuration of HTTPS edges. A connection to a TLS edge does not
// get there: its bytes are passed on, and then it is closed.
func (p *Plane) edgeTLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			r := traffic.Request{Protocol: "tls", Host: strings.ToLower(hello.ServerName)}
			https := r
			https.Protocol = "https"
			switch bound := p.World().Bound; {
			case r.Host == "":
				return nil, errors.New("the client names no host (SNI)")
			case p.account.Serves(r, bound) && !p.account.Serves(https, bound):
				p.stream(hello.Conn.(*conn), r)
				return nil, net.ErrClosed
			}
			hello.Conn.(*conn).begun = true
			return nil, nil
		},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			host := strings.ToLower(hello.ServerName)
			d := p.account.Decide(&traffic.Request{Protocol: "https", Host: host, Path: "/"}, p.World())
			if d.Target.NoCertificate {
				return nil, fmt.Errorf("%s has no certificate: the service has not issued one yet", host)
			}
			if found := p.service.TLSCertificate(d.Shown); found != nil {
				return found, nil
			}
			if d.Shown != "" {
				p.api.Log.Info("traffic: a private key is not known, so the local authority stands in", "certificate", d.Shown, "host", host)
			}
			return p.authority.issue(host)
		},
	}
}

// authority issues certificates where those of the service, or their keys, are not
// here.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

func newAuthority() (*authority, error) {
	der, key, err := keys.SelfSigned(valid(&x509.Certificate{
		Subject: pkix.Name{CommonName: "tunnel-testserver"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}))
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return &authority{certificate, key}, err
}

// issue returns a certificate for a host, with the authority's own key.
func (a *authority) issue(host string) (*tls.Certificate, error) {
	leaf := valid(&x509.Certificate{
		Subject: pkix.Name{CommonName: "for tests"}, DNSNames: []string{host}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.certificate, a.key.Public(), a.key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, err
}

// valid makes a certificate valid for a year.
func valid(c *x509.Certificate) *x509.Certificate {
	now := time.Now()
	c.SerialNumber, c.NotBefore, c.NotAfter = big.NewInt(now.UnixNano()), now.Add(-time.Hour), now.AddDate(1, 0, 0)
	return c
}
