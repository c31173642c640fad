package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/crypto/ssh"
)

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
