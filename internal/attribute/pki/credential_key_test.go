package pki_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

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

// TestCredentialKey_otherFormats checks that a key in PEM or RFC 4716 format,
// as ssh-keygen writes them, is the same as its line in OpenSSH format.
func TestCredentialKey_otherFormats(t *testing.T) {
	t.Parallel()
	for kind, formats := range map[string][]string{"rsa": {"PKCS8", "PEM", "RFC4716"}, "ecdsa": {"PKCS8", "RFC4716"}, "ed25519": {"RFC4716"}} {
		bits := map[string]string{"rsa": "2048", "ecdsa": "256", "ed25519": "256"}[kind]
		line, _ := testcert.SSHKeygen(t, kind, bits)
		file := filepath.Join(t.TempDir(), "key.pub")
		if err := os.WriteFile(file, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, format := range formats {
			exported, err := exec.CommandContext(t.Context(), "ssh-keygen", "-e", "-m", format, "-f", file).Output()
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				format: string(exported), format + " with CRLF": strings.ReplaceAll(string(exported), "\n", "\r\n"),
				format + ", indented": "   " + strings.ReplaceAll(strings.TrimSpace(string(exported)), "\n", "\n   ") + "\n",
			} {
				if _, err := pki.ParseCredentialKey(text); err != nil {
					t.Errorf("%s in %s: %v", kind, name, err)
				}
				if want := strings.Join(strings.Fields(line)[:2], " "); pki.CredentialKeyLine(text) != want {
					t.Errorf("%s in %s is %q, want %q", kind, name, pki.CredentialKeyLine(text), want)
				}
				for other, same := range map[string]bool{line: true, fidoKeys[0]: false, "ssh-ed25519 AAAA": false} {
					if configured(text).Same(configured(other)) != same || configured(other).Same(configured(text)) != same {
						t.Errorf("%s in %s and %s: want the same key: %t", kind, name, other, same)
					}
				}
				if twice := text + "\n" + text; pki.CredentialKeyLine(twice) != pki.CanonicalPublicKey(twice) {
					t.Errorf("%s in %s, twice, is %q", kind, name, pki.CredentialKeyLine(twice))
				}
				whole := strings.TrimSpace(text)
				cut := whole[:strings.LastIndex(whole, "\n")]
				_, err := pki.ParseCredentialKey(cut)
				expectError(t, err, "Check that no line is missing")
			}
		}
	}
}

// configured is a key in a configuration: Of would give it the notation of the
// service's keys.
func configured(key string) pki.CredentialKey {
	return pki.CredentialKey{StringValue: types.StringValue(key)}
}

func TestCredentialKey_refused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----":                 "found damaged PEM or RFC 4716",
		"---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----":       "found damaged PEM or RFC 4716",
		"-----BEGIN OPENSSH PRIVATE KEY-----\nAA\n-----END OPENSSH PRIVATE KEY-----": "found a private key",
		"": "found an empty string",
	} {
		_, err := pki.ParseCredentialKey(text)
		expectError(t, err, want)
	}
}
