package pki

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"regexp"
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// CredentialKey is the SSH public key of a credential. It is like PublicKey,
// but can also be in PEM or RFC 4716 format, or of a FIDO security key.
type CredentialKey = attribute.Value[credentialKey]

// CredentialKeyType is the type of CredentialKey.
type CredentialKeyType = attribute.Type[credentialKey]

type credentialKey struct{}

func (credentialKey) Name() string { return "SSH public key" }

func (credentialKey) Check(text string) error {
	_, err := ParseCredentialKey(text)
	return err
}

func (credentialKey) Same(a, b string) bool {
	ak, aErr := ParseCredentialKey(a)
	bk, bErr := ParseCredentialKey(b)
	return aErr == nil && bErr == nil && bytes.Equal(ak.Marshal(), bk.Marshal())
}

// Canonical returns a key as one line.
func (credentialKey) Canonical(text string) string { return CredentialKeyLine(text) }

// CredentialKeyStrength is PublicKeySize for the key of a credential. Services had DSA
// keys once.
var CredentialKeyStrength = attribute.Limit("an RSA key with at least 2048 bits, or another key except DSA", func(text string) error {
	line := CredentialKeyLine(text)
	if isDSA(line) {
		return errDSA
	}
	return checkPublicKeySize(line)
})

var credentialKeyTypes = append([]string{ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256, keyAlgoDSA}, sshKeyTypes...)

// ParseCredentialKey parses the SSH public key of a credential. See
// CredentialKey.
func ParseCredentialKey(text string) (ssh.PublicKey, error) {
	line := CredentialKeyLine(text)
	if strings.HasPrefix(line, "--") && strings.Contains(line, "BEGIN") && otherFile(line) == "" {
		return nil, errors.New(
			"must be an SSH public key; found damaged PEM or RFC 4716 format, or a key that is not RSA, ECDSA or Ed25519. " +
				"Check that no line is missing",
		)
	}
	return parsePublicKey(line, credentialKeyTypes)
}

// CredentialKeyLine returns an SSH public key as one line in OpenSSH
// authorized-keys format. It returns a text that is neither in PEM nor in RFC
// 4716 format as CanonicalPublicKey does.
func CredentialKeyLine(text string) string {
	text = CanonicalPublicKey(text)
	key := pemKey(text)
	if key == nil {
		key = rfc4716Key(text)
	}
	if key == nil {
		return text
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}

var indentation = regexp.MustCompile("(?m)^[" + blanks + "]+")

// pemKey returns the public key of a text in PEM, nil if it is not one. Lines may be
// indented.
func pemKey(text string) ssh.PublicKey {
	text = indentation.ReplaceAllString(text, "")
	block, rest := pem.Decode([]byte(text))
	if block == nil || len(bytes.TrimSpace(rest)) > 0 || !strings.HasPrefix(text, pemBegin) {
		return nil
	}
	var public any
	switch block.Type {
	case "PUBLIC KEY":
		public, _ = x509.ParsePKIXPublicKey(block.Bytes)
	case "RSA PUBLIC KEY":
		public, _ = x509.ParsePKCS1PublicKey(block.Bytes)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		return nil
	}
	return key
}

// rfc4716Header matches a header with its continuation lines.
var rfc4716Header = regexp.MustCompile(`(?m)^[^:\n]+:(.*\\\n)*.*$`)

// rfc4716Key returns the public key of a text in RFC 4716 format, nil if it is
// not one.
func rfc4716Key(text string) ssh.PublicKey {
	body, begins := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---- BEGIN SSH2 PUBLIC KEY ----")
	body, ends := strings.CutSuffix(body, "---- END SSH2 PUBLIC KEY ----")
	content, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(rfc4716Header.ReplaceAllString(body, "")), ""))
	if !begins || !ends || err != nil {
		return nil
	}
	key, err := ssh.ParsePublicKey(content)
	if err != nil {
		return nil
	}
	return key
}
