package pki

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// SSHCertificate is an SSH certificate in OpenSSH's authorized-keys format. Two
// certificates are the same if their types and certificate data are equal.
// Comments and line endings are ignored.
type SSHCertificate = attribute.Value[sshCertificate]

// SSHCertificateType is the type of SSHCertificate.
type SSHCertificateType = attribute.Type[sshCertificate]

type sshCertificate struct{}

func (sshCertificate) Name() string { return "SSH certificate" }

// Canonical returns a certificate without surrounding white space.
func (sshCertificate) Canonical(text string) string { return strings.TrimSpace(text) }

func (sshCertificate) Check(text string) error {
	_, err := ParseSSHCertificate(text)
	return err
}

func (sshCertificate) Same(a, b string) bool {
	as, bs := strings.Fields(a), strings.Fields(b)
	return len(as) >= 2 && len(bs) >= 2 && slices.Equal(as[:2], bs[:2])
}

// ParseSSHCertificate parses an SSH certificate: one line in OpenSSH's
// authorized-keys format, as in a file id_ed25519-cert.pub.
func ParseSSHCertificate(text string) (*ssh.Certificate, error) {
	text = PublicKeyLine(text)
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(text))
	certificate, isCertificate := key.(*ssh.Certificate)
	const form = "one line in OpenSSH format, such as the content of ssh_host_ed25519_key-cert.pub " +
		`("ssh-ed25519-cert-v01@openssh.com AAAA…")`
	found := ""
	switch {
	case isCertificate && strings.ContainsAny(text, "\r\n"):
		found = "more than one line"
	case isCertificate && len(options) > 0:
		found = "authorized_keys options before the certificate. Remove them"
	case isCertificate:
		return certificate, nil
	case err == nil:
		found = "an SSH public key (" + key.Type() + "). Use the file that ends in -cert.pub"
	case text == "":
		found = "an empty string"
	case otherFile(text) != "" && !strings.Contains(text, "-cert-v01@"):
		found = otherFile(text)
	case filePath.MatchString(text):
		found = "a file path. Read the file with file()"
	default:
		return nil, errors.New("is not a valid SSH certificate; expected " + form)
	}
	return nil, errors.New("must be an SSH certificate, as " + form + "; found " + found)
}
