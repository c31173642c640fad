package attribute

import (
	"bytes"
	"crypto/x509"
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
			return nil, fmt.Errorf("cannot be read: block %d is no certificate: %w", i+1, err)
		}
	}
	return certificates, nil
}

// certificateBlocks returns the DER of each certificate in a text, at least one.
func certificateBlocks(text string) ([][]byte, error) {
	// Before anything is decoded, so that a damaged key is found as well.
	if strings.Contains(text, "PRIVATE KEY-----") {
		return nil, errors.New("holds a private key; only certificates belong here, and the key in private_key_pem_wo or private_key_pem")
	}
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, errors.New("is no PEM: expected at least one block from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, leaf first, each of these lines at its line's beginning")
	}
	ders := make([][]byte, len(blocks))
	for i, block := range blocks {
		switch {
		case block.Type != "CERTIFICATE":
			return nil, fmt.Errorf("holds a PEM block of the type %q (block %d); only CERTIFICATE blocks belong here", block.Type, i+1)
		case len(block.Headers) > 0:
			return nil, fmt.Errorf("has PEM headers in block %d, which the service does not take; remove the lines between -----BEGIN CERTIFICATE----- and the first empty line", i+1)
		}
		ders[i] = block.Bytes
	}
	return ders, nil
}
