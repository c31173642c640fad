// Package testcert creates certificates and keys for tests.
package testcert

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

// Chain is a new certificate chain with the private key of its leaf.
type Chain struct {
	// Blocks contains the PEM blocks of the leaf, the intermediates, and the
	// root if there is one.
	Blocks []string
	// Leaf is the first certificate.
	Leaf *x509.Certificate
	// Signer is the leaf's private key.
	Signer crypto.Signer
}

// ChainOf describes a chain. The zero value is a self-signed leaf for
// www.example.com with a P-256 key, valid for six months.
type ChainOf struct {
	// Key is the kind of the leaf's key. See the function Key.
	Key string
	// Intermediates is the number of certificates between the leaf and the
	// root, which is the last certificate of the chain. If it is 0, the leaf is
	// self-signed.
	Intermediates int
	// Subject is the subject of the leaf. If the common name is empty, it
	// defaults to the first name in Names.
	Subject pkix.Name
	// Names and IPs are the alternative names of the leaf.
	Names []string
	IPs   []net.IP
	// NotBefore and NotAfter are the validity period of the leaf.
	NotBefore, NotAfter time.Time
	// IssuersNotAfter is the end of the other certificates. Defaults to a year
	// after the leaf's.
	IssuersNotAfter time.Time
	// Signer is the key of the leaf. Defaults to a new key.
	Signer crypto.Signer
}

// New creates the chain.
func (of ChainOf) New(t testing.TB) *Chain {
	t.Helper()
	if of.Names == nil {
		of.Names = []string{"www.example.com"}
	}
	if of.Subject.CommonName == "" {
		of.Subject.CommonName = of.Names[0]
	}
	if of.NotBefore.IsZero() {
		of.NotBefore = time.Now().Add(-time.Hour)
	}
	if of.NotAfter.IsZero() {
		of.NotAfter = of.NotBefore.AddDate(0, 6, 0)
	}
	if of.IssuersNotAfter.IsZero() {
		of.IssuersNotAfter = of.NotAfter.AddDate(1, 0, 0)
	}
	if of.Signer == nil {
		of.Signer = Key(t, of.Key)
	}
	leaf := &x509.Certificate{
		Subject: of.Subject, DNSNames: of.Names, IPAddresses: of.IPs,
		NotBefore: of.NotBefore, NotAfter: of.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	chain := &Chain{Signer: of.Signer}
	if of.Intermediates == 0 {
		chain.add(t, leaf, leaf, of.Signer.Public(), of.Signer)
		return chain
	}
	var authorities []*x509.Certificate
	var keys []crypto.Signer
	for i := range of.Intermediates + 1 {
		name := fmt.Sprintf("Example CA %d", i+1)
		if i == of.Intermediates {
			name = "Example Root CA"
		}
		authorities = append(authorities, &x509.Certificate{
			Subject: pkix.Name{CommonName: name}, NotBefore: of.NotBefore.AddDate(-1, 0, 0), NotAfter: of.IssuersNotAfter,
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		})
		keys = append(keys, Key(t, ""))
	}
	chain.add(t, leaf, authorities[0], of.Signer.Public(), keys[0])
	for i, authority := range authorities {
		issuer := min(i+1, len(authorities)-1)
		chain.add(t, authority, authorities[issuer], keys[i].Public(), keys[issuer])
	}
	return chain
}

func (c *Chain) add(t testing.TB, certificate, issuer *x509.Certificate, key crypto.PublicKey, signer crypto.Signer) {
	t.Helper()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		t.Fatal(err)
	}
	certificate.SerialNumber = serial
	der, err := x509.CreateCertificate(rand.Reader, certificate, issuer, key, signer)
	if err != nil {
		t.Fatal(err)
	}
	if c.Leaf == nil {
		if c.Leaf, err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
	}
	c.Blocks = append(c.Blocks, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
}

// PEM returns the whole chain, or only the blocks with the given numbers in the
// given order. Numbers start at 1.
func (c *Chain) PEM(numbers ...int) string {
	if len(numbers) == 0 {
		return strings.Join(c.Blocks, "")
	}
	var text strings.Builder
	for _, number := range numbers {
		text.WriteString(c.Blocks[number-1])
	}
	return text.String()
}

// Key returns a new private key of the given kind: rsa1024, rsa2048, p256, p384
// or ed25519. An empty kind means p256.
func Key(t testing.TB, kind string) crypto.Signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch kind {
	case "rsa1024":
		key, err = rsa.GenerateKey(rand.Reader, 1024)
	case "rsa2048":
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case "", "p256":
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "p384":
		key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case "ed25519":
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		err = fmt.Errorf("there is no kind of key %q", kind)
	}
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// PKCS8 returns the leaf's private key in PKCS#8 as PEM.
func (c *Chain) PKCS8(t testing.TB) string { return PKCS8(t, c.Signer) }

// PKCS8 returns a private key in PKCS#8 as PEM.
func PKCS8(t testing.TB, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// Traditional returns a private key as PEM in its traditional format: PKCS#1
// for RSA and SEC 1 for ECDSA. Ed25519 has no such format, so the result is
// PKCS#8.
func Traditional(t testing.TB, key crypto.Signer) string {
	t.Helper()
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	case *ecdsa.PrivateKey:
		der, err := x509.MarshalECPrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
	}
	return PKCS8(t, key)
}

// Reformatted returns the same PEM blocks with other formatting: text in front
// of each block, CRLF line endings, short lines, and no final line ending.
func Reformatted(text string) string {
	var lines []string
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		encoded := strings.Split(strings.TrimSpace(string(pem.EncodeToMemory(block))), "\n")
		body := strings.Join(encoded[1:len(encoded)-1], "")
		lines = append(lines, "subject: some text in front", encoded[0])
		for len(body) > 40 {
			lines, body = append(lines, body[:40]), body[40:]
		}
		lines = append(lines, body, encoded[len(encoded)-1])
	}
	return strings.Join(lines, "\r\n")
}
