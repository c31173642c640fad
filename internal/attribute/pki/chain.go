package pki

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Chain is a chain of PEM-encoded certificates, leaf first. Two chains are the
// same if they contain the same certificates in the same order. Line endings,
// line width, text around the blocks, and whether the root is included are
// ignored: a client trusts its own copy of a root, so a service may omit it
// (RFC 8446, section 4.4.2).
type Chain = attribute.Value[chain]

// ChainType is the type of Chain.
type ChainType = attribute.Type[chain]

type chain struct{}

func (chain) Name() string { return "PEM certificate chain" }

// Canonical returns a chain without text between its blocks.
func (chain) Canonical(text string) string { return CanonicalChain(text) }

func (chain) Check(text string) error {
	_, err := ParseChain(text)
	return err
}

func (chain) Same(a, b string) bool {
	as, aErr := certificateBlocks(a)
	bs, bErr := certificateBlocks(b)
	if aErr != nil || bErr != nil {
		return false
	}
	switch {
	case len(as) > len(bs):
		as = withoutRoot(as)
	case len(as) < len(bs):
		bs = withoutRoot(bs)
	}
	return slices.EqualFunc(as, bs, bytes.Equal)
}

// withoutRoot returns the certificates of a chain without a root that follows the
// others.
func withoutRoot(ders [][]byte) [][]byte {
	last := len(ders) - 1
	if last < 1 {
		return ders
	}
	root, err := x509.ParseCertificate(ders[last])
	if err != nil || !IsRoot(root) {
		return ders
	}
	return ders[:last]
}

// ParseChain parses a chain of PEM-encoded certificates, in any order. The
// error never repeats the text, which may be a private key by mistake.
func ParseChain(text string) ([]*x509.Certificate, error) { return parsedChain(text) }

var parsedChain = remember(parseChain)

func parseChain(text string) ([]*x509.Certificate, error) {
	ders, err := certificateBlocks(text)
	if err != nil {
		return nil, err
	}
	certificates := make([]*x509.Certificate, len(ders))
	for i, der := range ders {
		certificates[i], err = x509.ParseCertificate(der)
		switch {
		case err != nil && strings.Contains(err.Error(), "unsupported elliptic curve"):
			return nil, fmt.Errorf(
				"must contain only certificates with a supported key (%s); block %d has a key with %s", privateKeyTypes, i+1, otherCurve,
			)
		case err != nil:
			return nil, fmt.Errorf("must contain only certificates; block %d cannot be parsed: %s", i+1, quote.Foreign(err.Error()))
		}
	}
	return certificates, nil
}

// CanonicalChain returns a chain as PEM without text between its blocks. It
// returns text unchanged if it cannot be parsed.
func CanonicalChain(text string) string {
	ders, err := certificateBlocks(text)
	if err != nil {
		return text
	}
	var canonical strings.Builder
	for _, der := range ders {
		canonical.Write(certificateBlock(der))
	}
	return canonical.String()
}

// certificateBlock returns the PEM block of a certificate.
func certificateBlock(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

const maxChain = 64 * 1024 // bytes of PEM

// Uploadable validates that the service accepts a chain for upload.
var Uploadable = attribute.Limit("a certificate chain that can be uploaded", checkUpload)

// checkUpload returns an error if the service would reject a chain because it
// is longer than 64 KiB, or because the key of its leaf is too short or of an
// unsupported type. It returns nil if text is not a valid chain, which
// ParseChain reports.
func checkUpload(text string) error {
	chain, err := ParseChain(text)
	if err != nil {
		return nil //nolint:nilerr // ChainType.Valid reports it
	}
	if size := uploadSize(chain); size > maxChain {
		return fmt.Errorf(
			"must be at most 64 KiB (%d bytes) long; found %d bytes. Remove certificates that do not belong to the chain", maxChain, size,
		)
	}
	if key, ok := chain[0].PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() < leastRSABits {
		return fmt.Errorf("must have a leaf certificate with a supported key (%s); found RSA with %d bits", privateKeyTypes, key.N.BitLen())
	}
	if KeyType(chain[0].PublicKey) == "" {
		return errors.New("must have a leaf certificate with a supported key (" + privateKeyTypes + "); found another key type")
	}
	return nil
}

// uploadSize returns the length of a chain as the service gets it.
func uploadSize(chain []*x509.Certificate) int {
	size := 0
	for _, certificate := range chain {
		size += len(certificateBlock(certificate.Raw))
	}
	return size
}

// certificateLabels are the labels of a certificate that mean the same (RFC 7468, 5.1).
var certificateLabels = []string{"CERTIFICATE", "X509 CERTIFICATE", "X.509 CERTIFICATE"}

// convertible are the types of PEM blocks that openssl converts to certificates: a
// certificate with trust settings, and two names of a file with several certificates.
var convertible = []string{"TRUSTED CERTIFICATE", "PKCS7", "PKCS #7 SIGNED DATA"}

// toCertificates returns a sentence with the command that converts a type of block.
func toCertificates(block string) string {
	if block == "TRUSTED CERTIFICATE" {
		return "Convert each of these blocks with: openssl x509 -in FILE -out PEMFILE"
	}
	return "Convert the file with: openssl pkcs7 -print_certs -in FILE -out PEMFILE"
}

// certificateBlocks returns the DER encoding of each certificate in a text. It
// returns an error if there is none, or if the text contains other PEM blocks.
func certificateBlocks(text string) ([][]byte, error) { return decodedBlocks(text) }

var decodedBlocks = remember(decodeBlocks)

func decodeBlocks(text string) ([][]byte, error) {
	// This check comes before decoding, so that it also finds a damaged key.
	if strings.Contains(text, "PRIVATE KEY-----") {
		return nil, errors.New("must contain only certificates; found a private key. Set it in the attribute for the private key")
	}
	blocks, err := pemBlocks(text)
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		const expected = "must be PEM with at least one block from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, the leaf " +
			"certificate first"
		return nil, notPEM(text, "no PEM block", expected, "x509")
	}
	ders := make([][]byte, len(blocks))
	for i, block := range blocks {
		switch {
		case strings.HasSuffix(block.Type, "CERTIFICATE REQUEST"):
			return nil, errors.New("must contain only certificates; found a certificate signing request (CSR). " +
				"Set the certificate that the certificate authority issued for it")
		case slices.Contains(convertible, block.Type):
			return nil, fmt.Errorf("must contain only CERTIFICATE blocks; found a PEM block of type %q (block %d). %s",
				block.Type, i+1, toCertificates(block.Type))
		case !slices.Contains(certificateLabels, block.Type):
			return nil, fmt.Errorf("must contain only CERTIFICATE blocks; found a PEM block of type %q (block %d)", block.Type, i+1)
		}
		ders[i] = block.Bytes
	}
	return ders, nil
}
