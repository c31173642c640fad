package pki

import (
	"fmt"
	"strings"
	"testing"
)

// The framework's trace log prints values with their String method.
func TestPrivateKey_printsNothingSecret(t *testing.T) {
	t.Parallel()
	key := PrivateKeyType{}.Of("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")
	for _, text := range []string{key.String(), fmt.Sprint(key), fmt.Sprintf("%v %s", key, key), fmt.Sprintf("%v", []any{key})} {
		if strings.Contains(text, "c2VjcmV0") {
			t.Errorf("it shows itself as %s", text)
		}
	}
	if text := (PublicKeyType{}).Of("ssh-ed25519 AAAA").String(); !strings.Contains(text, "AAAA") {
		t.Errorf("a public key shows itself as %s", text)
	}
}
