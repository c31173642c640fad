package attribute

import (
	"strings"
	"time"
)

// canonical returns a text of the service in one notation; see Type.Of.
func (timestamp) canonical(text string) string {
	t, err := ParseTime(text)
	if err != nil {
		return text
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (chain) canonical(text string) string { return CanonicalChain(text) }

func (publicKey) canonical(text string) string { return CanonicalPublicKey(text) }

func (sshCertificate) canonical(text string) string { return strings.TrimSpace(text) }
