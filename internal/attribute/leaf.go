package attribute

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
)

// NameParts returns the values that a distinguished name has for one attribute,
// such as 2.5.4.3, the common name. Most have one or none.
func NameParts(name pkix.Name, attribute asn1.ObjectIdentifier) []string {
	var parts []string
	for _, part := range name.Names {
		if text, ok := part.Value.(string); ok && part.Type.Equal(attribute) {
			parts = append(parts, text)
		}
	}
	return parts
}

// CertificateName returns what people call a certificate: the common name of its
// subject, or else its first domain, or else all of its subject.
func CertificateName(certificate *x509.Certificate) string {
	name := certificate.Subject.CommonName
	if name == "" && len(certificate.DNSNames) > 0 {
		name = certificate.DNSNames[0]
	}
	return firstName(name, certificate.Subject.String())
}

func firstName(names ...string) string {
	for _, name := range names {
		if name != "" {
			return name
		}
	}
	return "(no name)"
}
