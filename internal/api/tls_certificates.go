package api

import "encoding/json"

// TLSCertificate is an uploaded chain of certificates and the properties of its
// leaf.
type TLSCertificate struct {
	Object
	CertificatePEM            string   `json:"certificate_pem"` // leaf first
	SubjectCommonName         Info     `json:"subject_common_name"`
	SubjectAlternativeNames   SANs     `json:"subject_alternative_names"`
	IssuedAt                  Info     `json:"issued_at"`  // RFC 3339; "" if uploaded by a user
	NotBefore                 Info     `json:"not_before"` // RFC 3339
	NotAfter                  Info     `json:"not_after"`  // RFC 3339
	KeyUsages                 InfoList `json:"key_usages"`
	ExtendedKeyUsages         InfoList `json:"extended_key_usages"`
	PrivateKeyType            Info     `json:"private_key_type"` // rsa, ecdsa or ed25519
	IssuerCommonName          Info     `json:"issuer_common_name"`
	SerialNumber              Info     `json:"serial_number"` // hexadecimal
	SubjectOrganization       Info     `json:"subject_organization"`
	SubjectOrganizationalUnit Info     `json:"subject_organizational_unit"`
	SubjectLocality           Info     `json:"subject_locality"`
	SubjectProvince           Info     `json:"subject_province"`
	SubjectCountry            Info     `json:"subject_country"`
}

// SANs are a leaf's subject alternative names.
type SANs struct {
	DNSNames InfoList `json:"dns_names"`
	IPs      InfoList `json:"ips"`
}

// UnmarshalJSON never returns an error, because the names are only informative.
func (s *SANs) UnmarshalJSON(value []byte) error {
	type plain SANs
	*s = SANs{}
	json.Unmarshal(value, (*plain)(s)) //nolint:errcheck // then there are no names
	return nil
}

// TLSCertificateCreate is the body that uploads a TLS certificate.
type TLSCertificateCreate struct {
	Details
	CertificatePEM string `json:"certificate_pem"`
	PrivateKeyPEM  string `json:"private_key_pem"`
}

func (c TLSCertificateCreate) sentSecret() string { return c.PrivateKeyPEM }

// TLSCertificates are the TLS certificates of the account.
var TLSCertificates = identified[TLSCertificate](
	Kind{Noun: "TLS certificate", Prefix: "cert_", Path: "/tls_certificates", ListField: "tls_certificates", StatesLimits: true},
)
