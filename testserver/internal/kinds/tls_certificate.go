package kinds

import (
	"cmp"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// tlsCertificate is an uploaded certificate. See "TLS certificate" in the API
// documentation.
type tlsCertificate struct {
	common
	CertificatePEM string     `json:"certificate_pem"`
	CommonName     string     `json:"subject_common_name"`
	SANs           sans       `json:"subject_alternative_names"`
	IssuedAt       *time.Time `json:"issued_at"` // null unless a forced request sets it, because this server issues no certificates
	NotBefore      time.Time  `json:"not_before"`
	NotAfter       time.Time  `json:"not_after"`
	KeyUsages      []string   `json:"key_usages"`
	ExtKeyUsages   []string   `json:"extended_key_usages"`
	PrivateKeyType string     `json:"private_key_type"`
	Issuer         string     `json:"issuer_common_name"`
	SerialNumber   string     `json:"serial_number"`
	Organization   string     `json:"subject_organization"`
	Unit           string     `json:"subject_organizational_unit"`
	Locality       string     `json:"subject_locality"`
	Province       string     `json:"subject_province"`
	Country        string     `json:"subject_country"`

	pair *tls.Certificate // with the private key, in memory only; nil if the key is not known
}

const tlsCertificateTable store.TableOf[*tlsCertificate] = "tls_certificates"

func (c *tlsCertificate) Label() string { return cmp.Or(c.CommonName, c.common.Label()) }

// sans is TLSCertificateSANs in the API documentation.
type sans struct {
	DNSNames []string `json:"dns_names"`
	IPs      []string `json:"ips"`
}

func tlsCertificates(s *Service) engine.Collection[*tlsCertificate] {
	return engine.Collection[*tlsCertificate]{
		Path:   "/tls_certificates",
		Prefix: "cert_",
		Field:  "tls_certificates",
		Noun:   "TLS certificate",
		Table:  tlsCertificateTable.In(s.store),
		Create: uploadCertificate,
		Update: updated[tlsCertificate],
	}
}

// uploadCertificate stores a chain after checking its private key. It accepts
// an expired certificate, because the service only stores it. Forced
// out-of-band requests can omit the key and set issued_at.
func uploadCertificate(c *engine.Call, in *body.Object) (*tlsCertificate, error) {
	base := newCommon(c, in)
	chainText, keyText := in.Text("certificate_pem"), in.Text("private_key_pem")
	var issuedAt *time.Time
	if in.Forced() {
		issuedAt = in.Time("issued_at")
	}
	if chainText == nil {
		in.Refuse("certificate_pem", "certificate_pem is required")
	}
	in.Rule(keyText != nil, "private_key_pem", "private_key_pem is required")
	if err := in.End(); err != nil {
		return nil, err
	}
	chain, normalized, err := keys.ParseChain(*chainText)
	if err != nil {
		return nil, problem.Invalid("certificate_pem", "invalid certificate_pem: %v", err)
	}
	key, err := checkUpload(chain, orExisting(keyText, ""))
	if err != nil && !in.Forced() {
		return nil, err
	}
	cert := describeLeaf(chain[0])
	if err == nil {
		cert.pair = &tls.Certificate{PrivateKey: key}
		for _, each := range chain {
			cert.pair.Certificate = append(cert.pair.Certificate, each.Raw)
		}
	}
	cert.common, cert.CertificatePEM, cert.IssuedAt = base, normalized, issuedAt
	if cert.PrivateKeyType == "" {
		return nil, problem.Invalid("certificate_pem", "invalid certificate_pem: the key of the first certificate must be rsa, ecdsa or ed25519")
	}
	return cert, nil
}

// checkUpload applies the validation rules for new certificates, and returns the key.
func checkUpload(chain []*x509.Certificate, keyText string) (crypto.Signer, error) {
	if err := keys.CheckOrder(chain); err != nil {
		return nil, problem.Invalid("certificate_pem", "invalid certificate_pem: %v", err)
	}
	key, err := keys.ParsePrivateKey(keyText)
	if err == nil {
		err = keys.CheckPrivateKey(chain[0], key)
	}
	if err != nil {
		return nil, problem.Invalid("private_key_pem", "invalid private_key_pem: %v", err)
	}
	return key, nil
}

// describeLeaf returns the response fields that are derived from the leaf.
func describeLeaf(leaf *x509.Certificate) *tlsCertificate {
	ips := []string{}
	for _, ip := range leaf.IPAddresses {
		ips = append(ips, ip.String())
	}
	return &tlsCertificate{
		CommonName:     leaf.Subject.CommonName,
		SANs:           sans{DNSNames: orEmpty(leaf.DNSNames), IPs: ips},
		NotBefore:      leaf.NotBefore.UTC(),
		NotAfter:       leaf.NotAfter.UTC(),
		KeyUsages:      keyUsages(leaf.KeyUsage),
		ExtKeyUsages:   extKeyUsages(leaf),
		PrivateKeyType: keys.TLSKeyTypes[leaf.PublicKeyAlgorithm],
		Issuer:         leaf.Issuer.CommonName,
		SerialNumber:   serialNumber(leaf),
		Organization:   first(leaf.Subject.Organization),
		Unit:           first(leaf.Subject.OrganizationalUnit),
		Locality:       first(leaf.Subject.Locality),
		Province:       first(leaf.Subject.Province),
		Country:        first(leaf.Subject.Country),
	}
}

// serialNumber returns the serial number in hex with two digits for each byte.
func serialNumber(leaf *x509.Certificate) string {
	number := leaf.SerialNumber.Bytes()
	if len(number) == 0 {
		number = []byte{0}
	}
	return hex.EncodeToString(number)
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// keyUsageNames are the names of the key usages in the order of their bits.
var keyUsageNames = []string{
	"digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
	"cert_sign", "crl_sign", "encipher_only", "decipher_only",
}

func keyUsages(usage x509.KeyUsage) []string {
	names := []string{}
	for bit, name := range keyUsageNames {
		if usage&(1<<bit) != 0 {
			names = append(names, name)
		}
	}
	return names
}

var extKeyUsageNames = map[x509.ExtKeyUsage]string{
	x509.ExtKeyUsageAny:                            "any",
	x509.ExtKeyUsageServerAuth:                     "server_auth",
	x509.ExtKeyUsageClientAuth:                     "client_auth",
	x509.ExtKeyUsageCodeSigning:                    "code_signing",
	x509.ExtKeyUsageEmailProtection:                "email_protection",
	x509.ExtKeyUsageIPSECEndSystem:                 "ipsec_end_system",
	x509.ExtKeyUsageIPSECTunnel:                    "ipsec_tunnel",
	x509.ExtKeyUsageIPSECUser:                      "ipsec_user",
	x509.ExtKeyUsageTimeStamping:                   "time_stamping",
	x509.ExtKeyUsageOCSPSigning:                    "ocsp_signing",
	x509.ExtKeyUsageMicrosoftServerGatedCrypto:     "microsoft_server_gated_crypto",
	x509.ExtKeyUsageNetscapeServerGatedCrypto:      "netscape_server_gated_crypto",
	x509.ExtKeyUsageMicrosoftCommercialCodeSigning: "microsoft_commercial_code_signing",
	x509.ExtKeyUsageMicrosoftKernelCodeSigning:     "microsoft_kernel_code_signing",
}

// extKeyUsages returns the names of the usages. Unknown usages are object
// identifiers.
func extKeyUsages(leaf *x509.Certificate) []string {
	names := []string{}
	for _, usage := range leaf.ExtKeyUsage {
		names = append(names, extKeyUsageNames[usage])
	}
	for _, identifier := range leaf.UnknownExtKeyUsage {
		names = append(names, identifier.String())
	}
	return names
}
