package testcert

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// Domain returns a new domain.
func Domain() string {
	return strings.ToLower(rand.Text()) + ".example.com"
}

// PublicKey returns a new SSH public key in the format of a .pub file, without
// a line ending.
func PublicKey(t testing.TB, comment string) string {
	t.Helper()
	public, _ := SSHKeyPair(comment)
	return public
}

// SSHKeyPair returns a new SSH key pair: a public key as PublicKey does, and a private
// key in OpenSSH format without a passphrase.
func SSHKeyPair(comment string) (public, private string) {
	publicKey, privateKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	line, err := ssh.NewPublicKey(publicKey)
	if err != nil {
		panic(err)
	}
	block, err := ssh.MarshalPrivateKey(privateKey, comment)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(line))) + " " + comment), string(pem.EncodeToMemory(block))
}
