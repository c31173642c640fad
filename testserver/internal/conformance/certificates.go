package conformance

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// issuedChain returns a certificate with that of its authority, and its private key.
func issuedChain(organization ...string) (chain, key string) {
	now := time.Now()
	template := func(name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
			NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		}
	}
	authority, leaf := template("conformance authority"), template("conformance")
	leaf.Subject.Organization, leaf.DNSNames = organization, []string{"*.conformance.example.com"}
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 7).To4()}
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	issuer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, issuer.Public(), issuer)
	must(err)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	certificate, err := x509.CreateCertificate(rand.Reader, leaf, authority, private.Public(), issuer)
	must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(err)
	return block("CERTIFICATE", certificate) + block("CERTIFICATE", root), block("PRIVATE KEY", secret)
}

func block(kind string, content []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))
}

// must panics if cryptography fails, which it never does with these arguments.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("conformance: create a certificate: %v", err))
	}
}
