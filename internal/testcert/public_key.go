package testcert

import (
	"crypto/ed25519"
	"crypto/rand"
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
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + " " + comment)
}
