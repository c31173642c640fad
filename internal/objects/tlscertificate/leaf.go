package tlscertificate

import (
	"crypto/x509"
	"encoding/asn1"
	"net"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

var (
	commonName         = asn1.ObjectIdentifier{2, 5, 4, 3}
	country            = asn1.ObjectIdentifier{2, 5, 4, 6}
	locality           = asn1.ObjectIdentifier{2, 5, 4, 7}
	province           = asn1.ObjectIdentifier{2, 5, 4, 8}
	organization       = asn1.ObjectIdentifier{2, 5, 4, 10}
	organizationalUnit = asn1.ObjectIdentifier{2, 5, 4, 11}
)

// derive plans the attributes that follow from the leaf. It leaves attributes
// unknown if the leaf is ambiguous or if the API contract does not define the
// notation: the serial number and the key usages.
func derive(leaf *x509.Certificate, m *model) {
	subject := func(part asn1.ObjectIdentifier) types.String {
		parts := pki.NameParts(leaf.Subject, part)
		if len(parts) == 0 {
			return types.StringValue("") // the API contract defines an empty string
		}
		return only(parts)
	}
	m.SubjectCommonName = only(pki.NameParts(leaf.Subject, commonName))
	m.SubjectOrganization = subject(organization)
	m.SubjectOrganizationalUnit = subject(organizationalUnit)
	m.SubjectLocality = subject(locality)
	m.SubjectProvince = subject(province)
	m.SubjectCountry = subject(country)
	m.IssuerCommonName = only(pki.NameParts(leaf.Issuer, commonName))
	m.IssuedAt = attribute.TimestampType{}.Of("") // null for an uploaded certificate
	m.NotBefore = attribute.TimestampOf(leaf.NotBefore)
	m.NotAfter = attribute.TimestampOf(leaf.NotAfter)
	if kind := pki.KeyType(leaf.PublicKey); kind != "" {
		m.PrivateKeyType = types.StringValue(kind)
	}
	// IPv6 addresses have several notations, so they stay unknown.
	if !slices.ContainsFunc(leaf.IPAddresses, func(ip net.IP) bool { return ip.To4() == nil }) {
		m.SubjectAlternativeNames = alternativeNames(api.SANs{DNSNames: leaf.DNSNames, IPs: texts(leaf.IPAddresses)})
	}
}

// only returns the only value, or unknown if there is not exactly one.
func only(values []string) types.String {
	if len(values) != 1 {
		return types.StringUnknown()
	}
	return types.StringValue(values[0])
}

func texts(ips []net.IP) []string {
	texts := make([]string, len(ips))
	for i, ip := range ips {
		texts[i] = ip.String()
	}
	return texts
}
