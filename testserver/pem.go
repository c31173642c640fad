package testserver

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// maxPEM is how long PEM may be in bytes.
const maxPEM = 64 << 10

// Errors of this file never quote what they read: it may be a private key.

// pemBlocks reads PEM as a whole: text between blocks is allowed, a block that cannot be read or has headers is not.
func pemBlocks(text string) ([]*pem.Block, error) {
	if len(text) > maxPEM {
		return nil, fmt.Errorf("it has %d bytes, at most %d are allowed", len(text), maxPEM)
	}
	var blocks []*pem.Block
	for block, rest := pem.Decode([]byte(text)); block != nil; block, rest = pem.Decode(rest) {
		if len(block.Headers) > 0 {
			return nil, errors.New("PEM headers are not allowed, nor is an encrypted key")
		}
		blocks = append(blocks, block)
	}
	if len(blocks) == 0 {
		return nil, errors.New("it does not have a PEM block")
	}
	if len(blocks) != strings.Count(text, "-----BEGIN ") {
		return nil, errors.New("it has a PEM block that cannot be read")
	}
	return blocks, nil
}

// parseChain reads certificates and returns them as the service stores them too: only the blocks, with \n line ends.
func parseChain(text string) (chain []*x509.Certificate, normalized string, err error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, "", err
	}
	var out bytes.Buffer
	for i, block := range blocks {
		if block.Type != "CERTIFICATE" {
			return nil, "", fmt.Errorf("block %d is not a CERTIFICATE", i+1)
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, "", fmt.Errorf("certificate %d: %w", i+1, err)
		}
		chain = append(chain, cert)
		_ = pem.Encode(&out, block) // a buffer takes everything
	}
	return chain, out.String(), nil
}

// checkOrder refuses a chain in which a certificate is not issued by the next one.
func checkOrder(chain []*x509.Certificate) error {
	for i, cert := range chain[1:] {
		if !issuedBy(chain[i], cert) {
			return fmt.Errorf("certificate %d is not issued by certificate %d: the leaf comes first, "+
				"then the certificate that issued it, and so on", i+1, i+2)
		}
	}
	return nil
}

func issuedBy(cert, issuer *x509.Certificate) bool {
	return bytes.Equal(cert.RawIssuer, issuer.RawSubject) && cert.CheckSignatureFrom(issuer) == nil
}

// parsePrivateKey reads one unencrypted key in PKCS#1, PKCS#8 or SEC 1 form. The EC PARAMETERS that OpenSSL writes before
// a SEC 1 key may be there.
func parsePrivateKey(text string) (crypto.Signer, error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	if blocks[0].Type == "EC PARAMETERS" {
		blocks = blocks[1:]
	}
	if len(blocks) != 1 {
		return nil, errors.New("it must be one private key and nothing else")
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
		return nil, errors.New("the key is encrypted; send it in the clear")
	default:
		return nil, errors.New("it is not a private key in PKCS#1, PKCS#8 or SEC 1 form")
	}
	signer, isSigner := key.(crypto.Signer)
	if err != nil || !isSigner {
		return nil, errors.New("the private key cannot be read")
	}
	return signer, nil
}

// keyTypes are the types of keys that the service takes.
var keyTypes = map[x509.PublicKeyAlgorithm]string{x509.RSA: "rsa", x509.ECDSA: "ecdsa", x509.Ed25519: "ed25519"}

// checkKey refuses a key that does not belong to a certificate or is too short.
func checkKey(leaf *x509.Certificate, key crypto.Signer) error {
	public, comparable := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	if !comparable || !public.Equal(leaf.PublicKey) {
		return errors.New("the key does not belong to the first certificate of the chain")
	}
	if rsaKey, isRSA := key.(*rsa.PrivateKey); isRSA && rsaKey.N.BitLen() < minRSABits {
		return fmt.Errorf("an RSA key must have at least %d bits", minRSABits)
	}
	return nil
}
