package quote

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestHasKeyContent_onlyWithContent(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("MHcCAQEEIAbc+/09", 4)
	block := func(name, content string) string {
		return "-----BEGIN " + name + "-----\n" + content + "\n-----END " + name + "-----\n"
	}
	lines := content[:30] + "\n" + content[30:]
	for text, want := range map[string]bool{
		block("PRIVATE KEY", content):                                      true,
		block("RSA PRIVATE KEY", lines):                                    true,
		block("EC PRIVATE KEY", content):                                   true,
		block("DSA PRIVATE KEY", content):                                  true,
		block("ENCRYPTED PRIVATE KEY", content):                            true,
		block("OPENSSH PRIVATE KEY", content):                              true,
		block("PGP PRIVATE KEY BLOCK", "Version: GnuPG v2\n\n"+content):    true,
		block("RSA PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\n"+content):     true,
		"text\n  " + block("PRIVATE KEY", "  "+content) + "more":           true,
		strings.ReplaceAll(block("PRIVATE KEY", lines), "\n", " "):         true,
		strings.ReplaceAll(block("PRIVATE KEY", lines), "\n", ""):          true,
		strings.ReplaceAll(block("PRIVATE KEY", lines), "\n", `\n`):        true,
		strings.ReplaceAll(block("PRIVATE KEY", lines), "\n", `\\n`):       true,
		strings.ReplaceAll(block("PRIVATE KEY", lines), "\n", "\r\n"):      true,
		"-----BEGIN PRIVATE KEY-----\n" + content[:40]:                     true, // truncated
		"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: a\n" + lines: true,
		"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: a\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\n" + content: true,
		"AGE-SECRET-KEY-1" + strings.Repeat("Q", 58):      true,
		"key: age-secret-key-1" + strings.Repeat("q", 58): true,
		"begins with AGE-SECRET-KEY-1":                    false,
		"":                                                false,
		content:                                           false,
		block("PRIVATE KEY", "MIIE..."):                   false, // an example
		block("PRIVATE KEY", "<your key>"):                false,
		"Your key begins with -----BEGIN PRIVATE KEY-----": false,
		"PuTTY-User-Key-File-3: ssh-ed25519":               false,
		block("CERTIFICATE", content):                      false,
		block("PUBLIC KEY", content):                       false,
		block("EC PARAMETERS", "BggqhkjOPQMBBw=="):         false,
	} {
		if got := HasKeyContent(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestIsSecretAccessKey_certainOnly(t *testing.T) {
	t.Parallel()
	const key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" // of the docs of AWS
	for text, want := range map[string]bool{
		key:              true,
		" " + key + "\n": true,
		`"` + key + `"`:  true,
		"je7MtGbClwBFd2Zp9Utkdh3yCo8nvbEXAMPLEKEY": true,
		key[1:]:                false,
		key + "a":              false,
		"AKIAIOSFODNN7EXAMPLE": false,
		"da39a3ee5e6b4b0d3255bfef95601890afd80709":                                  false, // SHA-1
		"DA39A3EE5E6B4B0D3255BFEF95601890AFD80709":                                  false,
		"TheQuickBrownFoxJumpsOverTheLazyDogAgain":                                  false,
		"the quick brown fox jumps over 13 Dogs..":                                  false,
		base64.StdEncoding.EncodeToString([]byte(`{"team":"platform","cost":123}`)): false,
		"": false,
	} {
		if got := IsSecretAccessKey(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
		if IsSecretAccessKey(text) && strings.Contains(Value(text), key[:10]) {
			t.Errorf("shown as %s", Value(text))
		}
	}
}
