package pki_test

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"net"
	"slices"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestLeaf_partsOfNames(t *testing.T) {
	t.Parallel()
	leaf := testcert.ChainOf{Subject: pkix.Name{Organization: []string{"One", "Two"}, Country: []string{"DE"}}}.New(t).Leaf
	for identifier, want := range map[int][]string{3: {"www.example.com"}, 6: {"DE"}, 10: {"One", "Two"}, 11: nil} {
		if got := pki.NameParts(leaf.Subject, asn1.ObjectIdentifier{2, 5, 4, identifier}); !slices.Equal(got, want) {
			t.Errorf("2.5.4.%d is %q, want %q", identifier, got, want)
		}
	}
}

func TestLeaf_hasName(t *testing.T) {
	t.Parallel()
	leaf := *testcert.ChainOf{}.New(t).Leaf
	name := func(want string) {
		t.Helper()
		if got := pki.CertificateName(&leaf); got != want {
			t.Errorf("name %q, want %q", got, want)
		}
	}
	leaf.Subject, leaf.DNSNames = pkix.Name{CommonName: "common", Organization: []string{"Example"}}, []string{"a.example.com", "b.example.com"}
	name("common")
	leaf.Subject.CommonName = ""
	name("a.example.com")
	leaf.DNSNames = nil
	name("O=Example")
	leaf.Subject = pkix.Name{}
	name("(no name)")
}

func TestLeaf_covers(t *testing.T) {
	t.Parallel()
	leaf := testcert.ChainOf{
		Subject: pkix.Name{CommonName: "name.example.org"},
		Names:   []string{"www.example.com", "*.shop.example.com"},
		IPs:     []net.IP{net.IPv4(192, 0, 2, 1)},
	}.New(t).Leaf
	for host, want := range map[string]bool{
		"www.example.com": true, "WWW.example.COM": true, "a.shop.example.com": true, "192.0.2.1": true,
		"www.example.com.": true, "*.shop.example.com": true, "*.SHOP.example.com": true, "*.shop.example.com.": true, "*.example.com": false, "*.www.example.com": false,
		"example.com": false, "shop.example.com": false, "a.b.shop.example.com": false,
		"name.example.org": false, "192.0.2.2": false, "": false,
	} {
		if got := pki.Covers(leaf, host); got != want {
			t.Errorf("%q: %t, want %t", host, got, want)
		}
	}
}
