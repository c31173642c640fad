package pki_test

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// fidoKeys are public keys of FIDO security keys.
var fidoKeys = []string{
	"sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABHNzaDo= me",
	"sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfUAAAAEc3NoOg==",
}

func TestCredentialKey_accepted(t *testing.T) {
	t.Parallel()
	if _, err := pki.ParseCredentialKey(testcert.PublicKey(t, "BEGIN of 2026")); err != nil {
		t.Error(err)
	}
	for _, key := range fidoKeys {
		if _, err := pki.ParseCredentialKey(key); err != nil {
			t.Errorf("%s: %v", key[:30], err)
		}
		_, err := pki.ParsePublicKey(key)
		expectError(t, err, "must be an RSA, ECDSA or Ed25519 key")
	}
}

// TestPublicKey_otherFormats checks that a key in PEM or RFC 4716 format, as ssh-keygen
// and openssl write them, is the same as its line in OpenSSH format.
func TestPublicKey_otherFormats(t *testing.T) {
	t.Parallel()
	for kind, formats := range map[string][]string{"rsa2048": {"PKCS8", "PEM", "RFC4716"}, "p256": {"PKCS8", "RFC4716"}, "ed25519": {"RFC4716", "openssl"}} {
		key, err := ssh.NewPublicKey(testcert.Key(t, kind).Public())
		if err != nil {
			t.Fatal(err)
		}
		line, file := string(ssh.MarshalAuthorizedKey(key)), filepath.Join(t.TempDir(), "key.pub")
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range formats {
			exported, err := exec.CommandContext(t.Context(), "ssh-keygen", "-e", "-m", format, "-f", file).Output()
			if format == "openssl" { // ssh-keygen does not write this
				var der []byte
				der, err = x509.MarshalPKIXPublicKey(key.(ssh.CryptoPublicKey).CryptoPublicKey())
				exported = pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
			}
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				format: string(exported), format + " with CRLF": strings.ReplaceAll(string(exported), "\n", "\r\n"),
				format + ", indented": "   " + strings.ReplaceAll(strings.TrimSpace(string(exported)), "\n", "\n   ") + "\n",
			} {
				if want := strings.TrimSpace(line); pki.PublicKeyLine(text) != want {
					t.Errorf("%s in %s is %q, want %q", kind, name, pki.PublicKeyLine(text), want)
				}
				twice, whole := text+"\n"+text, strings.TrimSpace(text)
				if line := pki.PublicKeyLine(twice); line != strings.TrimSpace(twice) {
					t.Errorf("%s in %s, twice, is %q", kind, name, line)
				}
				for _, parse := range []func(string) (ssh.PublicKey, error){pki.ParsePublicKey, pki.ParseCredentialKey} {
					if _, err := parse(text); err != nil {
						t.Errorf("%s in %s: %v", kind, name, err)
					}
					_, err := parse(whole[:strings.LastIndex(whole, "\n")])
					expectError(t, err, "Check that no line is missing")
				}
				for other, same := range map[string]bool{line: true, fidoKeys[0]: false, "ssh-ed25519 AAAA": false} {
					if configured(text).Same(configured(other)) != same || configured(other).Same(configured(text)) != same || same && !samePublicKey(text, other) {
						t.Errorf("%s in %s and %s: want the same key: %t", kind, name, other, same)
					}
				}
			}
		}
	}
}

// configured is a key in a configuration: Of would give it the notation of the
// service's keys.
func configured(key string) pki.CredentialKey {
	return pki.CredentialKey{StringValue: types.StringValue(key)}
}
