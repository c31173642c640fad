package acctest

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

// A Chain is a fresh chain of certificates and the private key of its leaf.
type Chain struct {
	// Blocks are the PEM blocks, leaf first: the leaf, its intermediates, and
	// the root where there are any.
	Blocks []string
	// Leaf is the first of them.
	Leaf *x509.Certificate
	// Signer is the leaf's private key.
	Signer crypto.Signer
}

// ChainOf says what a chain is like. The zero value is one of a leaf for
// www.example.com that signed itself, with a key on P-256, valid for half a year.
type ChainOf struct {
	// Key is the kind of the leaf's key, as Key takes it.
	Key string
	// Intermediates is how many certificates there are between leaf and root,
	// which comes last in the chain. With none, the leaf signed itself.
	Intermediates int
	// Subject is that of the leaf. The common name is the first of Names where
	// it is empty.
	Subject pkix.Name
	// Names and IPs are the leaf's.
	Names []string
	IPs   []net.IP
	// NotBefore and NotAfter are the leaf's time.
	NotBefore, NotAfter time.Time
	// Signer is the leaf's key where it is not to be a fresh one.
	Signer crypto.Signer
}

// New makes the chain.
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
			Subject: pkix.Name{CommonName: name}, NotBefore: of.NotBefore.AddDate(-1, 0, 0), NotAfter: of.NotAfter.AddDate(1, 0, 0),
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

// PEM returns the chain, or the blocks with some numbers, counted from 1, in
// that order.
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

// Key returns a fresh private key: rsa1024, rsa2048, rsa4096, p256 (also ""),
// p384 or ed25519.
func Key(t testing.TB, kind string) crypto.Signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch kind {
	case "rsa1024":
		key, err = rsa.GenerateKey(rand.Reader, 1024)
	case "rsa2048":
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case "rsa4096":
		key, err = rsa.GenerateKey(rand.Reader, 4096)
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

// PKCS8 returns the leaf's private key in PEM.
func (c *Chain) PKCS8(t testing.TB) string { return PKCS8(t, c.Signer) }

// PKCS8 returns a private key in PEM.
func PKCS8(t testing.TB, key crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}

// Traditional returns a private key in the PEM of its own kind: PKCS#1 for rsa,
// SEC 1 for ecdsa. For ed25519 there is none, so it is PKCS#8.
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

// Reformatted returns the same PEM blocks otherwise written: with text in front,
// CRLF line ends, short lines, and no line end after the last.
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
