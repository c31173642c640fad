package api

// TLSCertificate is an uploaded chain of certificates and the properties of its
// leaf.
type TLSCertificate struct {
	Object
	CertificatePEM            string   `json:"certificate_pem"` // leaf first
	SubjectCommonName         string   `json:"subject_common_name"`
	SubjectAlternativeNames   SANs     `json:"subject_alternative_names"`
	IssuedAt                  string   `json:"issued_at"`  // RFC 3339; "" if uploaded by a user
	NotBefore                 string   `json:"not_before"` // RFC 3339
	NotAfter                  string   `json:"not_after"`  // RFC 3339
	KeyUsages                 []string `json:"key_usages"`
	ExtendedKeyUsages         []string `json:"extended_key_usages"`
	PrivateKeyType            string   `json:"private_key_type"` // rsa, ecdsa or ed25519
	IssuerCommonName          string   `json:"issuer_common_name"`
	SerialNumber              string   `json:"serial_number"` // hexadecimal
	SubjectOrganization       string   `json:"subject_organization"`
	SubjectOrganizationalUnit string   `json:"subject_organizational_unit"`
	SubjectLocality           string   `json:"subject_locality"`
	SubjectProvince           string   `json:"subject_province"`
	SubjectCountry            string   `json:"subject_country"`
}

// SANs are a leaf's subject alternative names.
type SANs struct {
	DNSNames []string `json:"dns_names"`
	IPs      []string `json:"ips"`
}

// TLSCertificateCreate is the body that uploads a TLS certificate.
type TLSCertificateCreate struct {
	Details
	CertificatePEM string `json:"certificate_pem"`
	PrivateKeyPEM  string `json:"private_key_pem"`
}

func (t TLSCertificateCreate) secrets() []string { return []string{t.PrivateKeyPEM} }

// TLSCertificates is the collection at /tls_certificates.
type TLSCertificates = Collection[TLSCertificate, TLSCertificateCreate, DetailsUpdate]

var tlsCertificates = describe(kind[TLSCertificate, TLSCertificateCreate]{
	noun: "TLS certificate", path: "/tls_certificates", list: "tls_certificates",
	id:      func(o *TLSCertificate) string { return o.ID },
	created: func(o *TLSCertificate) string { return o.CreatedAt },
	same: func(sent *TLSCertificateCreate, o *TLSCertificate) bool {
		return sent.same(&o.Object) && samePEM(sent.CertificatePEM, o.CertificatePEM)
	},
})

// TLSCertificates returns the account's TLS certificates.
func (c *Client) TLSCertificates() *TLSCertificates {
	return collection[TLSCertificate, TLSCertificateCreate, DetailsUpdate](c, tlsCertificates)
}
