package testserver

import (
	"crypto/rand"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// sshHostCertificate is an SSH host certificate. See "SSH host certificate" in
// the API documentation.
type sshHostCertificate struct {
	common
	PublicKey   string    `json:"public_key"`
	KeyType     string    `json:"key_type"`
	Authority   string    `json:"ssh_certificate_authority_id"`
	Principals  []string  `json:"principals"`
	ValidAfter  time.Time `json:"valid_after"`
	ValidUntil  time.Time `json:"valid_until"`
	Certificate string    `json:"certificate"`
}

const sshHostCertificateTable tableOf[*sshHostCertificate] = "ssh_host_certificates"

func (c *sshHostCertificate) refers() []string { return []string{c.Authority} }

func (s *service) sshHostCertificates() collection[*sshHostCertificate] {
	return collection[*sshHostCertificate]{
		path:   "/ssh_host_certificates",
		prefix: "shcrt_",
		field:  "ssh_host_certificates",
		noun:   "SSH host certificate",
		table:  sshHostCertificateTable.in(s.store),
		create: s.signHostCertificate,
		update: func(_ *call, old *sshHostCertificate, in *object) *sshHostCertificate {
			cert := copyOf(old)
			cert.common = old.updated(in)
			return cert
		},
		view: func(_ *call, uri string, cert *sshHostCertificate) any {
			return struct {
				URI string `json:"uri"`
				*sshHostCertificate
			}{uri, cert}
		},
	}
}

// signHostCertificate creates a certificate. valid_after defaults to the
// creation time, and valid_until to one year after it.
func (s *service) signHostCertificate(c *call, in *object) (*sshHostCertificate, error) {
	cert := &sshHostCertificate{
		common:     newCommon(c, in),
		Authority:  in.need("ssh_certificate_authority_id"),
		Principals: orEmpty(in.texts("principals")),
	}
	cert.ValidAfter = orExisting(in.time("valid_after"), cert.CreatedAt)
	cert.ValidUntil = orExisting(in.time("valid_until"), cert.CreatedAt.AddDate(1, 0, 0))
	var key ssh.PublicKey
	cert.PublicKey, key = sshPublicKey(in, "public_key", sshKeyTypes)
	for i, principal := range cert.Principals {
		in.rule(principal != "", element("principals", i), "a principal must not be empty")
	}
	in.rule(cert.ValidUntil.After(cert.ValidAfter), "valid_until", "valid_until must be after valid_after")
	authority, ok := sshCertificateAuthorityTable.in(s.store).get(cert.Authority)
	if !ok {
		in.refuse("ssh_certificate_authority_id", "SSH certificate authority %s does not exist", printable(cert.Authority))
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	cert.KeyType = sshKeyTypes[key.Type()]
	return cert, cert.sign(key, authority)
}

// sign sets the certificate: one line for the file of the HostCertificate
// directive of the SSH daemon.
func (c *sshHostCertificate) sign(key ssh.PublicKey, authority *sshCertificateAuthority) error {
	signer, err := authority.signer()
	if err != nil {
		return err
	}
	cert := &ssh.Certificate{
		Key:             key,
		CertType:        ssh.HostCert,
		KeyId:           c.ID,
		ValidPrincipals: c.Principals,
		ValidAfter:      uint64(c.ValidAfter.Unix()),
		ValidBefore:     uint64(c.ValidUntil.Unix()),
	}
	if err := cert.SignCert(rand.Reader, signer); err != nil {
		return err
	}
	c.Certificate = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(cert))) + " " + c.ID
	return nil
}
