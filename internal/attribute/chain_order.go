package attribute

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CheckOrder says what is wrong with a chain's order: the leaf must come first,
// and each certificate must be issued by the one after it. Where the certificates
// only have to change places, the error says which one does not belong where it
// is, and what the right order is.
func CheckOrder(chain []*x509.Certificate) error {
	for i := range len(chain) - 1 {
		if !issued(chain[i+1], chain[i]) {
			return misplaced(chain, i)
		}
	}
	return nil
}

// misplaced describes a chain in which the certificate at an index was not
// issued by the one after it.
func misplaced(chain []*x509.Certificate, at int) error {
	order := rightOrder(chain)
	if order == nil {
		return fmt.Errorf("is not a chain: expected the leaf certificate first, followed by each issuer, without missing or extra certificates; "+
			"found %s, which was issued by %q, followed by %s",
			block(chain, at), firstName(chain[at].Issuer.CommonName, chain[at].Issuer.String()), block(chain, at+1))
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
	return fmt.Errorf("is out of order: expected %s; %s is misplaced, because %s", strings.Join(names, ", "), block(chain, wrong), reason)
}

// rightOrder returns the indexes of a chain's certificates, leaf first; nil
// where they make no chain.
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

// issuerOf returns the index of the certificate, not in the order yet, that
// issued the last one in it; -1 where there is none.
func issuerOf(chain []*x509.Certificate, order []int) int {
	last := chain[order[len(order)-1]]
	for i, candidate := range chain {
		if !slices.Contains(order, i) && issued(candidate, last) {
			return i
		}
	}
	return -1
}

// issued tells whether one certificate issued another, by name and signature.
func issued(issuer, certificate *x509.Certificate) bool {
	if !bytes.Equal(certificate.RawIssuer, issuer.RawSubject) {
		return false
	}
	err := issuer.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate, certificate.Signature)
	// A signature that cannot be judged here is the service's to judge.
	var insecure x509.InsecureAlgorithmError
	return err == nil || errors.Is(err, x509.ErrUnsupportedAlgorithm) || errors.As(err, &insecure)
}

// block names a certificate of a chain, as in `block 2 ("Example CA")`.
func block(chain []*x509.Certificate, index int) string {
	return fmt.Sprintf("block %d (%q)", index+1, CertificateName(chain[index]))
}
