package testcert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"testing"
	"time"
)

// Certificate returns a new self-signed certificate for the given host names
// and its private key in PKCS#8, both in PEM.
func Certificate(t *testing.T, hosts ...string) (chain, key string) {
	t.Helper()
	return SelfSigned(hosts...)
}

// SelfSigned is like Certificate, for commands.
func SelfSigned(hosts ...string) (chain, key string) {
	private, keyErr := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(0x0a1b2c),
		Subject:      pkix.Name{CommonName: hosts[0], Organization: []string{"Example"}},
		DNSNames:     hosts,
		IPAddresses:  []net.IP{net.IPv4(192, 0, 2, 1)},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(0, 6, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	secret, secretErr := x509.MarshalPKCS8PrivateKey(private)
	if err := errors.Join(keyErr, err, secretErr); err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}
