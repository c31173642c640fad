package attribute

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
)

// Chain is a chain of PEM-encoded certificates, leaf first. Two are the same
// when their certificates are, in order; line ends, line width and text around
// the blocks make no difference.
type Chain = Value[chain]

// ChainType is the type of Chain.
type ChainType = Type[chain]

type chain struct{}

func (chain) Name() string { return "PEM certificate chain" }

func (chain) Check(text string) error {
	_, err := ParseChain(text)
	return err
}

func (chain) Same(a, b string) bool {
	as, aErr := certificateBlocks(a)
	bs, bErr := certificateBlocks(b)
	if aErr != nil || bErr != nil || len(as) != len(bs) {
		return false
	}
	for i := range as {
		if !bytes.Equal(as[i], bs[i]) {
			return false
		}
	}
	return true
}

// ParseChain reads a chain of PEM-encoded certificates, in whatever order. The
// error never repeats the text, which may be a private key by mistake.
func ParseChain(text string) ([]*x509.Certificate, error) {
	ders, err := certificateBlocks(text)
	if err != nil {
		return nil, err
	}
	certificates := make([]*x509.Certificate, len(ders))
	for i, der := range ders {
		if certificates[i], err = x509.ParseCertificate(der); err != nil {
			return nil, fmt.Errorf("must contain only certificates; block %d cannot be parsed: %w", i+1, err)
		}
	}
	return certificates, nil
}

// CanonicalChain returns a chain as PEM without anything between its blocks. A text
// that cannot be read is returned unchanged.
func CanonicalChain(text string) string {
	ders, err := certificateBlocks(text)
	if err != nil {
		return text
	}
	var canonical strings.Builder
	for _, der := range ders {
		canonical.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	return canonical.String()
}

const maxChain = 64 * 1024 // bytes of PEM

// Uploadable is a validator of chains that the service accepts for upload.
var Uploadable = Check("a certificate chain that can be uploaded", CheckUpload)

// CheckUpload returns why the service refuses a chain: it is over 64 KiB, or the
// key of its leaf is too short or of an unknown type. Anything else that is wrong
// with a chain is for ParseChain to say.
func CheckUpload(text string) error {
	chain, err := ParseChain(text)
	if err != nil {
		return nil //nolint:nilerr // ChainType.Valid reports it
	}
	if size := len(CanonicalChain(text)); size > maxChain {
		return fmt.Errorf("must be at most 64 KiB (%d bytes) long; found %d bytes. Remove certificates that do not belong to the chain", maxChain, size)
	}
	if key, ok := chain[0].PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() < leastRSABits {
		return fmt.Errorf("must have a leaf certificate with a supported key (%s); found RSA with %d bits", privateKeyTypes, key.N.BitLen())
	}
	if KeyType(chain[0].PublicKey) == "" {
		return errors.New("must have a leaf certificate with a supported key (" + privateKeyTypes + "); found another key type")
	}
	return nil
}

// certificateBlocks returns the DER of each certificate in a text, at least one.
func certificateBlocks(text string) ([][]byte, error) {
	// Before anything is decoded, so that a damaged key is found as well.
	if strings.Contains(text, "PRIVATE KEY-----") {
		return nil, errors.New("must contain only certificates; found a private key. Set the key in private_key_pem_wo or private_key_pem")
	}
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		const expected = "must be PEM with at least one block from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, the leaf certificate first"
		return nil, notPEM(text, "no PEM block", expected, "x509")
	}
	ders := make([][]byte, len(blocks))
	for i, block := range blocks {
		switch {
		case block.Type != "CERTIFICATE":
			return nil, fmt.Errorf("must contain only CERTIFICATE blocks; found a PEM block of type %q (block %d)", block.Type, i+1)
		case len(block.Headers) > 0:
			return nil, fmt.Errorf("must not contain PEM headers; found headers in block %d. Remove the lines between -----BEGIN CERTIFICATE----- and the first empty line", i+1)
		}
		ders[i] = block.Bytes
	}
	return ders, nil
}
