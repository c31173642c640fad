package pki

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

const (
	// mostOrdered is the maximum number of certificates whose order is searched.
	// Clients accept about ten.
	mostOrdered = 20
	// mostChecks is the maximum number of signatures that are verified, because
	// the certificates can be foreign. The service decides about the others.
	mostChecks = 20
	// mostRSABits is the maximum length of a key that verifies a signature, as in
	// crypto/tls.
	mostRSABits = 8192
)

// CheckOrder returns an error if the leaf does not come first, or if a
// certificate is not issued by the next one. If the certificates only need to
// be reordered, the error says why and names the correct order. It returns nil
// for a chain that is too long to be uploaded, which checkUpload reports.
func CheckOrder(chain []*x509.Certificate) error {
	if uploadSize(chain) > maxChain {
		return nil
	}
	l := newLinks(chain)
	for i := range len(chain) - 1 {
		if !l.issued(i+1, i) {
			return l.misplaced(i)
		}
	}
	return nil
}

// LeafFirst reports whether the leaf of a chain comes first, or none of its
// certificates can be the leaf of a chain of all.
func LeafFirst(chain []*x509.Certificate) bool {
	order := newLinks(chain).rightOrder()
	return order == nil || order[0] == 0
}

// links are what is known of which certificate issued which.
type links struct {
	chain  []*x509.Certificate
	known  map[[2]int]bool // by the indexes of the issuer and the certificate
	checks int
}

func newLinks(chain []*x509.Certificate) *links {
	return &links{chain: chain, known: map[[2]int]bool{}}
}

// misplaced returns the error for a chain in which the certificate at an index
// is not issued by the next one.
func (l *links) misplaced(at int) error {
	for i, certificate := range l.chain {
		if first := slices.IndexFunc(l.chain, certificate.Equal); first < i {
			return fmt.Errorf("contains a certificate twice: %s is the same as block %d. Remove block %d", block(l.chain, i), first+1, i+1)
		}
	}
	chain, order := l.chain, l.rightOrder()
	if order == nil {
		return fmt.Errorf(
			"is not a chain: expected the leaf certificate first, followed by each issuer; found %s, which was issued by \"%s\", followed by %s. "+
				"Insert the certificate of the issuer after block %d, or remove the certificates that do not belong to the chain",
			block(chain, at),
			quote.Foreign(firstName(chain[at].Issuer.CommonName, chain[at].Issuer.String())),
			block(chain, at+1),
			at+1,
		)
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

// rightOrder returns the indexes of a chain's certificates in the correct
// order, leaf first. It returns nil if the certificates do not form a chain, or
// are too many.
func (l *links) rightOrder() []int {
	if len(l.chain) > mostOrdered {
		return nil
	}
	for leaf := range l.chain {
		order := []int{leaf}
		for {
			next := l.issuerOf(order)
			if next < 0 {
				break
			}
			order = append(order, next)
		}
		if l.checks == mostChecks { // the rest is not certain
			return nil
		}
		if len(order) == len(l.chain) {
			return order
		}
	}
	return nil
}

// issuerOf returns the index of the certificate that issued the last
// certificate in order, or -1 if there is none. It ignores certificates that
// are already in order.
func (l *links) issuerOf(order []int) int {
	for i := range l.chain {
		if !slices.Contains(order, i) && l.issued(i, order[len(order)-1]) {
			return i
		}
	}
	return -1
}

// issued reports whether a certificate issued another one, by name and signature.
func (l *links) issued(issuer, certificate int) bool {
	link := [2]int{issuer, certificate}
	if _, ok := l.known[link]; !ok {
		l.known[link] = bytes.Equal(l.chain[certificate].RawIssuer, l.chain[issuer].RawSubject) && l.signed(l.chain[issuer], l.chain[certificate])
	}
	return l.known[link]
}

// signed reports whether the signature of a certificate is that of an issuer, or
// cannot be verified here: the service decides about those.
func (l *links) signed(issuer, certificate *x509.Certificate) bool {
	if key, ok := issuer.PublicKey.(*rsa.PublicKey); l.checks == mostChecks || ok && key.N.BitLen() > mostRSABits {
		return true
	}
	l.checks++
	err := issuer.CheckSignature(certificate.SignatureAlgorithm, certificate.RawTBSCertificate, certificate.Signature)
	var insecure x509.InsecureAlgorithmError
	return err == nil || errors.Is(err, x509.ErrUnsupportedAlgorithm) || errors.As(err, &insecure)
}

// IsRoot reports whether a certificate issued itself, by name and signature. The
// name alone does not show it: when an authority changes its key, the old key
// signs a certificate of the new one.
func IsRoot(certificate *x509.Certificate) bool {
	return newLinks([]*x509.Certificate{certificate}).issued(0, 0)
}

// block names a certificate of a chain, as in `block 2 ("Example CA")`.
func block(chain []*x509.Certificate, index int) string {
	return fmt.Sprintf("block %d (\"%s\")", index+1, CertificateName(chain[index]))
}
