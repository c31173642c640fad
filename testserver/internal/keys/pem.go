package keys

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// maxPEM is the maximum length of PEM data in bytes.
const maxPEM = 64 << 10

// The errors in this file never contain the input, because it can be a private
// key.

// pemBlocks decodes all PEM blocks. It allows text between blocks, and returns
// an error if a block is damaged or has headers.
func pemBlocks(text string) ([]*pem.Block, error) {
	if len(text) > maxPEM {
		return nil, fmt.Errorf("expected at most %d bytes, found %d", maxPEM, len(text))
	}
	var blocks []*pem.Block
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if len(block.Headers) > 0 {
			return nil, errors.New("PEM headers and encrypted keys are not allowed")
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return nil, errors.New("expected at least one PEM block, found none")
	}
	if len(blocks) != strings.Count(text, "-----BEGIN ") {
		return nil, errors.New("found a damaged PEM block")
	}
	return blocks, nil
}

// ParseChain parses certificates. It also returns them in the form that the
// service stores: only the PEM blocks, with \n line endings.
func ParseChain(text string) (chain []*x509.Certificate, normalized string, err error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, "", err
	}
	var out bytes.Buffer
	for i, block := range blocks {
		if block.Type != "CERTIFICATE" {
			return nil, "", fmt.Errorf("block %d: expected a CERTIFICATE block", i+1)
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, "", fmt.Errorf("certificate %d: %w", i+1, err)
		}
		chain = append(chain, cert)
		_ = pem.Encode(&out, block) // a buffer never returns an error
	}
	return chain, out.String(), nil
}

// CheckOrder returns an error if a certificate is not issued by the next one in
// the chain.
func CheckOrder(chain []*x509.Certificate) error {
	for i, cert := range chain[1:] {
		if !issuedBy(chain[i], cert) {
			return fmt.Errorf("certificate %d is not issued by certificate %d: expected the leaf first, "+
				"and each certificate followed by its issuer", i+1, i+2)
		}
	}
	return nil
}

// issuedBy reports whether a certificate may come from an issuer. A signature that Go
// does not verify, with SHA-1 or with other parameters of RSA-PSS, counts as right.
func issuedBy(cert, issuer *x509.Certificate) bool {
	err := cert.CheckSignatureFrom(issuer)
	return bytes.Equal(cert.RawIssuer, issuer.RawSubject) &&
		(err == nil || errors.Is(err, x509.ErrUnsupportedAlgorithm) || errors.As(err, new(x509.InsecureAlgorithmError)))
}

// ParsePrivateKey parses one unencrypted key in PKCS#1, PKCS#8 or SEC 1 form.
// It ignores the EC PARAMETERS block that OpenSSL writes before a SEC 1 key.
func ParsePrivateKey(text string) (crypto.Signer, error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	if blocks[0].Type == "EC PARAMETERS" {
		blocks = blocks[1:]
	}
	if len(blocks) != 1 {
		return nil, errors.New("expected exactly one private key")
	}
	var key any
	switch block := blocks[0]; block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "ENCRYPTED PRIVATE KEY":
		return nil, errors.New("the private key is encrypted: expected an unencrypted key")
	default:
		return nil, errors.New("expected a private key in PKCS#1, PKCS#8 or SEC 1 form")
	}
	signer, isSigner := key.(crypto.Signer)
	if err != nil || !isSigner {
		return nil, errors.New("could not parse the private key")
	}
	return signer, nil
}

// TLSKeyTypes maps the supported key algorithms to the values of private_key_type.
var TLSKeyTypes = map[x509.PublicKeyAlgorithm]string{x509.RSA: "rsa", x509.ECDSA: "ecdsa", x509.Ed25519: "ed25519"}

// CheckPrivateKey returns an error if a key does not match the leaf certificate or is
// too short.
func CheckPrivateKey(leaf *x509.Certificate, key crypto.Signer) error {
	public, comparable := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !comparable || !public.Equal(leaf.PublicKey) {
		return errors.New("the private key does not match the first certificate of the chain")
	}
	if rsaKey, isRSA := key.(*rsa.PrivateKey); isRSA && rsaKey.N.BitLen() < MinRSABits {
		return fmt.Errorf("expected an RSA key of at least %d bits, found %d", MinRSABits, rsaKey.N.BitLen())
	}
	return nil
}

// New returns a new key: rsa with a number of bits, ecdsa with a curve, or ed25519.
func New(kind string, curve elliptic.Curve, bits int) (crypto.Signer, error) {
	switch kind {
	case "rsa":
		return rsa.GenerateKey(rand.Reader, bits)
	case "ecdsa":
		return ecdsa.GenerateKey(curve, rand.Reader)
	}
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return key, err
}

// SelfSigned returns a new certificate in DER, and its key.
func SelfSigned(template *x509.Certificate) (certificate []byte, key *ecdsa.PrivateKey, err error) {
	if key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err == nil {
		certificate, err = x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	}
	return certificate, key, err
}
