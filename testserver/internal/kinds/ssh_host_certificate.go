package kinds

import (
	"cmp"
	"crypto/rand"
	"strings"
	"time"
	"unicode"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
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

const sshHostCertificateTable store.TableOf[*sshHostCertificate] = "ssh_host_certificates"

// maxPrincipals is the maximum number of principals of a certificate that OpenSSH reads.
const maxPrincipals = 256

func (c *sshHostCertificate) Refers() []string { return []string{c.Authority} }
func (c *sshHostCertificate) Label() string {
	return cmp.Or(strings.Join(c.Principals, ", "), c.common.Label())
}

func sshHostCertificates(s *Service) engine.Collection[*sshHostCertificate] {
	return engine.Collection[*sshHostCertificate]{
		Path:   "/ssh_host_certificates",
		Prefix: "shcrt_",
		Field:  "ssh_host_certificates",
		Noun:   "SSH host certificate",
		Table:  sshHostCertificateTable.In(s.store),
		Refers: []string{"/ssh_certificate_authorities"},
		Create: s.signHostCertificate,
		Update: updated[sshHostCertificate],
	}
}

// signHostCertificate creates a certificate. valid_after defaults to the
// creation time, and valid_until to one year after it.
func (s *Service) signHostCertificate(c *engine.Call, in *body.Object) (*sshHostCertificate, error) {
	cert := &sshHostCertificate{
		common:     newCommon(c, in),
		Authority:  in.Required("ssh_certificate_authority_id"),
		Principals: orEmpty(in.Texts("principals")),
	}
	cert.ValidAfter = orExisting(in.Time("valid_after"), cert.CreatedAt)
	cert.ValidUntil = orExisting(in.Time("valid_until"), cert.CreatedAt.AddDate(1, 0, 0))
	var key ssh.PublicKey
	cert.PublicKey, key = keys.ReadSSHPublicKey(in, "public_key", keys.SSHKeyTypes)
	in.Rule(len(cert.Principals) <= maxPrincipals, "principals",
		"too many principals: expected at most %d, found %d", maxPrincipals, len(cert.Principals))
	for i, principal := range cert.Principals {
		field := body.Element("principals", i)
		in.Rule(principal != "", field, "a principal must not be empty")
		in.Rule(!strings.ContainsFunc(principal, unicode.IsControl), field, "a principal must not contain control characters")
	}
	in.Rule(cert.ValidUntil.After(cert.ValidAfter), "valid_until", "valid_until must be after valid_after")
	authority, ok := sshCertificateAuthorityTable.In(s.store).Get(cert.Authority)
	if !ok && !in.IsAnswer() { // even a forced request cannot be signed without it
		in.Refuse("ssh_certificate_authority_id", "SSH certificate authority %s does not exist", problem.Printable(cert.Authority))
	}
	if in.IsAnswer() {
		cert.Certificate = in.Required("certificate")
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	cert.KeyType = keys.SSHKeyTypes[key.Type()]
	if cert.Certificate != "" {
		return cert, nil
	}
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
