package quote

import (
	"encoding/base64"
	"strings"
	"testing"
)

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
