package pki

import (
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// CredentialKey is the SSH public key of a credential. It is like PublicKey,
// but can also be that of a FIDO security key.
type CredentialKey = attribute.Value[credentialKey]

// CredentialKeyType is the type of CredentialKey.
type CredentialKeyType = attribute.Type[credentialKey]

type credentialKey struct{}

func (credentialKey) Name() string { return "SSH public key" }

func (credentialKey) Check(text string) error {
	_, err := ParseCredentialKey(text)
	return err
}

func (credentialKey) Same(a, b string) bool { return sameKey(a, b, credentialKeyTypes) }

// Canonical returns a key as one line.
func (credentialKey) Canonical(text string) string { return PublicKeyLine(text) }

// CredentialKeyStrength is PublicKeySize for the key of a credential. Services had DSA
// keys once.
var CredentialKeyStrength = attribute.Limit("an RSA key with at least 2048 bits, or another key except DSA", func(text string) error {
	line := PublicKeyLine(text)
	if isDSA(line) {
		return errDSA
	}
	return checkPublicKeySize(line)
})

var credentialKeyTypes = append([]string{ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256, keyAlgoDSA}, sshKeyTypes...)

// ParseCredentialKey parses the SSH public key of a credential. See
// CredentialKey.
func ParseCredentialKey(text string) (ssh.PublicKey, error) {
	return parsePublicKey(text, credentialKeyTypes)
}
