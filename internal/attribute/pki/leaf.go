package pki

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// NameParts returns the values of one attribute of a distinguished name, such
// as 2.5.4.3, the common name. Most names have at most one.
func NameParts(name pkix.Name, part asn1.ObjectIdentifier) []string {
	var parts []string
	for _, one := range name.Names {
		if text, ok := one.Value.(string); ok && one.Type.Equal(part) {
			parts = append(parts, text)
		}
	}
	return parts
}

// CertificateName returns a name for a certificate in messages: the common name
// of its subject, or its first DNS name, or its whole subject. Whoever issued the
// certificate wrote it.
func CertificateName(certificate *x509.Certificate) string {
	name := certificate.Subject.CommonName
	if name == "" && len(certificate.DNSNames) > 0 {
		name = certificate.DNSNames[0]
	}
	return quote.Foreign(firstName(name, certificate.Subject.String()))
}

func firstName(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "(no name)"
}

// Covers reports whether a certificate is valid for a host name or an IP address:
// its subject alternative names have it, or a wildcard in place of its first label.
// The common name does not count, as in TLS clients. A host with a wildcard, such as
// *.example.com, is covered by the same wildcard only.
func Covers(certificate *x509.Certificate, host string) bool {
	return attribute.Covers(certificate, host)
}

// Hosts returns the host names and IP addresses of a certificate.
func Hosts(certificate *x509.Certificate) []string {
	return slices.Concat(certificate.DNSNames, addresses(certificate))
}

func addresses(certificate *x509.Certificate) []string {
	texts := make([]string, len(certificate.IPAddresses))
	for i, ip := range certificate.IPAddresses {
		texts[i] = ip.String()
	}
	return texts
}
