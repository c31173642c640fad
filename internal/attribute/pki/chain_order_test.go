package pki

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// oneSubject returns certificates with one subject and issuer, which none of
// them signed.
func oneSubject(t testing.TB, count int, key crypto.PublicKey, signer crypto.Signer) []*x509.Certificate {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "A"}, NotAfter: time.Now().Add(time.Hour)}
	chain := make([]*x509.Certificate, count)
	for i := range chain {
		der, err := x509.CreateCertificate(rand.Reader, template, template, key, signer)
		if err != nil {
			t.Fatal(err)
		}
		if chain[i], err = x509.ParseCertificate(der); err != nil {
			t.Fatal(err)
		}
	}
	return chain
}

func pemOf(chain []*x509.Certificate) string {
	var text strings.Builder
	for _, certificate := range chain {
		text.Write(certificateBlock(certificate.Raw))
	}
	return text.String()
}

// TestChain_fewSignatureChecks compares many certificates with one subject: any
// of them could have issued any other.
func TestChain_fewSignatureChecks(t *testing.T) {
	t.Parallel()
	key, signer := testcert.Key(t, "").Public(), testcert.Key(t, "")
	for _, count := range []int{2, mostOrdered, mostOrdered + 1, 120} {
		chain := oneSubject(t, count, key, signer)
		if err := CheckOrder(chain); err == nil || !strings.Contains(err.Error(), "is not a chain") {
			t.Errorf("%d certificates: %v", count, err)
		}
		LeafFirst(chain)
		l := newLinks(chain)
		if l.rightOrder(); l.checks < 0 || l.checks > mostChecks || (count > mostOrdered) != (l.checks == 0) {
			t.Errorf("%d certificates: %d signatures were verified", count, l.checks)
		}
	}
}

// TestChain_sizeBeforeOrder checks that a chain that is too long is not searched.
func TestChain_sizeBeforeOrder(t *testing.T) {
	t.Parallel()
	chain := oneSubject(t, 400, testcert.Key(t, "").Public(), testcert.Key(t, ""))
	if err := CheckOrder(chain); err != nil {
		t.Error(err)
	}
	if err := checkUpload(pemOf(chain)); err == nil || !strings.Contains(err.Error(), "at most 64 KiB") {
		t.Error(err)
	}
}

// TestChain_longestUpload checks that a chain of exactly the maximum length is uploaded,
// and that its order is checked.
func TestChain_longestUpload(t *testing.T) {
	t.Parallel()
	one, two := testcert.Key(t, "ed25519"), testcert.Key(t, "ed25519") // with signatures of one length
	padded := func(signer crypto.Signer, size int) *x509.Certificate {
		template := &x509.Certificate{
			SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
			ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Value: make([]byte, size)}},
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
		if err != nil {
			t.Fatal(err)
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		return certificate
	}
	var longest []*x509.Certificate
	for more := 0; uploadSize(longest) != maxChain; more += 3 {
		longest = []*x509.Certificate{padded(one, more), nil}
		size := sort.Search(maxChain, func(size int) bool {
			longest[1] = padded(two, size)
			return uploadSize(longest) >= maxChain
		})
		longest[1] = padded(two, size)
	}
	if err := checkUpload(pemOf(longest)); err != nil {
		t.Error(err)
	}
	if CheckOrder(longest) == nil {
		t.Error("the order is not checked")
	}
}

// TestChain_upload checks which leaf certificates a plan refuses to upload.
func TestChain_upload(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"p256": "", "rsa2048": "", "rsa1024": "must have a leaf certificate with a supported key (RSA with at least 2048 bits, ECDSA or Ed25519); found RSA with 1024 bits",
	} {
		err := checkUpload(testcert.ChainOf{Key: kind}.New(t).PEM())
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", kind, err)
		}
	}
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	for text, first := range map[string]bool{chain.PEM(): true, chain.PEM(2, 1, 3): false, chain.PEM(1, 3): true} {
		parsed, err := ParseChain(text)
		if err != nil || LeafFirst(parsed) != first {
			t.Errorf("the leaf comes first: %t, %v", !first, err)
		}
	}
}

// TestChain_hugeKey gives the issuer a key with which one verification takes
// seconds. It is not used.
func TestChain_hugeKey(t *testing.T) {
	t.Parallel()
	modulus := new(big.Int).SetBit(big.NewInt(1), 160_000, 1)
	signer := testcert.Key(t, "")
	chain := append(oneSubject(t, 1, signer.Public(), signer), oneSubject(t, 1, &rsa.PublicKey{N: modulus, E: 1<<31 - 1}, signer)...)
	if size := uploadSize(chain); size > maxChain {
		t.Fatalf("the chain has %d bytes", size)
	}
	l := newLinks(chain)
	if !l.issued(1, 0) || l.checks != 0 {
		t.Errorf("%d signatures were verified", l.checks)
	}
	longest := oneSubject(t, 1, &rsa.PublicKey{N: new(big.Int).SetBit(big.NewInt(1), mostRSABits-1, 1), E: 65537}, signer)
	if err := CheckOrder([]*x509.Certificate{chain[0], longest[0]}); err == nil {
		t.Error("the signature of the longest key is not verified")
	}
}
