package attribute

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CheckOrder returns an error if the leaf does not come first, or if a
// certificate is not issued by the next one. If the certificates only need to
// be reordered, the error says why and names the correct order.
func CheckOrder(chain []*x509.Certificate) error {
	for i := range len(chain) - 1 {
		if !issued(chain[i+1], chain[i]) {
			return misplaced(chain, i)
		}
	}
	return nil
}

// misplaced returns the error for a chain in which the certificate at an index
// is not issued by the next one.
func misplaced(chain []*x509.Certificate, at int) error {
	order := rightOrder(chain)
	if order == nil {
		return fmt.Errorf("is not a chain: expected the leaf certificate first, followed by each issuer; found %s, which was issued by %q, followed by %s. "+
			"Insert the certificate of the issuer after block %d, or remove the certificates that do not belong to the chain",
			block(chain, at), firstName(chain[at].Issuer.CommonName, chain[at].Issuer.String()), block(chain, at+1), at+1)
	}
	var wrong int
	for order[wrong] == wrong {
		wrong++
	}
	reason := "the leaf certificate must come first"
	if wrong > 0 {
		reason = fmt.Sprintf("the issuer of %s must come after it", block(chain, order[wrong-1]))
	}
	names := make([]string, len(order))
	for i, index := range order {
		names[i] = block(chain, index)
	}
	return fmt.Errorf("is out of order: %s. Reorder the blocks: %s", reason, strings.Join(names, ", "))
}

// LeafFirst reports whether the leaf of a chain comes first, or none of its
// certificates can be the leaf of a chain of all.
func LeafFirst(chain []*x509.Certificate) bool {
	order := rightOrder(chain)
	return order == nil || order[0] == 0
}

// rightOrder returns the indexes of a chain's certificates in the correct
// order, leaf first. It returns nil if the certificates do not form a chain.
func rightOrder(chain []*x509.Certificate) []int {
	for leaf := range chain {
		order := []int{leaf}
		for {
			next := issuerOf(chain, order)
			if next < 0 {
				break
			}
			order = append(order, next)
		}
		if len(order) == len(chain) {
			return order
		}
	}
	return nil
}

// issuerOf returns the index of the certificate that issued the last
// certificate in order, or -1 if there is none. It ignores certificates that
// are already in order.
func issuerOf(chain []*x509.Certificate, order []int) int {
	last := chain[order[len(order)-1]]
	for i, candidate := range chain {
		if !slices.Contains(order, i) && issued(candidate, last) {
			return i
		}
	}
	return -1
}

// issued reports whether issuer issued certificate, by name and signature.
func issued(issuer, certificate *x509.Certificate) bool {
	if !bytes.Equal(certificate.RawIssuer, issuer.RawSubject) {
		return false
	}
	err := issuer.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate, certificate.Signature)
	// The service decides about signatures that cannot be verified here.
	var insecure x509.InsecureAlgorithmError
	return err == nil || errors.Is(err, x509.ErrUnsupportedAlgorithm) || errors.As(err, &insecure)
}

// block names a certificate of a chain, as in `block 2 ("Example CA")`.
func block(chain []*x509.Certificate, index int) string {
	return fmt.Sprintf("block %d (%q)", index+1, CertificateName(chain[index]))
}
