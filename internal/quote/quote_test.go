package quote

import (
	"strings"
	"testing"
)

func TestValue_hidesPossibleSecrets(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                       `""`,
		"a \"b\"\t\x1b":                          `"a \"b\"\t\x1b"`,
		strings.Repeat("x", 100):                 `"` + strings.Repeat("x", 100) + `"`,
		strings.Repeat("x", 101):                 "a text of 101 bytes (not shown)",
		"www.example.com\n":                      "a text of 16 bytes that ends with a newline (not shown)",
		`"a\nb\nc"`:                              "a text of 9 bytes with 3 lines (not shown)",
		"a\nb\nc":                                "a text of 5 bytes with 3 lines (not shown)",
		strings.Repeat("ab\n", 30):               "a text of 90 bytes with 31 lines (not shown)",
		"-----BEGIN EC PRIVATE KEY-----\nMHcC\n": PrivateKey,
		"-----BEGIN OPENSSH PRIVATE KEY-----\\nb3Bl\\n":                    PrivateKey,
		"PuTTY-User-Key-File-3: ssh-ed25519":                               PrivateKey,
		"-----BEGIN PGP PRIVATE KEY BLOCK-----":                            PrivateKey,
		"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----":                       PrivateKey,
		"AGE-SECRET-KEY-1QQQ":                                              PrivateKey,
		"MC4CAQAwBQYDK2VwBCIEIEZRhcWL9JFcEhJT3mItnlE/RTyy4fHnMvG1/CSQp6rf": PrivateKey,
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n":   "a text of 59 bytes with 4 lines (not shown)",
	} {
		if got := Value(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
