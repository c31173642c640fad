package plane

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// edgeTLS returns the configuration of HTTPS edges.
func (p *Plane) edgeTLS() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			host := strings.ToLower(hello.ServerName)
			d := p.account.Decide(&traffic.Request{Protocol: "https", Host: host, Port: "443", Path: "/"}, p.world(nil))
			if d.Target.NoCertificate {
				return nil, fmt.Errorf("%s has no certificate: the service has not issued one yet", host)
			}
			if d.Shown == "" {
				return p.authority.issue(host)
			}
			if found := p.service.TLSCertificate(d.Shown); found != nil {
				return found, nil
			}
			p.api.Log.Info("traffic: the private key is not known, so the local authority issues another certificate",
				"certificate", d.Shown, "host", host)
			return p.authority.issue(host)
		},
	}
}

// authority issues certificates where those of the service, or their keys, are not
// here.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	a := &authority{key: key}
	der, err := a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "tunnel-testserver"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	if err == nil {
		a.certificate, err = x509.ParseCertificate(der)
	}
	return a, err
}

// sign signs a certificate for the authority's own key.
func (a *authority) sign(template *x509.Certificate) ([]byte, error) {
	now := time.Now()
	template.SerialNumber, template.NotBefore, template.NotAfter = big.NewInt(now.UnixNano()), now.Add(-time.Hour), now.AddDate(1, 0, 0)
	issuer := a.certificate
	if issuer == nil {
		issuer = template
	}
	return x509.CreateCertificate(rand.Reader, template, issuer, &a.key.PublicKey, a.key)
}

func (a *authority) issue(host string) (*tls.Certificate, error) {
	der, err := a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "for tests"}, DNSNames: []string{host}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	})
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}, err
}
