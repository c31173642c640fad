package conformance

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// issuedChain returns a certificate with that of its authority, and its private key.
func issuedChain(organization ...string) (chain, key string) {
	now := time.Now()
	template := func(name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, BasicConstraintsValid: true,
			NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		}
	}
	authority, leaf := template("conformance authority"), template("conformance")
	leaf.Subject.Organization, leaf.DNSNames = organization, []string{"*.conformance.example.com"}
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	leaf.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 7).To4()}
	authority.IsCA, authority.KeyUsage = true, x509.KeyUsageCertSign
	issuer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, issuer.Public(), issuer)
	must(err)
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	certificate, err := x509.CreateCertificate(rand.Reader, leaf, authority, private.Public(), issuer)
	must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(err)
	return block("CERTIFICATE", certificate) + block("CERTIFICATE", root), block("PRIVATE KEY", secret)
}

// parsed returns the first certificate of a chain.
func parsed(chain string) *x509.Certificate {
	certificate, err := x509.ParseCertificate(ders(chain)[0])
	must(err)
	return certificate
}

func block(kind string, content []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))
}

// must panics if cryptography fails, which it never does with these arguments.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("conformance: create a certificate: %v", err))
	}
}

// leaf uploads a certificate of an authority, and checks that the service shows what the
// leaf contains: not the authority, and no values of its own.
func (s *story) leaf() {
	if s.route != "/tls_certificates" {
		return
	}
	members := s.run.smallestOf(s.route)
	chain, key := issuedChain("Conformance & Co")
	members["certificate_pem"], members["private_key_pem"] = chain, key
	id, _, err := s.run.make(s.route, s.path, members)
	v := s.rule("a certificate of an authority", http.MethodPost, s.route, s.path)
	v.body, v.status = members, http.StatusCreated
	var its map[string]any
	if err == nil {
		its, err = s.run.read(s.path+"/"+id, s.item)
	}
	if err != nil {
		s.run.judged(v, nil, err)
		return
	}
	certificate := parsed(chain)
	v.name, v.method, v.route, v.path, v.body = "leaf: the chain", http.MethodGet, s.item, s.path+"/"+id, nil
	var d *difference
	switch s.run.stored("certificate_pem", chain, its["certificate_pem"]) {
	case Differs:
		d = differs("certificate_pem with the chain that was sent", cut(text(its["certificate_pem"])))
	case Otherwise:
		d = otherwise("certificate_pem with the chain that was sent", "the leaf alone")
	}
	s.run.judged(v, d, nil)
	names, _ := its["subject_alternative_names"].(map[string]any)
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	for _, member := range []struct {
		name        string
		want, found any
	}{
		{"subject_common_name", certificate.Subject.CommonName, its["subject_common_name"]},
		{"subject_organization", certificate.Subject.Organization[0], its["subject_organization"]},
		{"subject_locality", "", its["subject_locality"]},
		{"issuer_common_name", certificate.Issuer.CommonName, its["issuer_common_name"]},
		{"private_key_type", "ecdsa", its["private_key_type"]},
		{"not_before", moment(certificate.NotBefore), its["not_before"]},
		{"not_after", moment(certificate.NotAfter), its["not_after"]},
		{"issued_at", nil, its["issued_at"]},
		{"dns_names", []any{certificate.DNSNames[0]}, names["dns_names"]},
		{"ips", []any{certificate.IPAddresses[0].String()}, names["ips"]},
		{"key_usages", 1, len(list(its["key_usages"]))}, // in any notation
		{"extended_key_usages", 1, len(list(its["extended_key_usages"]))},
		{"serial_number", certificate.SerialNumber.Text(16), serial(text(its["serial_number"]))},
	} {
		v.name, d = "leaf: "+member.name, nil
		status := s.run.stored(member.name, member.want, member.found)
		if _, isList := member.want.([]any); isList {
			status = storedSet(member.want, member.found)
		}
		if status == Differs {
			d = differs(fmt.Sprintf("%s of the leaf, %s", member.name, asJSON(member.want)), cut(asJSON(member.found)))
		}
		s.run.judged(v, d, nil)
	}
	s.run.discard(s.path + "/" + id)
}

// serial returns a serial number in hexadecimal digits.
func serial(shown string) string {
	return strings.TrimLeft(strings.NewReplacer(":", "", " ", "", "0x", "").Replace(strings.ToLower(shown)), "0")
}

// signed checks that the authority of a host certificate has signed it.
func (s *story) signed() {
	if s.route != "/ssh_host_certificates" {
		return
	}
	one := s.objects[0].body
	v := s.rule("certificate: the signature", http.MethodGet, s.item, s.objects[0].path)
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(text(one["certificate"])))
	certificate, isCertificate := key.(*ssh.Certificate)
	if err != nil || !isCertificate {
		s.run.judged(v, differs("an SSH certificate in authorized-keys format", cut(text(one["certificate"]))), nil)
		return
	}
	var d *difference
	if err := checkSignature(certificate); err != nil {
		d = differs("a signature that verifies", err.Error())
	}
	s.run.judged(v, d, nil)

	const authorities = "/ssh_certificate_authorities"
	v.name, d = "certificate: the key of its authority", nil
	var authority ssh.PublicKey
	its, err := s.run.read(authorities+"/"+text(one["ssh_certificate_authority_id"]), authorities+"/{id}")
	if err == nil {
		if authority, _, _, _, err = ssh.ParseAuthorizedKey([]byte(text(its["public_key"]))); err != nil {
			err = fmt.Errorf("the public key of the authority: %w", err)
		}
	}
	if err == nil && !bytes.Equal(authority.Marshal(), certificate.SignatureKey.Marshal()) {
		d = differs("a certificate with the public key of its authority, "+ssh.FingerprintSHA256(authority),
			ssh.FingerprintSHA256(certificate.SignatureKey))
	}
	s.run.judged(v, d, err)
}

// checkSignature checks a certificate as a client does at its beginning.
func checkSignature(certificate *ssh.Certificate) error {
	checker := ssh.CertChecker{Clock: func() time.Time { return time.Unix(int64(certificate.ValidAfter), 0) }}
	host := ""
	if len(certificate.ValidPrincipals) > 0 {
		host = certificate.ValidPrincipals[0]
	}
	return checker.CheckCert(host, certificate)
}
