package pki

import (
	"cmp"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"golang.org/x/crypto/ssh"
)

// PrivateKey is an unencrypted PEM-encoded private key: PKCS#1, PKCS#8, SEC 1 or
// OpenSSH's format, which is sent as PKCS#8. Two values are the same if they contain the
// same key, whatever its encoding.
type PrivateKey = attribute.Value[privateKey]

// PrivateKeyType is the type of PrivateKey.
type PrivateKeyType = attribute.Type[privateKey]

type privateKey struct{}

func (privateKey) Name() string { return "PEM private key" }

// secret makes String hide private keys, so that they do not appear in logs.
// Secret keeps private keys out of logs.
func (privateKey) Secret() {}

func (privateKey) Check(text string) error {
	_, err := ParsePrivateKey(text)
	return err
}

func (privateKey) Same(a, b string) bool {
	ak, aErr := ParsePrivateKey(a)
	bk, bErr := ParsePrivateKey(b)
	if aErr != nil || bErr != nil {
		return false
	}
	return SamePublicKey(ak.Public(), bk.Public())
}

const (
	privateKeyForm  = "must be one PEM block of type PRIVATE KEY (PKCS#8), RSA PRIVATE KEY (PKCS#1) or EC PRIVATE KEY (SEC 1)"
	privateKeyTypes = "RSA with at least 2048 bits, ECDSA or Ed25519"
	leastRSABits    = 2048
)

// ParsePrivateKey parses a PEM-encoded private key of the type rsa, ecdsa or
// ed25519. The error never repeats the text.
func ParsePrivateKey(text string) (crypto.Signer, error) { return parsedKey(text) }

var parsedKey = remember(parsePrivateKey)

func parsePrivateKey(text string) (crypto.Signer, error) {
	block, err := privateKeyBlock(text)
	if err != nil {
		return nil, err
	}
	var key any
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		key, err = x509.ParseECPrivateKey(block.Bytes)
	}
	if found := unsupportedKey(block); err != nil && found != "" {
		return nil, errors.New("must be a private key of a supported type (" + privateKeyTypes + "); found " + found)
	}
	if err != nil {
		// The parser's own error can repeat bytes of the key.
		return nil, fmt.Errorf("must be a valid private key (%s); the content of the %s block cannot be parsed", privateKeyTypes, block.Type)
	}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return key, nil
	case *ecdsa.PrivateKey:
		return key, nil
	case ed25519.PrivateKey:
		return key, nil
	}
	return nil, errors.New("must be a private key of a supported type (" + privateKeyTypes + "); found another type")
}

// privateKeyBlock returns the only private key in a PEM text. Its block has one
// of the three supported types.
func privateKeyBlock(text string) (*pem.Block, error) {
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	var found *pem.Block
	for _, block := range blocks {
		if block.Type == "OPENSSH PRIVATE KEY" {
			if block, err = fromOpenSSH(block); err != nil {
				return nil, err
			}
		}
		encrypted := block.Type == "ENCRYPTED PRIVATE KEY" || strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED")
		switch {
		case encrypted:
			return nil, errors.New("must not be encrypted. Decrypt it with: openssl pkey -in KEYFILE -out DECRYPTED")
		case strings.HasSuffix(block.Type, "CERTIFICATE"):
			return nil, errors.New(privateKeyForm + "; found a certificate. Set it in the attribute for the certificate")
		case strings.HasSuffix(block.Type, "CERTIFICATE REQUEST"):
			return nil, errors.New(privateKeyForm + "; found a certificate signing request (CSR). Set the private key that it was made with")
		case block.Type == "EC PARAMETERS": // openssl ecparam writes these before the key, which also contains them
		case block.Type != "PRIVATE KEY" && block.Type != "RSA PRIVATE KEY" && block.Type != "EC PRIVATE KEY":
			return nil, fmt.Errorf("%s; found a block of type %q", privateKeyForm, block.Type)
		case found != nil:
			return nil, errors.New(privateKeyForm + "; found more than one private key")
		default:
			found = &pem.Block{Type: block.Type, Bytes: block.Bytes} // without headers, which mean nothing
		}
	}
	switch none := "no private key"; {
	case len(blocks) == 0:
		return nil, notPEM(text, none, privateKeyForm, "pkey")
	case found == nil:
		return nil, errors.New(privateKeyForm + "; found " + none)
	}
	return found, nil
}

// fromOpenSSH returns the PKCS#8 block of a key in OpenSSH's format: ssh-keygen cannot
// convert all of them.
func fromOpenSSH(block *pem.Block) (*pem.Block, error) {
	key, err := ssh.ParseRawPrivateKey(pem.EncodeToMemory(block))
	if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
		return nil, errors.New("must not be encrypted. Decrypt a copy of it with: ssh-keygen -p -N '' -f COPY")
	}
	if edwards, ok := key.(*ed25519.PrivateKey); ok {
		key = *edwards
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("must be a valid private key (%s); the content of the %s block cannot be parsed", privateKeyTypes, block.Type)
	}
	return &pem.Block{Type: "PRIVATE KEY", Bytes: der}, nil
}

// CanonicalPrivateKey returns the block of the private key in a PEM text,
// without anything around it, such as the parameters that openssl ecparam
// writes before the key. It returns text unchanged if privateKeyBlock rejects
// it.
func CanonicalPrivateKey(text string) string {
	block, err := privateKeyBlock(text)
	if err != nil {
		return text
	}
	return string(pem.EncodeToMemory(block))
}

// CheckKeyOfLeaf returns an error if a private key does not belong to the leaf
// of a chain. The error repeats nothing of the key.
func CheckKeyOfLeaf(key crypto.Signer, chain []*x509.Certificate) error {
	for i, certificate := range chain {
		switch same := SamePublicKey(key.Public(), certificate.PublicKey); {
		case same && i == 0:
			return nil
		case same:
			return fmt.Errorf(
				"does not match the certificate: expected the key of the leaf certificate, %s; found the key of %s", block(chain, 0), block(chain, i),
			)
		}
	}
	return fmt.Errorf(
		"does not match the certificate: expected the key of the leaf certificate, %s, of type %s; found a different key of type %s. "+
			"Set the key of this certificate: openssl x509 -in CERTIFICATE -noout -pubkey and openssl pkey -in KEY -pubout must print the same",
		block(chain, 0),
		cmp.Or(KeyType(chain[0].PublicKey), "unknown"),
		KeyType(key.Public()),
	)
}

// HasKey reports whether a private key belongs to any certificate of a chain.
func HasKey(chain []*x509.Certificate, key crypto.Signer) bool {
	return slices.ContainsFunc(chain, func(certificate *x509.Certificate) bool {
		return SamePublicKey(key.Public(), certificate.PublicKey)
	})
}

// KeyType returns the service's name for the type of a public key: rsa, ecdsa
// or ed25519, or "" for any other type.
func KeyType(key crypto.PublicKey) string {
	switch key.(type) {
	case *rsa.PublicKey:
		return "rsa"
	case *ecdsa.PublicKey:
		return "ecdsa"
	case ed25519.PublicKey:
		return "ed25519"
	}
	return ""
}

// SamePublicKey reports whether two public keys are equal.
func SamePublicKey(a, b crypto.PublicKey) bool {
	comparable, ok := a.(interface{ Equal(crypto.PublicKey) bool })
	return ok && comparable.Equal(b)
}
